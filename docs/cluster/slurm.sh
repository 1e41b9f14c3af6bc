#!/bin/bash
# Solves puzzles.jsonl in 100 parts: sbatch docs/cluster/slurm.sh
# Parts that exist already end at once, so a failed array can simply be submitted again, or only the
# indices that failed: sbatch --array=7,42 docs/cluster/slurm.sh
#SBATCH --job-name=ricochet
#SBATCH --array=1-100
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --requeue
set -euo pipefail
# The number of parts, not of the indices in this submission: a part is a function of I/N.
parts=100
ricochet solve --json --threads "${SLURM_CPUS_PER_TASK:-2}" \
  --shard "$SLURM_ARRAY_TASK_ID/$parts" --output parts puzzles.jsonl
# When all parts are done: ricochet merge parts --output answers.jsonl
