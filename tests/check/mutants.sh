#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Tests the generator of random faults, and the judge that counts which tests catch them.
set -u
. tests/check/lib.sh

# drawn SEED COUNT: prints the faults of that seed
drawn() { MUTANTS_LIST=1 B=$work sh tests/tools/mutants.sh "$1" "$2"; }

drawn 1 40 > "$work/one"
drawn 1 40 | cmp -s - "$work/one" && ! drawn 2 40 | cmp -s - "$work/one"
verdict $? "a seed draws its faults again, and another seed others"

sed -n 's/^file   //p' "$work/one" | sed 's|^hw-model/||; s|/[^/]*$||' | sort > "$work/places"
for area in fw host-driver sim/soft rtl/nic rtl/net; do
    [ "$(grep -c "^$area" "$work/places")" = 8 ] || echo "$area has $(grep -c "^$area" "$work/places") of 40 faults"
done > "$work/out"
empty "$work/out" "each area gets its share of faults"

# Each fault is made in a copy, and changes one line of one file of code.
grep -E '^(fw|host-driver|sim/soft|hw-model/rtl)/' "$work/files" | xargs tar -cf - | (mkdir "$work/tree" && tar -xf - -C "$work/tree")
cp -r "$work/tree" "$work/kept"
for number in $(seq 1 40); do
    file=$(SABOTAGE_CHANGES=$work/one sh tests/sabotage/apply.sh -f "mutant-1-$number")
    SABOTAGE_CHANGES=$work/one sh tests/sabotage/apply.sh "mutant-1-$number" "$work/tree" || echo "$number cannot be made"
    lines=$(diff "$work/kept/$file" "$work/tree/$file" | grep -c '^>')
    [ "$lines" = 1 ] || echo "$number changes $lines lines of $file"
    cp "$work/kept/$file" "$work/tree/$file"
done > "$work/out" 2>&1
empty "$work/out" "each fault can be made and changes one line"
diff -r "$work/kept" "$work/tree" > "$work/out"
empty "$work/out" "and no other file"

# Two tests of the judge: one notices all faults except those of the driver; one reports faults that
# do not build as invalid.
# shellcheck disable=SC2016 # for the test to expand
judged() {
    MUTANT_TEST=$1 B=$work sh tests/tools/mutants.sh 1 10 > "$work/out" 2>&1
}
judged 'case $MUTANT_FILE in host-driver/*) exit 0 ;; esac; echo "not ok 1 - it sees"; exit 1'
[ $? = 1 ] && grep -q '^8 of 10 valid faults' "$work/out" && grep -q '^survived  mutant-1-2 host-driver/' "$work/out" &&
    grep -q '^caught    mutant-1-1 fw/.*: it sees' "$work/out"
verdict $? "what no test sees has survived, and is shown" "$work/out"
judged 'case $MUTANT_FILE in hw-model/*) echo "make: *** [x] Error 1"; exit 2 ;; esac; echo "not ok 1 - it sees"; exit 1'
[ $? = 0 ] && grep -q '^6 of 6 valid faults' "$work/out"
verdict $? "what does not build is no valid fault" "$work/out"
judged 'git diff --quiet 2> /dev/null; cmp -s $MUTANT_FILE "$OLDPWD/$MUTANT_FILE" && exit 0; echo "not ok 1 - it differs"; exit 1'
grep -q '^10 of 10 valid faults' "$work/out"
verdict $? "each fault is made before its test, and undone" "$work/out"
finish
