#!/usr/bin/env bash
# A real Slurm of two nodes on this machine's loopback, for tests: root on Debian, no systemd, no database, no cgroups.
#   tests/slurm/cluster.sh up [PID]   install what is missing, start, wait until both nodes take jobs
#   tests/slurm/cluster.sh down       cancel all jobs, stop, forget
# With PID, the cluster stops by itself once that process is gone, however it ended. What can't be installed here ends
# with status 77; whatever else goes wrong on the way up is stopped again, with status 1.
# Everything lives in $SLURM_FOLDER (/tmp/himation-slurm); /etc/slurm/slurm.conf is a link into it, since steps of jobs
# look nowhere else.
set -euo pipefail
FOLDER=${SLURM_FOLDER:-/tmp/himation-slurm} PORT=${SLURM_PORT:-16800} HOST=$(hostname -s)
CPUS=${SLURM_CPUS:-2} MEMORY=${SLURM_MEMORY:-6000} # of each node
SOCKET=$FOLDER/munge.socket CONF=/etc/slurm/slurm.conf PACKAGES=(slurmctld slurmd slurm-client munge)
export PATH=/usr/sbin:/sbin:$PATH

fail() { echo "cluster.sh: $*" >&2; tail -n 5 "$FOLDER"/*.log >&2 2>/dev/null || true; exit "${STATUS:-1}"; }
alive() { [ -s "$FOLDER/$1.pid" ] && kill -0 "$(cat "$FOLDER/$1.pid")" 2>/dev/null; }
await() { local end=$((SECONDS + 40)); until "$@" >/dev/null 2>&1; do ((SECONDS < end)) || fail "no answer: $*"; sleep 0.2; done; }
both_idle() { [ "$(sinfo -h -N -t idle,alloc,mix -o %N | sort -u | wc -l)" = 2 ]; }

install() {
    dpkg -s "${PACKAGES[@]}" >/dev/null 2>&1 && return
    local policy=/usr/sbin/policy-rc.d made= status=0 # keeps apt from starting services
    local apt=(apt-get -qq -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=120)
    [ -e $policy ] || { printf '#!/bin/sh\nexit 101\n' >$policy; chmod +x $policy; made=1; }
    "${apt[@]}" update || echo "cluster.sh: apt-get update failed, trying with the lists that are here" >&2
    DEBIAN_FRONTEND=noninteractive "${apt[@]}" install -y --no-install-recommends "${PACKAGES[@]}" >"$FOLDER/apt.log" 2>&1 || status=$?
    [ -z "$made" ] || rm $policy
    [ $status = 0 ] || STATUS=77 fail "apt-get could not install ${PACKAGES[*]}"
}

configure() {
    [ ! -e $CONF ] || [ -L $CONF ] || STATUS=77 fail "$CONF is a real file: this machine has a Slurm of its own"
    getent hosts "$HOST" >/dev/null || echo "127.0.0.1 $HOST" >>/etc/hosts
    mkdir -p /etc/slurm "$FOLDER"/{state,n1,n2}
    (umask 077; [ -s "$FOLDER/munge.key" ] || head -c 1024 /dev/urandom >"$FOLDER/munge.key")
    cat >"$FOLDER/slurm.conf" <<END
ClusterName=himation
SlurmctldHost=$HOST(127.0.0.1)
SlurmctldPort=$PORT
SlurmUser=root
SlurmdUser=root
AuthInfo=socket=$SOCKET
StateSaveLocation=$FOLDER/state
SlurmdSpoolDir=$FOLDER/%n
SlurmctldPidFile=$FOLDER/slurmctld.pid
SlurmdPidFile=$FOLDER/slurmd.%n.pid
SlurmctldLogFile=$FOLDER/slurmctld.log
SlurmdLogFile=$FOLDER/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill,UsePss
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2,bf_interval=5,batch_sched_delay=0
ReturnToService=2
MinJobAge=600
KillWait=5
NodeName=n1 NodeHostname=$HOST NodeAddr=127.0.0.1 Port=$((PORT + 1)) CPUs=$CPUS RealMemory=$MEMORY
NodeName=n2 NodeHostname=$HOST NodeAddr=127.0.0.1 Port=$((PORT + 2)) CPUs=$CPUS RealMemory=$MEMORY
PartitionName=main Nodes=ALL Default=YES MaxTime=24:00:00 State=UP
END
    ln -sfn "$FOLDER/slurm.conf" $CONF
}

stop_after() { # in a session of its own, so that whatever ends the caller leaves it
    echo "$1" >"$FOLDER/owner"
    setsid "$(realpath "$0")" watch "$1" </dev/null >/dev/null 2>&1 &
}

watch() {
    while kill -0 "$1" 2>/dev/null; do sleep 1; done
    [ "$(cat "$FOLDER/owner" 2>/dev/null)" != "$1" ] || down
}

up() {
    [ "$(id -u)" = 0 ] || fail "needs root"
    [ -e /etc/debian_version ] || fail "needs Debian"
    mkdir -p "$FOLDER"
    trap '[ $? = 0 ] || down' EXIT
    install
    configure
    [ -z "${1:-}" ] || stop_after "$1"
    alive munged || munged --force --key-file="$FOLDER/munge.key" --socket="$SOCKET" --pid-file="$FOLDER/munged.pid" \
        --log-file="$FOLDER/munged.log" --seed-file="$FOLDER/munge.seed"
    await munge -n -S "$SOCKET"
    alive slurmctld || slurmctld
    await scontrol ping
    for node in n1 n2; do alive slurmd.$node || slurmd -N $node; done
    await both_idle
    await srun -n1 --mem=50 true
    echo "two nodes with $CPUS CPUs and $MEMORY MB each, $(scontrol -V), ready after $SECONDS s"
}

down() {
    if alive slurmctld; then squeue -h -o %A | sort -u | xargs -r scancel || true; sleep 1; fi
    for name in slurmd.n1 slurmd.n2 slurmctld munged; do
        alive $name || continue
        local pid; pid=$(cat "$FOLDER/$name.pid")
        kill "$pid"
        for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    done
    [ "$(readlink $CONF)" != "$FOLDER/slurm.conf" ] || rm $CONF # else every later snakemake waits for a dead controller
    rm -rf "$FOLDER"
}

case "${1:-}" in up | watch) "$@" ;; down) down ;; *) echo "usage: $0 up [PID] | down" >&2; exit 2 ;; esac
