#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Writes a model of a board by openFPGALoader, as `make load`, `make flash` and `make flash-firmware`
# write a board: all arrives bit for bit; wrong bitstreams and devices are refused; a cable is
# pulled; the power fails at each 4 KiB of an update. BOARD names the board.
#
# The bitstream is that of `make bitstream` if there is one, otherwise one of its format and size.
set -u

B=${B:-build}
board=${BOARD:-colorlight-i9}
kind=
. tests/system/board/lib.sh
. "$B/boards/$board.params"
case $board in
ulx3s) size=16777216 other=colorlight-i9 other_device=45 ;;
*) size=2097152 other=ulx3s other_device=85 ;;
esac
update=$image image=$B/fw/tern-fw-lean.img

names="a bitstream that is loaded arrives bit for bit and the device starts
bitstream and images are in the flash bit for bit and nothing else
an update changes the bytes of the second image and no other
a bitstream of another board is refused before a bit is sent
a bitstream of another device is refused before a bit is sent
a board with another device is refused before a bit is sent
a damaged bitstream does not start the device and is an error
a cable pulled while a bitstream is loaded is an error and the board comes up as before
a cable pulled in an update is an error and the first image is whole
a cable pulled in an update is repaired by the next one
after each cut of the power in an update the first image runs and the board says so"

if ! command -v openFPGALoader > /dev/null 2>&1; then
    echo "$names" | while IFS= read -r name; do
        number=$((number + 1))
        echo "ok $number - $name # SKIP no openFPGALoader"
    done
    echo "1..$(echo "$names" | wc -l)"
    exit 0
fi

tap_pid=
trap 'stop "$tap_pid"; stop_all; rm -rf "$dir"' EXIT

# run_tap OPTION...: starts the model of the board, its flash in $dir/flash.
run_tap() {
    rm -f "$dir/tap.log"
    "$B/bin/tern-tap" --device "$DEVICE" --flash-size "$size" --flash "$dir/flash" "$@" \
        > "$dir/tap.log" 2>&1 &
    tap_pid=$!
    await "$dir/tap.log" "$tap_pid"
    port=$(sed -n 's/^ready.* port //p' "$dir/tap.log")
}

stop_tap() {
    stop "$tap_pid"
    tap_pid=
}

# write WHAT FILE...: flash.sh at the model's port.
write() {
    what=$1
    shift
    OPENFPGALOADER="openFPGALoader -c xvc-client --ip 127.0.0.1 --port $port" \
        sh hw-model/boards/flash.sh "$what" "$board" "$@" > "$dir/write.out" 2>&1
    result=$?
    tr '\r' '\n' < "$dir/write.out" | grep -v '%$' > "$dir/write.log"
    return $result
}

# refused TEXT WHAT FILE...: it fails with that text, and the device has taken nothing.
refused() {
    text=$1
    shift
    cp "$dir/flash" "$dir/before"
    run_tap
    ! write "$@" && grep -q "$text" "$dir/write.log"
    result=$?
    stop_tap
    [ $result = 0 ] && cmp -s "$dir/before" "$dir/flash" &&
        grep -q '^tap: loads 0 reloads 0 done 1 error 0 written 0 ' "$dir/tap.log"
}

# place FROM COUNT: bytes of the flash.
place() {
    tail -c +$(($1 + 1)) "$dir/flash" | head -c "$2"
}

# head_of FILE: the number of a bitstream's first byte after its comments, counted from 1.
head_of() {
    at=$(LC_ALL=C grep -aboP '\xff\xff\xff\xbd\xb3' "$1" | head -n 1)
    echo $((${at%%:*} + 1))
}

bytes() {
    wc -c < "$1"
}



bits=$B/boards/$board-1.bit
if [ ! -e "$bits" ]; then
    bits=$dir/board.bit
    "$B/tests/board/make_bits" "$DEVICE" "$board" 1 > "$bits"
fi
"$B/tests/board/make_bits" "$other_device" "$other" 1 > "$dir/other.bit"
"$B/tests/board/make_bits" "$other_device" "$board" 1 > "$dir/device.bit"
# The device takes what follows the comments.
tail -c +"$(head_of "$bits")" "$bits" > "$dir/payload"
payload=$(bytes "$dir/payload")

# ---- what arrives
run_tap --received "$dir/received"
write load "$bits"
result=$?
stop_tap
[ $result = 0 ] && cmp "$dir/payload" "$dir/received" > "$dir/cmp.log" 2>&1 &&
    grep -q '^tap: loads 1 reloads 0 done 1 error 0 written 0 ' "$dir/tap.log"
tap $? "$(echo "$names" | sed -n 1p)"

