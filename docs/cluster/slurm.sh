#!/bin/bash
# The census of the 1999 edition in 96 parts: sbatch docs/cluster/slurm.sh
# A part that is there already ends at once, so a failed array can simply be submitted again.
#SBATCH --job-name=ricochet-census
#SBATCH --array=1-96
#SBATCH --cpus-per-task=1
#SBATCH --mem=512M
#SBATCH --requeue
set -euo pipefail
ricochet census --edition 1999 --shard "$SLURM_ARRAY_TASK_ID/96" --output "census/$SLURM_ARRAY_TASK_ID"
# When all are done: ricochet census --merge census/* --output all
