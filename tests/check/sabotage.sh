#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Tests the judge of saboteurs: rows of small tables, each with a program of this test.
set -u
. tests/check/lib.sh
# A judge that runs this test as a row's program has them set for itself.
unset SINCE DRAW MOST ROWS SLICE
: > "$work/none"

# program NAME TEXT: writes a program of the commands TEXT, which needs no build.
program() {
    printf '#!/bin/sh\n%s\n' "$2" > "$work/$1"
    chmod +x "$work/$1"
}

# run NAME TEST [LIMIT]: writes the verdict on one row with a program to $work/out.
run() {
    printf 'SABOTEUR(, "FAULT=1", "%s", "%s", 1)\n' "$work/$1" "$2" > "$work/rows.def"
    B=$work TEST_LIMIT_S=${3:-60} SABOTAGE_TABLE=$work/rows.def sh tests/sabotage/run.sh all > "$work/out" 2>&1
}

# fails NAME TEST WHY TITLE [LIMIT]: checks that the row fails with that reason.
fails() {
    run "$1" "$2" "${5:-60}"
    [ $? = 1 ] && grep -q '^not ok 1 - ' "$work/out" && grep -qF -e "$3" "$work/out"
    verdict $? "sabotage $4" "$work/out"
}

# shellcheck disable=SC2016 # for the program to expand
program sees '[ "${FAULT:-}" = 1 ] && { echo not ok 1 - the wanted test; exit 1; }; echo ok 1 - the wanted test'
run sees the_wanted_test && grep -q '^ok 1 - FAULT=1 is noticed by the_wanted_test' "$work/out"
verdict $? "sabotage takes a test that says not ok" "$work/out"

program blind 'echo ok 1 - the wanted test; echo not ok 2 - another; exit 1'
fails blind the_wanted_test 'does not see the change' "does not take a failure of another test"
fails sees a_test_that_is_nowhere 'did not run' "does not take a test that does not exist"
program crash 'echo ok 1 - an earlier one; kill -SEGV $$'
fails crash the_wanted_test 'did not run' "does not take a crash before the test"
program silent 'exit 1'
fails silent the_wanted_test 'did not run' "does not take an exit status"
program skips 'echo "not ok 1 # SKIP the wanted test"; echo "not ok 2 - the wanted test # SKIP"; exit 1'
fails skips the_wanted_test 'did not run' "does not take a skip"
program slow 'echo not ok 1 - the wanted test; exec sleep 60'
fails slow the_wanted_test 'time limit' "does not take a program that ran into the time limit" 1
program killed 'echo not ok 1 - the wanted test; exit 137'
fails killed the_wanted_test 'time limit' "does not take a program that was killed"
program two 'echo not ok 1 - one; echo not ok 2 - two; echo ok 3 - three; exit 1'
run two 'one two'
verdict $? "sabotage takes a row whose tests all say not ok" "$work/out"
fails two 'one three' 'three is ok all the same' "wants each of a row's tests to say not ok"
fails sees '' 'the row names no test' "does not take a row without a test"

# --- selection of rows --------------------------------------------------------
for i in 1 2 3 4 5 6 7; do
    printf 'SABOTEUR(, "FAULT=%d", "%s", "the_wanted_test", 1)\n' $i "$work/sees"
done > "$work/rows.def"
# chosen NAME=VALUE WANTED: checks the numbers of the rows that run
chosen() {
    env "$1" B="$work" SABOTAGE_TABLE="$work/rows.def" sh tests/sabotage/run.sh all > "$work/out" 2>&1
    got=$(sed -n 's/^.*ok [0-9]* - FAULT=\([0-9]*\) .*/\1/p' "$work/out" | tr -d '\n')
    echo "rows $got, not $2" >> "$work/out"
    [ "$got" = "$2" ]
}
chosen SLICE=3/3 36 && chosen SLICE=1/3 147 && chosen SLICE=2/3 25
verdict $? "sabotage runs each row in one of its slices" "$work/out"
chosen MOST=2 47
verdict $? "sabotage runs no more rows than are wanted" "$work/out"
chosen 'ROWS=FAULT=[24]' 24
verdict $? "sabotage runs rows by name" "$work/out"
for slice in 0/3 4/3 3 a/b 1/2/3; do
    SLICE=$slice B=$work SABOTAGE_TABLE=$work/rows.def sh tests/sabotage/run.sh all > "$work/out" 2>&1
    [ $? = 2 ] || echo "SLICE=$slice was taken"
