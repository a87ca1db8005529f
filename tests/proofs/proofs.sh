#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: proofs.sh                 as TAP the harnesses whose code has changed, and one at least; with CHECK_ALL=1
#                                  every one.  A skip where there is no cbmc
#        proofs.sh HARNESS...      these, with their mutants
#        proofs.sh -c              makes sure that there is a cbmc
#        proofs.sh -j HARNESS...   adds up what is in build/proofs/HARNESS.tap: PASS or FAIL
#
# Proves the assertions of the harnesses in proofs.def about C code by bounded model checking (cbmc
# 6). A harness marks places that must be reachable (REACHED in proof.h); it also fails when one is
# not. A mutant is a change of mutants.def in a copy of the tree, for which the proof must fail.
#
# Uses the installed cbmc, or one in a small Debian 13 in the folder PROOFS_ROOT (build/cbmc), which
# is made once; making and using it need root. CBMC names another program. Run from the root of the
# tree.
set -u
. tests/check/tap.sh
. tests/tools/debian.sh
. tests/tools/since.sh

here=tests/proofs
B=${B:-build}
out=$B/proofs
cbmc=${CBMC:-cbmc}
root=${PROOFS_ROOT:-$B/cbmc}
limit_s=300
mkdir -p "$out"
case $root in /*) ;; *) root=$(pwd)/$root ;; esac
case $out in /*) ;; *) out=$(pwd)/$out ;; esac

is_here() {
    command -v "$cbmc" > /dev/null 2>&1
}

tool() {
    is_here || sh tests/tools/trixie.sh proofs cbmc "$root" cbmc libc6-dev
}

# Runs cbmc in build/proofs, with a limit in seconds of processor time.
run_cbmc() {
    if is_here; then
        (cd "$out" && ulimit -t $limit_s && exec "$cbmc" "$@")
    else
        (ulimit -t $limit_s && debian_work "$root" "$out" cbmc "$@")
    fi
}

# row HARNESS: reads its line of proofs.def into variables.
row() {
    line=$(grep "^$1 *|" $here/proofs.def) || {
        echo "proofs.sh: no harness named $1" >&2
        exit 2
    }
    IFS='|' read -r name floor unwind sources flags <<LINE
$line
LINE
    name=${name%% *}
}

# includes FLOOR...: prints the include flags of these floors.
includes() {
    echo -Ihw-model/abi
    for each in "$@"; do
        case $each in
        fw) echo -Ifw/hal/native -Ifw/proto -Ifw/drv -Ifw/loop -Ifw/control -Ifw/handshake -Ifw/op -Ifw/state ;;
        driver) echo -Ihost-driver/include -Ihost-driver/transport -Ihost-driver/core -Ihost-driver/core/device -Ihost-driver/core/queue -Ihost-driver/core/op -Ihost-driver/tools ;;
        sim) echo -Ihw-model/model -Isim -Isim/host -Isim/debug -Isim/net ;;
        esac
    done
}

# preprocess TREE NAME [FLAG]: preprocesses the row's sources in TREE to build/proofs/NAME/*.i.
preprocess() {
    rm -rf "${out:?}/$2"
    mkdir -p "$out/$2"
    for source in $here/proof_$name.c $sources; do
        # shellcheck disable=SC2046,SC2086 # words
        (cd "$1" && gcc -E -std=c11 -D_GNU_SOURCE ${3:-} -I$here $(includes $floor) "$source" \
            -o "$out/$2/$(basename "$source" .c).i") >> "$out/$2.log" 2>&1 || return 2
    done
}

# solve NAME FLAG...: 0: nothing failed; 10: something did; otherwise cbmc did not finish.
solve() {
    files=$(cd "$out" && echo "$1"/*.i) log=$out/$1.log
    shift
    # shellcheck disable=SC2086 # words
    run_cbmc $files --function proof --unwind $unwind --unwinding-assertions --bounds-check \
        --pointer-check --signed-overflow-check --undefined-shift-check --div-by-zero-check \
        --no-malloc-may-fail --verbosity 4 $flags "$@" >> "$log" 2>&1
}

# Checks that only the assertions of the reachable marks fail, and that all of them do.
holds() {
    awk '/^\[.*\] .*: (SUCCESS|FAILURE|UNKNOWN|ERROR)$/ {
             mark = /\] line [0-9]+ reached: /
             marks += mark
             all++
             if (mark == ($NF == "FAILURE") && (mark || $NF == "SUCCESS")) next
             wrong++
             if (/FAILURE/ && shown++ < 10 || wrong == 1) print
         }
         END { exit !(all > marks && marks > 0 && wrong == 0) }' "$1" > "$1.wrong"
}

prove() {
    : > "$out/$name.log"
    preprocess . "$name" && solve "$name" > /dev/null
    case $? in
    0 | 10) holds "$out/$name.log" || return 1 ;;
    *) tail -n 5 "$out/$name.log" > "$out/$name.log.wrong"; return 1 ;;
    esac
}

# mutant NAME FILE OLD NEW: checks that an assertion fails, not a loop bound.
mutant() {
    tree=$out/$1.tree
    : > "$out/$1.by"
    rm -rf "$tree"
    mkdir -p "$tree"
    find fw host-driver sim hw-model/abi hw-model/model $here -name '*.[ch]' -o -name '*.def' |
        xargs tar -cf - | tar -xf - -C "$tree"
    printf '%s\n%s\n' "$3" "$4" | sh tests/sabotage/change.sh "$tree/$2" > "$out/$1.log" 2>&1 || {
        echo "there is no place for this change: $3" > "$out/$1.log.wrong"
        return 1
    }
    preprocess "$tree" "$1" -DNO_MARKS && solve "$1" --stop-on-fail
    status=$?
    rm -rf "$tree"
    grep -A 2 '^Violated property:' "$out/$1.log" | tail -n 1 | sed 's/^ */# by: /' > "$out/$1.by"
    tail -n 5 "$out/$1.log" > "$out/$1.log.wrong"
    [ $status = 10 ] && ! grep -q 'unwinding assertion' "$out/$1.by"
}

