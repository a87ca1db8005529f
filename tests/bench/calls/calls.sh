#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: calls.sh [COUNT...]
#
# Measures calls: the instructions of the host by callgrind, from C and from Python, beside NICs
# of the soft tier; and the cycles from the doorbell to the first beat of the first packet on rtl.
# Prints a figure for each, a table, and after how many calls the cache or a prepared call pays.
#
# The cycles are measured from C.  A call from Python posts the same descriptors, which check_hits
# compares in its tests, so its cycles are the same.
set -u
. tests/system/demo/nics.sh
[ $# -gt 0 ] || set -- 1 2 4 8 16 64
tier=soft
python=/usr/bin/python3
[ -x $python ] || python=python3
PYTHONPATH=$(pwd)/$B/python
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

# count FUNCTIONS COMMAND...: runs it under callgrind; appends its parts to parts.
count() {
    functions=$1
    shift
    rm -f "$dir"/count.*
    # shellcheck disable=SC2046,SC2086 # the options are words
    valgrind --tool=callgrind --callgrind-out-file="$dir/count" --collect-atstart=no $(printf -- '--toggle-collect=%s ' $functions) \
        "$@" > "$dir/said" 2> "$dir/valgrind.log" || { cat "$dir/said" "$dir/valgrind.log"; exit 1; }
    for dump in "$dir"/count.*; do
        name=$(sed -n 's/^desc: Trigger: Client Request: //p' "$dump")
        total=$(sed -n 's/^totals: \([0-9]*\)/\1/p; s/^summary: \([0-9]*\)/\1/p' "$dump" | tail -1)
        echo "total $name ${total:-0}"
    done | cat - "$dir/said" >> "$dir/parts"
}

start_sim --torus 2x1x1
: > "$dir/parts"
count 'tern_call tern_call_prepare tern_call_set tern_call_execute' "$B/tests/bench/calls_cost" sim:0 sim:1 "$@"
if [ -f "$B/python/tern.so" ]; then
    count 'calls_call calls_prepare prepared_set prepared_execute' $python tests/bench/calls/cost.py \
        "$B/tests/bench/calls_mark.so" sim:0 sim:1 "$@"
fi
"$B/tests/bench/calls_first_beat" "$@" >> "$dir/parts" || exit 1

awk '
    $1 == "total" { total[$2, $3, $4] = $5 }
    $1 == "part" { times[$2, $3, $4] = $5; if ($2 == "c" && $3 == "build") counts[++n] = $4; language[$2] = 1 }
    $1 == "beat" { beat[$2, $3] = $4 }
    function one(l, part, k) { return total[l, part, k] / times[l, part, k] }
    # The calls after which `first` for one and `then` for each other cost less than `build` each.
    function pays(first, then, build) {
        if (then >= build) return "never"
        if (first <= build) return 1
        return 1 + int((first - build) / (build - then)) + 1
    }
    END {
        forms = split("build miss hit execute hole prepare", form, " ")
        for (l in language) for (i = 1; i <= n; i++) {
            k = counts[i]
            for (f = 1; f <= forms; f++)
                printf "bench call_%s_%s %.0f instructions requests=%d\n", l, form[f], one(l, form[f], k), k
            printf "bench call_%s_hit_over_build_%d %.3f ratio requests=%d\n", l, k, one(l, "hit", k) / one(l, "build", k), k
            printf "bench call_%s_execute_over_build_%d %.3f ratio requests=%d\n", l, k, one(l, "execute", k) / one(l, "build", k), k
        }
        for (i = 1; i <= n; i++)
            for (f = 1; f <= forms; f++) if ((form[f], counts[i]) in beat)
                printf "bench call_first_beat_%s %d cycles requests=%d\n", form[f], beat[form[f], counts[i]], counts[i]
        printf "# %-7s %8s | %-44s | %-30s | %-17s | %s\n", "", "", "instructions of the host", "over build", "pays after calls", "doorbell to first beat, cycles"
        printf "# %-7s %8s | %6s %6s %6s %7s %7s %7s | %6s %7s %7s %7s | %8s %8s | %6s %6s %7s %6s\n", "from", "requests", "build", "miss", "hit", "execute", "hole", "prepare", "hit", "execute", "hole", "miss", "cache", "prepared", "build", "hit", "execute", "hole"
        for (j = 1; j <= 2; j++) {
            l = j == 1 ? "c" : "python"
            if (!(l in language)) continue
            for (i = 1; i <= n; i++) {
                k = counts[i]; b = one(l, "build", k)
                printf "# %-7s %8d | %6.0f %6.0f %6.0f %7.0f %7.0f %7.0f | %6.2f %7.2f %7.2f %7.2f | %8s %8s | %6d %6d %7d %6d\n", l, k, b, one(l, "miss", k), one(l, "hit", k), one(l, "execute", k), one(l, "hole", k), one(l, "prepare", k), one(l, "hit", k) / b, one(l, "execute", k) / b, one(l, "hole", k) / b, one(l, "miss", k) / b, pays(one(l, "miss", k), one(l, "hit", k), b), pays(one(l, "prepare", k) + one(l, "execute", k), one(l, "execute", k), b), beat["build", k], beat["hit", k], beat["execute", k], beat["hole", k]
            }
        }
    }' "$dir/parts"
