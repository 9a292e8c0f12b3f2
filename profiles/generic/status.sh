#!/usr/bin/env bash
# status.sh JOB    prints running, success or failed, as snakemake's executor cluster-generic asks for it.
# Knows PBS (qstat -x), LSF (bjobs), Grid Engine (qacct) and Slurm (scontrol), whichever is there.
job=${1##* }
if command -v scontrol >/dev/null; then
    state=$(scontrol show job -o "$job" 2>/dev/null | grep -o 'JobState=[A-Z_]*')
    case $state in *COMPLETED) echo success ;; *PENDING | *RUNNING | *COMPLETING | *CONFIGURING | *SUSPENDED) echo running ;; *) echo failed ;; esac
elif command -v bjobs >/dev/null; then
    case $(bjobs -noheader -o stat "$job" 2>/dev/null) in DONE) echo success ;; EXIT | ZOMBI | "") echo failed ;; *) echo running ;; esac
elif command -v qacct >/dev/null; then
    if qstat -j "$job" >/dev/null 2>&1; then echo running
    elif qacct -j "$job" 2>/dev/null | grep -qE '^exit_status +0 *$'; then echo success; else echo failed; fi
else
    facts=$(qstat -x -f "$job" 2>/dev/null)
    if ! grep -q 'job_state = F' <<<"$facts" && [ -n "$facts" ]; then echo running
    elif grep -qiE 'exit_status = 0 *$' <<<"$facts"; then echo success; else echo failed; fi
fi
