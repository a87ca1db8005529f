#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The power fails while openFPGALoader writes an update: the simulated board, whole with its pins,
# comes up from the flash as it was left then, runs the first image, and says so.
set -u

B=${B:-build}
board=colorlight-i9 kind=eth size=2097152
. tests/system/board/lib.sh
. "$B/boards/$board.params"

# Bytes that are erased or programmed before the power fails: the old image is erased first.
places="4096 20480 60000"

if ! command -v openFPGALoader > /dev/null 2>&1; then
    for place in $places; do
        tap 0 "a board whose update was cut after $place bytes runs the first image and says so # SKIP no openFPGALoader"
    done
    tap 0 "a board with the whole update runs it # SKIP no openFPGALoader"
    tap_end
fi

# write OPTION...: the update with the model's options.
write() {
    rm -f "$dir/tap.log"
    "$B/bin/tern-tap" --device "$DEVICE" --flash-size "$size" --flash "$dir/flash" "$@" \
        > "$dir/tap.log" 2>&1 &
    tap_pid=$!
    await "$dir/tap.log" "$tap_pid"
    port=$(sed -n 's/^ready.* port //p' "$dir/tap.log")
    OPENFPGALOADER="openFPGALoader -c xvc-client --ip 127.0.0.1 --port $port" \
        sh hw-model/boards/flash.sh firmware "$board" "$image" > "$dir/write.out" 2>&1
    result=$?
    tr '\r' '\n' < "$dir/write.out" | grep -v '%$' > "$dir/write.log"
    stop "$tap_pid"
    return $result
}

boots() {
    run_board --flash "$dir/flash"
    run_bridge
    result=$?
    stop_all
    return $result
}

warning='the flash has no whole second image of the firmware, the first one runs'
"$B/tests/board/make_bits" "$DEVICE" "$board" 1 > "$dir/bits"
at=$(LC_ALL=C grep -aboP '\xff\xff\xff\xbd\xb3' "$dir/bits" | head -n 1)
head -c "$size" /dev/zero | tr '\0' '\377' > "$dir/old"
for part in "$image:$FIRST" "$image:$SECOND"; do
    dd if="${part%:*}" of="$dir/old" bs=4096 seek=$((${part##*:} / 4096)) conv=notrunc \
        2> "$dir/dd.log"
done
tail -c +$((${at%%:*} + 1)) "$dir/bits" | dd of="$dir/old" conv=notrunc 2> "$dir/dd.log"

for place in $places; do
    cp "$dir/old" "$dir/flash"
    ! write --power-cut "$place" && grep -q 'The second image is not whole' "$dir/write.log" &&
        boots && grep -q "$warning" "$dir/bridge.log"
    tap $? "a board whose update was cut after $place bytes runs the first image and says so"
done
write && boots && ! grep -q "$warning" "$dir/bridge.log"
tap $? "a board with the whole update runs it"
tap_end
