#!/bin/bash
# Solves puzzles.jsonl in 100 parts: sbatch docs/cluster/slurm.sh
# Parts that exist already end at once, so a failed array can simply be submitted again.
#SBATCH --job-name=ricochet
#SBATCH --array=1-100
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --requeue
set -euo pipefail
parts=${SLURM_ARRAY_TASK_MAX:-100}
ricochet solve --json --threads "${SLURM_CPUS_PER_TASK:-2}" \
  --shard "$SLURM_ARRAY_TASK_ID/$parts" --output parts puzzles.jsonl
# When all parts are done: ricochet merge parts --output answers.jsonl
