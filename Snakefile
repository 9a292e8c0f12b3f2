# Himation: prediction when somebody has manipulated the variables. A bare `snakemake` starts here; the contents page is
# workflow/Snakefile, and the one file to edit is config.yaml.
workflow.include("workflow/Snakefile", overwrite_default_target=True)