mutants() {
    grep -v '^#\|^$' $here/mutants.def > "$out/$name.mutants"
    while read -r harness change file && IFS= read -r old && IFS= read -r new; do
        [ "$harness" = "$name" ] || continue
        mutant "$name-$change" "$file" "$old" "$new" < /dev/null
        verdict $? "proof of $name refuses $change" "$out/$name-$change.log.wrong"
        cat "$out/$name-$change.by"
        mutated=$((mutated + 1))
    done < "$out/$name.mutants"
}

prove_one() {
    row "$1"
    prove
    verdict $? "proof of $name holds" "$out/$name.log.wrong"
}

prove_with_mutants() {
    mutated=0
    prove_one "$1"
    mutants
    [ $mutated -gt 0 ]
    verdict $? "proof of $name has a mutant"
}

all() {
    sed -n 's/^\([a-z_]*\) *|.*/\1/p' $here/proofs.def
}

# code HARNESS: prints the files that its proof covers.
code() {
    row "$1"
    # shellcheck disable=SC2046,SC2086 # words
    gcc -MM -std=c11 -D_GNU_SOURCE -I$here $(includes $floor) $here/proof_$name.c $sources | tr ' ' '\n' |
        grep '[.][ch]$\|[.]def$'
}

# wanted: prints the harnesses whose code has changed; if none has, the one whose turn it is.
wanted() {
    since_read "$out/changed"
    chosen=
    for each in $(all); do
        # shellcheck disable=SC2046 # words
        ! since_wanted "$each" tests/proofs/proofs.sh tests/proofs/proofs.def $(code "$each") || chosen="$chosen $each"
    done
    [ -n "$chosen" ] ||
        chosen=$(all | awk -v n="$(printf %s "$since_commit" | cksum | cut -d ' ' -f 1)" '
            { name[NR] = $0 } END { print name[n % NR + 1] }')
    echo "$chosen"
}

add_up() {
    for harness in "$@"; do cat "$out/$harness.tap"; done > "$out/all.tap"
    ok=$(grep -c '^ok' "$out/all.tap") bad=$(grep -c '^not ok' "$out/all.tap")
    echo "proofs: $# harnesses, $ok hold, $bad do not"
    [ "$bad" = 0 ] && [ "$ok" -ge $((2 * $#)) ] && echo "proofs: PASS" && exit
    echo "proofs: FAIL"
    exit 1
}

action=prove_with_mutants
case ${1:-} in
-c) tool; exit ;;
-j) shift; add_up "$@" ;;
'')
    if ! tool > "$out/tool.log" 2>&1; then
        echo "ok 1 - proofs # SKIP $(tr -s '\n ' ' ' < "$out/tool.log")"
        echo "1..1"
        exit
    fi
    action=prove_one
    # shellcheck disable=SC2046 # a word each
    set -- $(wanted)
    echo "# of $(all | grep -c .) harnesses these: $*"
    ;;
*) tool || exit 1 ;;
esac
for one in "$@"; do $action "$one"; done
finish
