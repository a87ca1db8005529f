#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Instructions of the host for an 8-byte write by verbs, post and poll, above those of tern_put() and tern_cq_poll() in the
# same run, by callgrind.
. tests/verbs/verbs.sh
start_sim --torus 2x1x1
bar=650

timeout "$limit" "$tern" run -- valgrind --tool=callgrind --separate-threads=yes --callgrind-out-file="$dir/count" "$B/tests/verbs/cost" \
    > "$dir/parts" 2> "$dir/valgrind.log"
ended=$?

# The dumps are count.1, count.2 and so on, each with the name of its part.
for dump in "$dir"/count.*; do
    case $dump in
    *-01) ;; # the program's own thread
    *) continue ;;
    esac
    name=$(sed -n 's/^desc: Trigger: Client Request: //p' "$dump")
    total=$(sed -n 's/^totals: \([0-9]*\)/\1/p; s/^summary: \([0-9]*\)/\1/p' "$dump" | tail -1)
    echo "total $name ${total:-0}"
done > "$dir/totals"
awk '$1 == "total" { total[$2] = $3 } $1 == "part" { times[$2] = $3; empty[$2] = $4 }
     function one(name) {
         if (!times[name] || !times[name "_empty"]) exit 1
         return (total[name] - empty[name] * total[name "_empty"] / times[name "_empty"]) / times[name]
     }
     END { v = one("verbs"); t = one("libtern"); printf "%d %d %d\n", v, t, v - t }' \
    "$dir/totals" "$dir/parts" > "$dir/figures.log"
read -r verbs libtern above < "$dir/figures.log"
[ $ended = 0 ] && [ -n "${above:-}" ] && [ "$above" -le $bar ]
tap $? "post and poll of an 8-byte write take 650 instructions more than libtern, or less"
echo "# figures instructions=${verbs:-} libtern=${libtern:-} above=${above:-} bar=$bar"
done_testing
