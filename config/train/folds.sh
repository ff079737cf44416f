#!/bin/sh
# Trains and measures the ten folds of gad.toml or euadr.toml, from the
# repository's root; further arguments go to `medsift train run`:
#
#     config/train/folds.sh gad ../shared/data --model ./biobert
#
# The runs are left in runs/gad/fold-1 and so on, the scores in
# runs/gad/folds.txt; the mean F1 is printed. MEDSIFT names the program (default:
# the release build).
set -eu
name=$1
data=$2
shift 2
medsift=${MEDSIFT:-target/release/medsift}
case $name in
gad) file=$data/re/gad/folds.tsv.gz ;;
euadr) file=$data/re/euadr/folds.tsv ;;
*)
    echo "$0: the folds of $name are not known; give gad or euadr" >&2
    exit 2
    ;;
esac
mkdir -p "runs/$name"
for fold in 1 2 3 4 5 6 7 8 9 10; do
    run=runs/$name/fold-$fold
    "$medsift" train run "config/train/$name.toml" --data "$data" --output "$run" --overwrite \
        --set "stage.0.data.0.without.fold=$fold" \
        --set "stage.0.evaluation.sets.0.only.fold=$fold" "$@" >&2
    "$medsift" eval labels "$file" --model "$run/model" --quiet --text sentence \
        --only "fold=$fold" --map 0=none --map 1=association
done >"runs/$name/folds.txt"
awk '/all but the negative/ { sum += $3; folds += 1 }
    END { printf "mean F1 of %d folds: %.4f\n", folds, sum / folds }' "runs/$name/folds.txt"
