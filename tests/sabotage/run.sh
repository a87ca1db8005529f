#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/sabotage/run.sh all|quick
#
# Breaks the tree on purpose, once for each row of sabotage.def, and expects
# the row's test to notice.  Prints TAP, one test a row.
#
# A patch or script is applied to a copy of the tree in $B/sabotage/NAME/.  It takes
# what is already built along, with its times, so that only what the patch
# touches is built again.  A fault is set in the environment of the program as
# it stands.
set -u

which=${1:?usage: run.sh all|quick}
B=${B:-build}
work=$B/sabotage
table=${SABOTAGE_TABLE:-tests/sabotage/sabotage.def}
limit_s=${TEST_LIMIT_S:-600}
CMOCKA_MESSAGE_OUTPUT=TAP
export CMOCKA_MESSAGE_OUTPUT
mkdir -p "$work"
number=0
bad=0

# The rows as "change<TAB>program<TAB>test", without those that are not wanted.
rows() {
    awk -v which="$which" '
        /^SABOTEUR\(/ {
            split($0, quoted, "\"")
            quick = quoted[7]
            gsub(/[^0-9]/, "", quick)
            if (which == "all" || quick == 1)
                print quoted[2] "\t" quoted[4] "\t" quoted[6]
        }' "$table"
}

verdict() {
    number=$((number + 1))
    if [ "$1" = ok ]; then
        echo "ok $number - $2"
    else
        bad=$((bad + 1))
        echo "not ok $number - $2"
        echo "# $3"
        [ ! -s "${4:-}" ] || tail -n 15 "$4" | sed 's/^/#   /'
    fi
}

# copy_tree FOLDER PROGRAM: the tree and what is built of it, times kept.
copy_tree() {
    rm -rf "$1"
    mkdir -p "$1"
    sh tests/tools/tracked.sh > "$work/files"
    tar -cf - -T "$work/files" | tar -xf - -C "$1" || return 1
    # a check of the text needs nothing that is built
    case $2 in tests/check/*) return 0 ;; esac
    [ -d "$B" ] || return 0
    mkdir -p "$1/build"
    tar -cf - -C "$B" --exclude=./sabotage --exclude='./cleanroom*' --exclude='./pnr*' --exclude=./test . |
        tar -xf - -C "$1/build"
}

# noticed LOG STATUS TEST: whether the test has failed.
noticed() {
    [ "$2" != 0 ] || return 1
    [ -n "$3" ] || return 0
    awk -v want="$3" '
        /^(not )?ok( |$)/ {
            name = $0
            sub(/^(not )?ok *[0-9]* *(- *)?/, "", name)
            sub(/ *#.*/, "", name)
            gsub(/ /, "_", name)
            if (name == want) result = $1
        }
        END { exit result == "ok" }' "$1"
}

run_program() {
    case $1 in
    */*) timeout -k 10 "$limit_s" "$1" ;;
    *) timeout -k 10 "$limit_s" "./$1" ;;
    esac
}

# apply_change CHANGE TREE: a patch, or a script that is run inside and must find
# what it wants to change.
apply_change() {
    case $1 in
    *.sh) script=$(pwd)/tests/sabotage/$1; (cd "$2" && sh -eu "$script") ;;
    *) patch -d "$2" -p1 -s -f < "tests/sabotage/$1" ;;
    esac
}

# A row whose change is made to a copy of the tree.
try_change() {
    name=${1%.*}
    tree=$work/$name
    log=$(pwd)/$work/$name.log
    copy_tree "$tree" "$2" || { verdict bad "$4" "the tree could not be copied"; return; }
    if ! apply_change "$1" "$tree" > "$log" 2>&1; then
        verdict bad "$4" "the change cannot be made any more" "$log"
        return
    fi
    # What a change leaves unused is a warning, and here no error.
    if ! (cd "$tree" && env -u MAKEFLAGS -u MAKELEVEL make VERILATOR_FATAL=-Wno-fatal WERROR= "$2") > "$log" 2>&1; then
        verdict bad "$4" "the broken tree does not build" "$log"
        return
    fi
    (cd "$tree" && B=build run_program "$2") > "$log" 2>&1 < /dev/null
    judge "$log" $? "$3" "$4" && rm -rf "$tree"
}

# A row whose change is a fault in the environment.
try_fault() {
    log=$(pwd)/$work/$(echo "$1" | tr -c 'A-Za-z0-9\n' _).log
    if ! env -u MAKEFLAGS -u MAKELEVEL make "$2" > "$log" 2>&1; then
        verdict bad "$4" "the program does not build" "$log"
        return
    fi
    (export "${1?}" && run_program "$2") > "$log" 2>&1 < /dev/null
    judge "$log" $? "$3" "$4"
}

judge() {
    if noticed "$1" "$2" "$3"; then
        verdict ok "$4"
    else
        verdict bad "$4" "nothing failed: the test does not see the change" "$1"
        return 1
    fi
}

tab=$(printf '\t')
rows > "$work/$which.rows"
echo "1..$(grep -c . "$work/$which.rows")"
while IFS="$tab" read -r change program test; do
    title="$change is noticed by ${test:-$program}"
    case $change in
    *=*) try_fault "$change" "$program" "$test" "$title" ;;
    *) try_change "$change" "$program" "$test" "$title" ;;
    esac
done < "$work/$which.rows"
echo "# $((number - bad)) noticed, $bad not"
[ $bad = 0 ]
