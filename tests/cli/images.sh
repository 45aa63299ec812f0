#!/bin/bash
# Images as tables: dedpul fit and dedpul predict on IDX, CIFAR-10 and NumPy files.
# shellcheck source=tests/cli/common.sh disable=SC2154
. "$SOURCE/tests/cli/common.sh"

# bytes: from numbers on standard input.
bytes() {
    # shellcheck disable=SC2046
    printf %b "$(printf '\\x%02x' $(cat))"
}
# be32 NUMBER: as four bytes.
be32() {
    echo $(($1 >> 24 & 255)) $(($1 >> 16 & 255)) $(($1 >> 8 & 255)) $(($1 & 255))
}
# digits SEED N: N lines of a label and 16 pixels (4 x 4), with a black border on top; positives, labeled 7, are
# brighter on the left, and others, labeled 0 to 2, on the right. Of the unlabeled, a third are as positives.
digits() {
    awk -v seed="$1" -v n="$2" 'BEGIN {
        srand(seed)
        for (i = 0; i < n; i++) {
            labeled = rand() < 0.3
            positive = labeled || rand() < 1 / 3
            printf "%d", labeled ? 7 : int(3 * rand())
            for (p = 0; p < 16; p++) {
                left = p % 4 < 2
                printf " %d", p < 4 ? 0 : int(60 * rand()) + 100 * (left == positive)
            }
            print ""
        }
    }'
}
# idx FILE DIMENSION...: of bytes, from numbers on standard input.
idx() {
    local file=$1 dimension
    shift
    { echo 0 0 8 $#; for dimension; do be32 "$dimension"; done; cat; } | bytes >"$file"
}

digits 1 600 >train.txt
digits 2 50 >new.txt
cut -d' ' -f2- train.txt | idx train.idx 600 4 4
cut -d' ' -f1 train.txt | idx labels.idx 600
cut -d' ' -f2- new.txt | idx new.idx 50 4 4
{ echo label; cut -d' ' -f1 train.txt; } >labels.csv
npy_header() { # SHAPE
    local header
    header=$(printf "%-117s" "{'descr': '|u1', 'fortran_order': False, 'shape': $1, }")
    printf '\x93NUMPY\x01\x00\x76\x00%s\n' "$header"
}
{ npy_header '(600, 4, 4)'; cut -d' ' -f2- train.txt | bytes; } >train.npy
{ npy_header '(600,)'; cut -d' ' -f1 train.txt | bytes; } >labels.npy
{ npy_header '(50, 16)'; cut -d' ' -f2- new.txt | bytes; } >new.npy
{ echo label p{1..16} | tr ' ' ,; tr ' ' , <train.txt; } >train.csv

fast=(--positive 7 --classifier logistic --ensemble 1 --epochs 20)
expect 0 '' fit train.idx --labels labels.idx "${fast[@]}" --model idx.model --scores idx.csv --json
near .alpha 0.33 0.15
check 'no pixel is left out' jq -e '[.warnings[].code] - ["epoch_limit"] == [] and .n_features == 16' out.txt
gzip -k train.idx labels.idx
for files in 'train.idx.gz labels.idx.gz' 'train.npy labels.npy' 'train.npy labels.idx' 'train.idx labels.csv'; do
    read -r images labels <<<"$files"
    expect 0 '' fit "$images" --labels "$labels" "${fast[@]}" --scores other.csv
    check "$files: the same" cmp idx.csv other.csv
done
"$DEDPUL" fit train.idx --labels - "${fast[@]}" --scores other.csv <labels.idx.gz >out.txt 2>err.txt
check 'labels from standard input: the same' cmp idx.csv other.csv
expect 0 '' fit train.csv --shape 4x4 "${fast[@]}" --scores other.csv
check 'text with a shape: the same' cmp idx.csv other.csv
expect 0 'left out' fit train.csv "${fast[@]}"

expect 0 '' predict idx.model new.idx --out new.csv
check 'as many rows as images' [ "$(wc -l <new.csv)" -eq 51 ]
expect 0 '' predict idx.model new.npy
check 'images as rows of a NumPy file: the same' cmp out.txt new.csv
expect 0 '' show idx.model --json
check 'a constant pixel is a feature' jq -e '.columns[0] == {"name": "1", "use": "number", "n_levels": 0, "n_features": 1}' out.txt
expect 0 '' show idx.model
check 'pixels on one line' grep -qE '^  1 to 16 +number$' out.txt
check 'their shape' grep -qE '^  images +4 x 4 pixels, 1 channel$' out.txt
cut -d' ' -f2- new.txt | idx other.idx 50 2 8
expect 1 '2x8' predict idx.model other.idx
expect 1 'labels.idx has 1 columns' predict idx.model labels.idx

# CIFAR-10: the label comes first, and is not needed later.
awk 'BEGIN { srand(3); for (i = 0; i < 60; i++) { c = i % 3; print c; for (p = 0; p < 3072; p++)
    print int(100 * rand()) + 100 * (int(p / 1024) == c) } }' | bytes >batch.bin
cifar=(--positive 2 --classifier logistic --ensemble 1 --epochs 3 --min-epochs 1)
expect 0 '' fit batch.bin "${cifar[@]}" --model cifar.model --posteriors p.csv
check 'labels come from the file' [ "$(wc -l <p.csv)" -eq 41 ]
expect 0 '' predict cifar.model batch.bin --out a.csv
{ npy_header '(60, 32, 32, 3)'
    od -An -v -w3073 -tu1 batch.bin | awk '{ for (i = 0; i < 1024; i++) print $(2 + i), $(1026 + i), $(2050 + i) }' | bytes; } >batch.npy
expect 0 '' predict cifar.model batch.npy --out b.csv
check 'channels come last: the same' cmp a.csv b.csv
gzip -k batch.bin
cat batch.bin.gz batch.bin.gz >both.gz
expect 0 '' predict cifar.model both.gz
check 'files can be put together' [ "$(wc -l <out.txt)" -eq 121 ]

# What does not fit: a message, and no files.
refused() { # TEXT ARGUMENT...
    local text=$1
    shift
    expect 1 "$text" fit "$@" "${fast[@]}" --model m.model --scores s.csv
    check "$text: no files" nothing_left m.model s.csv
}
refused 'train.idx has 600 rows' train.idx --labels new.idx --label 5
refused 'new.idx has 50 rows' new.idx --labels labels.idx
refused "no column 'label'" train.idx
refused 'cannot read nofile: No such file' train.idx --labels nofile
tail -n +2 labels.csv >headless.csv
refused "headless.csv has no column 'label'" train.idx --labels headless.csv
refused "shape: '4x' is not" train.csv --shape 4x
refused '4x5' train.csv --shape 4x5
refused "train.csv has a column 'label'" train.csv --labels labels.csv
refused 'standard input' - --labels -
head -c 1000 train.idx >cut.idx
refused 'cut.idx is cut off' cut.idx --labels labels.idx
head -c 100000 batch.bin >cut.bin
refused 'cut.bin is cut off' cut.bin
sed '5s/,[0-9]*$/,/' train.csv >hole.csv
refused "hole.csv: line 5, column 'p16'" hole.csv --shape 4x4
expect 2 'labels.idx is the input' fit train.idx --labels labels.idx --scores labels.idx
finish
