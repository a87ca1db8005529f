#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/sabotage/run.sh all|quick
#
# Breaks the tree, once for each row of sabotage.def, and checks that the row's test notices. Prints
# TAP, one test per row. The test must print `not ok`: a crash before that, a missing test, or a
# program that reaches the time limit does not count.
#
#   SLICE=3/20          of 20 parts of the rows, the third (row 3, 23, 43 ...)
#   SINCE=COMMIT        rows that are new since then, and rows that change a file
#                       which changed since then, or whose program did
#   DRAW=N              beside those of SINCE one in N of the others, drawn by the commit, one row at least
#   MOST=N              at most N of these, evenly taken
#   ROWS=PATTERN        rows with that in them (an extended regular expression)
#
# Each change is made to one copy of the tree in $B/sabotage/tree/, and undone. The copy includes
# existing build products, with their times, so that only what the change touches is rebuilt. A
# fault is set in the environment of the unchanged program. The program's output is in
# $B/sabotage/CHANGE.log, its failures in CHANGE.log.failed.
set -u

which=${1:?usage: run.sh all|quick}
B=${B:-build}
case $B in
/*) work=$B/sabotage ;;
*) work=$(pwd)/$B/sabotage ;;
esac
table=${SABOTAGE_TABLE:-tests/sabotage/sabotage.def}
limit_s=${TEST_LIMIT_S:-600}
slice=${SLICE:-1/1}
CMOCKA_MESSAGE_OUTPUT=TAP
export CMOCKA_MESSAGE_OUTPUT
case $slice in
*[!0-9/]* | */*/* | /* | */ | 0*) slice= ;;
*/*) [ "${slice%/*}" -le "${slice#*/}" ] || slice= ;;
*) slice= ;;
esac
[ -n "$slice" ] || { echo "run.sh: SLICE is PART/PARTS, as 3/20" >&2; exit 2; }
mkdir -p "$work"
. tests/tools/since.sh
number=0
bad=0

# Prints the selected rows as "change<TAB>program<TAB>test".
rows() {
    awk -v which="$which" '
        /^SABOTEUR\(/ {
            split($0, quoted, "\"")
            quick = quoted[7]
            gsub(/[^0-9]/, "", quick)
            if (which == "all" || quick == 1)
                print quoted[2] "\t" quoted[4] "\t" quoted[6]
        }' "$table" | since | grep -E -e "${ROWS:-.}" | slice | most
}

slice() {
    awk -v part="${slice%/*}" -v parts="${slice#*/}" 'NR % parts == part % parts'
}

most() {
    cat > "$work/wanted"
    awk -v most="${MOST:-0}" -v all="$(grep -c . "$work/wanted")" '
        !most || all <= most || int(NR * most / all) > int((NR - 1) * most / all)' "$work/wanted"
}

# Compares files by name: a row that names a file's old place means the file at its new place.
since() {
    if [ -z "${SINCE:-}" ]; then
        cat
        return
    fi
    git diff --name-only "$SINCE" -- > "$work/touched"
    git show "$SINCE:$table" > "$work/table.then" 2> /dev/null
    since_commit=$(git rev-parse HEAD)
    cat > "$work/asked"
    chosen "$work/asked" > "$work/chosen"
    # an empty selection is no test
    if [ ! -s "$work/chosen" ] && [ -n "${DRAW:-}" ]; then
        turn=$(printf %s "$since_commit" | cksum | cut -d ' ' -f 1)
        awk -v turn="$turn" '{ row[NR] = $0 } END { print row[turn % NR + 1] }' "$work/asked"
    fi
    cat "$work/chosen"
}

# chosen ROWS: prints those that SINCE and DRAW select.
chosen() {
    while IFS= read -r row; do
        change=${row%%"$tab"*}
        quoted=$(echo "$row" | sed "s/$tab/\", \"/g")
        if ! grep -qF -e "\"$quoted\"" "$work/table.then" || { [ -n "${DRAW:-}" ] && since_drawn "$row"; }; then
            echo "$row"
            continue
        fi
        case $change in *=*) continue ;; esac
        {
            sh tests/sabotage/apply.sh -f "$change" | sed 's|.*/||'
            # after a change of the program, it must prove again that it notices
            program=$(echo "$row" | cut -f 2 | sed 's|.*/||; s/\.sh$//; s/_[0-9]*$//; s/^soft_//')
            printf '%s\n' "$program.sh" "$program.c" "${program}_tb.sv"
        } > "$work/changes"
        sed 's|.*/||' "$work/touched" | grep -qxF -f "$work/changes" && echo "$row"
    done < "$1"
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

# copy_tree: makes a copy of the tree and its build products in $tree, keeping times. The commands
# of products that Verilator makes rebuild its folders.
copy_tree() {
    rm -rf "$tree"
    mkdir -p "$tree/build"
    sh tests/tools/tracked.sh > "$work/files"
    tar -cf - -T "$work/files" | tar -xf - -C "$tree" || return 1
    [ ! -d "$B" ] || tar -cf - -C "$B" --exclude=./sabotage --exclude='./cleanroom*' --exclude='./pnr*' \
        --exclude='./cbmc*' --exclude=./san --exclude='./mutants*' --exclude=./test \
        --exclude='./verilated/*' --exclude=./ccache . | tar -xf - -C "$tree/build"
}

# put_back: undoes the last change, and removes its build products, which are newer than
# $work/before.
put_back() {
    (cd "$tree" && find . -type f -newer "$work/before") | while IFS= read -r file; do
        case $file in
        ./build/*) from=$B/${file#./build/} ;;
        *) from=$file ;;
        esac
        if [ -f "$from" ]; then cp -p "$from" "$tree/$file"; else rm -f "$tree/$file"; fi
    done
    while IFS= read -r file; do
        [ -f "$tree/$file" ] || cp -p "$file" "$tree/$file"
    done < "$work/files"
}

# noticed LOG STATUS TESTS: tells whether each of the tests has failed; otherwise sets $why.
# LOG.failed gets all failures.
noticed() {
    awk '
        /^(not )?ok( |$)/ {
            if (toupper($0) ~ /# *SKIP/) next
            name = $0
            sub(/^(not )?ok *[0-9]* *(- *)?/, "", name)
            sub(/ *#.*/, "", name)
            gsub(/ /, "_", name)
            if (!(name in result)) order[++n] = name
            if (result[name] != "not") result[name] = $1
        }
        END { for (i = 1; i <= n; i++) print result[order[i]], order[i] }' "$1" > "$1.failed"
    if [ "$2" = 124 ] || [ "$2" = 137 ]; then
        why="the program ran into the time limit (exit status $2)"
        return 1
    fi
    for wanted in $3; do
        result=$(awk -v want="$wanted" '$2 == want { print $1 }' "$1.failed")
        case $result in
        not) continue ;;
        ok) why="$wanted is ok all the same: it does not see the change (exit status $2)" ;;
        *) why="$wanted did not run (exit status $2)" ;;
        esac
        return 1
    done
    return 0
}

