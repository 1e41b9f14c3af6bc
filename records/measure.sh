#!/usr/bin/env bash
# Runs the experiments and keeps what is worth keeping as records.
#
#   records/measure.sh [-n NICE] [-w WORK] [NAME…]
#
# NAME is one of the experiments below; without any, all of them in this order. Runs go to WORK/NAME
# (default: lab-work), can be interrupted, and are continued by the same command. A finished run is
# copied to records/DATE-lab-NAME without its rows, with a README that names command, commit and load.
# Times are processor time, so that a busy machine disturbs them less.
set -euo pipefail
cd "$(dirname "$0")/.."

niceness=10
work=lab-work
while getopts n:w: option; do
    case $option in
        n) niceness=$OPTARG ;;
        w) work=$OPTARG ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))

declare -A command=(
    [thesis]='lab thesis --memory-limit 3GiB --solvers iddfs,graph-v1,graph-v2,stateless,stateless:published=on,flagship'
    [naive]='lab thesis --configurations 320 --memory-limit 3GiB --solvers naive,flagship'
    [thesis-160000]='lab thesis --configurations 160000 --solvers graph-v2,stateless,stateless:published=on,flagship'
    [boards]='lab thesis --boards 96 --starts 200 --threads 1'
    [histogram]='lab histogram --positions 1M --threads 1'
    [slides]='lab slides'
    [ai-in-games]='lab ai-in-games --time-scale 0.02 --memory-limit 2GiB'
    [competitions]='lab competitions'
    [growth]='lab growth --puzzles 30 --time-limit 3s'
    [bench]='bench --corpus random --solvers flagship,iddfs --repeat 3 --cold'
    [bench-hard]='bench --corpus hard --corpus records --solvers flagship,iddfs'
)
order=(bench bench-hard competitions growth slides thesis ai-in-games naive boards histogram thesis-160000)
[ $# -gt 0 ] && order=("$@")
for name in "${order[@]}"; do
    [ -n "${command[$name]:-}" ] || { echo "no experiment is called '$name'" >&2; exit 2; }
done

cargo build --release --quiet --package ricochet-cli
# A copy for this call: a later build, or a call for other experiments, must not change the program
# under a run.
mkdir -p "$work"
program=$(realpath "$work")/ricochet-$$
trap 'rm -f "$program"' EXIT
cp target/release/ricochet "$program"
commit=$(git rev-parse --short HEAD)
[ -z "$(git status --porcelain -- crates corpus Cargo.lock)" ] || commit="$commit with changes"

for name in "${order[@]}"; do
    out=$work/$name
    before=$(cut -d' ' -f1-3 /proc/loadavg)
    # shellcheck disable=SC2086 # the words of the command are its arguments
    nice -n "$niceness" "$program" --quiet ${command[$name]} --clock processor --output "$out" > "$work/$name.txt"
    record=records/$(date -u +%F)-lab-$name
    mkdir -p "$record"
    for part in report.md tables figures experiment.json machine.json aggregate.csv tally.csv found.json; do
        [ ! -e "$out/$part" ] || cp -r "$out/$part" "$record/"
    done
    # Thousands of lines whose sums are in the tables.
    [ "$name" != histogram ] || rm "$record/tally.csv"
    {
        echo "# $(head -1 "$out/report.md" | cut -c3-)"
        echo
        echo "\`ricochet ${command[$name]} --clock processor\`, made by \`records/measure.sh $name\` at commit $commit, niceness $niceness. Load of the machine before and after: $before; $(cut -d' ' -f1-3 /proc/loadavg)."
        echo
        echo "Figures and tables: [report.md](report.md). The rows are not kept."
    } > "$record/README.md"
    echo "$record"
done
