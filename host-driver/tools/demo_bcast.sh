#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: demo_bcast.sh FILE
#
# Broadcasts FILE from one host's memory into that of the seven others of a torus 2x2x2, each a
# process of its own, verifies all copies, and prints the cost. TIER=soft or rtl.
#
# Exit status 0 only if every receiver has the file.
set -u
. "$(dirname "$0")/demo_lib.sh"
file=$1
tier=${TIER:-rtl}
others='1.0.0 0.1.0 1.1.0 0.0.1 1.0.1 0.1.1 1.1.1'

[ -f "$file" ] && [ -r "$file" ] || fail "cannot read the file '$file'"
size=$(wc -c < "$file")
buffer=$((size > 0 ? size : 1))

say "starting a torus 2x2x2 of 8 NICs, tier $tier"
start_sim 2x2x2 "$tier"

say "broadcasting $file ($size bytes) from node 0.0.0 to the seven others"
for node in $others; do
    "$bin/tern" recv-file "sim:$node" --from 0.0.0 --group --buffer "$buffer" --out "$dir/received-$node" \
        --timeout "$timeout_s" > "$dir/receiver-$node.log" 2>&1 &
    processes="$processes $!"
    eval "receiver_$(echo "$node" | tr -d .)=$!"
done
"$bin/tern" bcast sim:0 "$file" --to 0.0.0-1.1.1 --report "$dir/transfer" --timeout "$timeout_s" &
sender=$!
processes="$processes $sender"
wait $sender
sender_status=$?
failed=0
for node in $others; do
    eval "wait \$receiver_$(echo "$node" | tr -d .)"
    ended "receiver at $node" $? || { sed "s/^/receiver $node: /" "$dir/receiver-$node.log" >&2; failed=1; }
done
processes=$sim
ended sender $sender_status && [ $failed = 0 ] || { sim_gone; fail "the file was not delivered everywhere"; }
for node in $others; do
    cmp -s "$file" "$dir/received-$node" || fail "what the receiver at $node saved differs from the file"
done
say "verified: the copies of all seven receivers are the file"

"$bin/tern" stat sim:0 > "$dir/stat" || fail "no figures"
stop_sim
figure() { sed -n "s/^$1=//p" "$dir/transfer"; }
shown "Shown: one process wrote $size bytes into the memory of seven others at once. Its NIC sent each byte once;" \
    "the NICs on the way made the copies."
[ "$tier" = rtl ] || printf '  %-36s %12s\n' receivers "$(figure receivers)" bytes "$(figure bytes)"
cycles bcast "$file"
printf '  %-36s %12s\n' 'broadcast descriptors' "$(awk '$1 == "fw_bcasts" { print $2 }' "$dir/stat")"
[ "$tier" != rtl ] || legend 'cycles  from the first doorbell to the completion that all seven have the last byte'