run_program() {
    case $1 in
    */*) timeout -k 10 "$limit_s" "$1" ;;
    *) timeout -k 10 "$limit_s" "./$1" ;;
    esac
}

# Tries a row with a change of the tree.
try_change() {
    log=$work/${1%.*}.log
    touch "$work/before"
    # later files are newer, whatever the resolution of the file system's times
    while [ ! "$work/after" -nt "$work/before" ]; do touch "$work/after"; done
    if ! sh tests/sabotage/apply.sh "$1" "$tree" > "$log" 2>&1; then
        verdict bad "$4" "the change cannot be made any more" "$log"
    # A change may leave something unused, so warnings are not errors here.
    elif ! (cd "$tree" && env -u MAKEFLAGS -u MAKELEVEL make VERILATOR_FATAL=-Wno-fatal WERROR= "$2") > "$log" 2>&1; then
        verdict bad "$4" "the broken tree does not build" "$log"
    else
        (cd "$tree" && B=build run_program "$2") > "$log" 2>&1 < /dev/null
        judge "$log" $? "$3" "$4"
    fi
    put_back
}

# Tries a row with a fault in the environment.
try_fault() {
    log=$work/$(echo "$1" | tr -c 'A-Za-z0-9\n' _).log
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
        verdict bad "$4" "$why" "$1"
    fi
}

tab=$(printf '\t')
rows > "$work/$which.rows"
echo "1..$(grep -c . "$work/$which.rows")"
tree=$work/tree
if cut -f 1 "$work/$which.rows" | grep -qv =; then
    copy_tree || { echo "Bail out! the tree could not be copied"; exit 1; }
fi
while IFS="$tab" read -r change program test; do
    title="$change is noticed by $test"
    if [ -z "$test" ]; then
        verdict bad "$change is noticed by a test of $program" "the row names no test"
        continue
    fi
    case $change in
    *=*) try_fault "$change" "$program" "$test" "$title" ;;
    *) try_change "$change" "$program" "$test" "$title" ;;
    esac
done < "$work/$which.rows"
echo "# $((number - bad)) noticed, $bad not"
[ $bad = 0 ]