rm -f "$dir/flash"
run_tap
write all "$bits" "$image"
result=$?
stop_tap
head -c "$size" /dev/zero | tr '\0' '\377' > "$dir/want"
for part in "$dir/payload:0" "$image:$FIRST" "$image:$SECOND"; do
    dd if="${part%:*}" of="$dir/want" bs=4096 seek=$((${part##*:} / 4096)) conv=notrunc 2> "$dir/dd.log"
done
[ $result = 0 ] && cmp "$dir/want" "$dir/flash" > "$dir/cmp.log" 2>&1 &&
    grep -q '^tap: loads 0 reloads 3 done 1 ' "$dir/tap.log"
tap $? "$(echo "$names" | sed -n 2p)"

# ---- an update, among bytes that it must not change
after=$(((payload + 65535) / 65536 * 65536))
head -c "$size" /dev/urandom > "$dir/noise"
dd if="$dir/noise" of="$dir/flash" bs=65536 seek=$((after / 65536)) conv=notrunc \
    count=$(((FIRST - after) / 65536)) 2> "$dir/dd.log"
dd if="$dir/noise" of="$dir/flash" bs=65536 seek=$(((SECOND + SLOT) / 65536)) conv=notrunc \
    count=$(((size - SECOND - SLOT) / 65536)) 2>> "$dir/dd.log"
cp "$dir/flash" "$dir/old"
mkdir -p "$dir/cuts"
run_tap --cuts "$dir/cuts" --cuts-from "$FIRST" --cuts-bytes $((2 * SLOT))
write firmware "$update"
result=$?
stop_tap
cuts=$(sed -n 's/^tap: .* cuts //p' "$dir/tap.log")
cp "$dir/old" "$dir/want"
dd if="$update" of="$dir/want" bs=4096 seek=$((SECOND / 4096)) conv=notrunc 2> "$dir/dd.log"
[ $result = 0 ] && cmp "$dir/want" "$dir/flash" > "$dir/cmp.log" 2>&1
tap $? "$(echo "$names" | sed -n 3p)"
place "$FIRST" $((2 * SLOT)) > "$dir/whole"

# ---- refusals
refused "a bitstream for $other, not for $board; nothing was sent" all "$dir/other.bit" "$image" &&
    refused "a bitstream for $other, not for $board; nothing was sent" load "$dir/other.bit"
tap $? "$(echo "$names" | sed -n 4p)"
refused "a bitstream for device 4111[0-9a-f]*, but a $board has" all "$dir/device.bit" "$image"
tap $? "$(echo "$names" | sed -n 5p)"
# The other board, with a flash of this size, comes up from a bitstream of its own.
right=$DEVICE DEVICE=$other_device
mv "$dir/flash" "$dir/kept"
tail -c +"$(head_of "$dir/other.bit")" "$dir/other.bit" > "$dir/flash"
run_tap
stop_tap
good=0
for what in "all $bits $image" "load $bits" "firmware $update"; do
    # shellcheck disable=SC2086 # words
    refused "the device at the cable is [0-9a-f]*, but a $board has" $what || good=1
done
[ $good = 0 ]
tap $? "$(echo "$names" | sed -n 6p)"
DEVICE=$right
mv "$dir/kept" "$dir/flash"

# ---- damage: the byte in the middle of the bitstream
cp "$bits" "$dir/damaged.bit"
printf '\125\252\125' | dd of="$dir/damaged.bit" bs=1 seek=$((payload / 2)) conv=notrunc 2> "$dir/dd.log"
run_tap
! write load "$dir/damaged.bit" && grep -q 'after power-up the board is, too' "$dir/write.log"
result=$?
stop_tap
[ $result = 0 ] && grep -q '^tap: loads 0 reloads 0 done 0 error [1-5] written 0 ' "$dir/tap.log"
tap $? "$(echo "$names" | sed -n 7p)"

# ---- the cable
cp "$dir/flash" "$dir/before"
run_tap --pull 100000
! write load "$bits" && grep -q 'after power-up the board is, too' "$dir/write.log"
result=$?
stop_tap
[ $result = 0 ] && cmp "$dir/before" "$dir/flash" > "$dir/cmp.log" 2>&1
result=$?
run_tap # the power comes back
stop_tap
[ $result = 0 ] && grep -q '^tap: .* done 1 error 0 ' "$dir/tap.log"
tap $? "$(echo "$names" | sed -n 8p)"

cp "$dir/old" "$dir/flash"
run_tap --pull 60000
! write firmware "$update" && grep -q 'The second image is not whole' "$dir/write.log"
result=$?
stop_tap
place "$FIRST" $((2 * SLOT)) > "$dir/pulled"
mkdir -p "$dir/one"
cp "$dir/pulled" "$dir/one/0"
place 0 "$SECOND" > "$dir/low"
head -c "$SECOND" "$dir/old" | cmp - "$dir/low" > "$dir/cmp.log" 2>&1 && [ $result = 0 ] &&
    "$B/rtl/board/flash" +cuts="$dir/one" +count=1 > "$dir/bench.log" 2>&1
tap $? "$(echo "$names" | sed -n 9p)"
run_tap
write firmware "$update"
result=$?
stop_tap
[ $result = 0 ] && cmp "$dir/want" "$dir/flash" > "$dir/cmp.log" 2>&1
tap $? "$(echo "$names" | sed -n 10p)"

# ---- the power
least=$((($(bytes "$image") + 4095) / 4096 + $(bytes "$update") / 4096)) # erased, programmed
enough=$([ "$cuts" -ge "$least" ]; echo $?)
# A cut after the last byte leaves the whole update.
! cmp -s "$dir/cuts/$((cuts - 1))" "$dir/whole" || cuts=$((cuts - 1))
[ "$enough" = 0 ] &&
    "$B/rtl/board/flash" +cuts="$dir/cuts" +count="$cuts" +whole="$dir/whole" > "$dir/bench.log" 2>&1
tap $? "$(echo "$names" | sed -n 11p)"
echo "# cuts=$cuts of 4096 bytes, at least $least; bitstream=$payload image=$(bytes "$update")"
tap_end