done > "$work/taken"
empty "$work/taken" "sabotage refuses a slice that is none"

# --- rows selected by the files of a commit -----------------------------------
git=$work/git
mkdir -p "$git/tests/tools" "$git/fw/op"
cp -r tests/sabotage "$git/tests"
cp tests/tools/tracked.sh tests/tools/since.sh "$git/tests/tools"
printf 'put\n' > "$git/fw/op/put.c"
printf 'get\n' > "$git/fw/op/get.c"
printf 'change one\nfile   fw/put.c\nold    put\nnew    pot\n\nchange two\nfile   fw/op/get.c\nold    get\nnew    got\n' \
    > "$git/tests/sabotage/changes.def"
printf 'SABOTEUR(, "one", "%s", "t", 0)\nSABOTEUR(, "two", "%s", "t", 0)\n' "$work/blind" "$work/blind" \
    > "$git/tests/sabotage/sabotage.def"
commit() {
    git -C "$git" add -A &&
        git -C "$git" -c user.name=t -c user.email=t@t commit -q -m "$1"
}
# touched WANTED: checks the changes of the rows that HEAD~1 selects
touched() {
    (cd "$git" && SINCE=HEAD~1 B=$work/b sh tests/sabotage/run.sh all > "$work/out" 2>&1)
    got=$(sed -n 's/^.*ok [0-9]* - \([a-z]*\) is noticed.*/\1/p' "$work/out" | tr '\n' ' ')
    echo "rows $got, not $1" >> "$work/out"
    [ "$got" = "$1" ]
}
git -C "$git" init -q && commit first
echo more >> "$git/fw/op/put.c" && commit second && touched "one "
verdict $? "sabotage runs the rows of a file that was touched, and no others" "$work/out"
printf 'SABOTEUR(, "two", "%s", "t2", 0)\n' "$work/blind" >> "$git/tests/sabotage/sabotage.def" &&
    commit third && touched "two "
verdict $? "sabotage runs the rows that are new" "$work/out"
echo "exit 1" > "$git/blind.c" && commit fourth && touched "one two two "
verdict $? "sabotage runs the rows of a program that changed" "$work/out"
echo more > "$git/readme" && commit fifth && touched "" &&
    (cd "$git" && DRAW=1000000 SINCE=HEAD~1 B=$work/b sh tests/sabotage/run.sh all) > "$work/out" 2>&1
grep -q '^1\.\.1$' "$work/out"
verdict $? "sabotage that draws runs one row at least" "$work/out"
(cd "$git" && DRAW=1 SINCE=HEAD~1 B=$work/b sh tests/sabotage/run.sh all) > "$work/out" 2>&1
grep -q '^1\.\.3$' "$work/out"
verdict $? "sabotage runs the rows that the commit draws" "$work/out"

# ---- changes ----------------------------------------------------------------
# apply NAME: makes a change in a tree that has one file
tree=$work/tree
cat > "$work/changes.def" <<'DEF'
# comment
change moved
why    It moved.
file   fw/op/put.c
old      two  words
new    one & \1 "word"

change absent
file   fw/op/put.c
old    not there
new    x

change nowhere
file   fw/op/take.c
old    a
new    b

change twice
file   fw/handshake/get.c
old    a
new    b

change both
file   fw/op/put.c
old    a
new    A
old    z
new    Z
DEF
fresh() {
    rm -rf "$tree"
    mkdir -p "$tree/fw/op" "$tree/fw/state"
    printf 'a   two  words z\na z\n' > "$tree/fw/op/put.c"
    echo a > "$tree/fw/op/get.c"
    echo a > "$tree/fw/state/get.c"
}
apply() {
    fresh
    SABOTAGE_CHANGES=$work/changes.def sh tests/sabotage/apply.sh "$1" "$tree" > "$work/out" 2>&1
}
apply moved && printf 'a one & \\1 "word" z\na z\n' | cmp -s - "$tree/fw/op/put.c"
verdict $? "a change finds a file that moved, and puts its text there as it is" "$work/out"
apply both && printf 'A   two  words Z\na z\n' | cmp -s - "$tree/fw/op/put.c"
verdict $? "a change has as many places as it names" "$work/out"
for name in absent nowhere twice no-such-change; do
    apply $name && echo "$name was made"
done > "$work/made"
empty "$work/made" "a change without a place, a file or an entry fails"
finish
