#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: flash.sh load BOARD BITSTREAM              into the device, until the power goes
#        flash.sh all BOARD BITSTREAM FIRMWARE      into the flash: bitstream, both images
#        flash.sh firmware BOARD FIRMWARE           into the flash: the second image alone
#
# Writes a board by openFPGALoader. build/boards/BOARD.params has the board's device and the places
# of its images. Before it sends anything, it compares the board and the device that the bitstream
# names with those, and the device at the cable. OPENFPGALOADER is the command, with options of the
# cable if not the board's own. Run from the project root.
set -u

B=${B:-build}
what=${1:?usage: flash.sh load|all|firmware BOARD FILE...} board=${2:?} file=${3:?}
loader="${OPENFPGALOADER:-openFPGALoader} -b $board"
. "$B/boards/$board.params" # DEVICE, FIRST, SECOND, SLOT

fail() {
    echo "flash: $1" >&2
    exit 1
}

case $DEVICE in
45) name=LFE5U-45F idcode=41112043 ;;
85) name=LFE5U-85F idcode=41113043 ;;
*) fail "$board: no device $DEVICE" ;;
esac

# ---- the bitstream: comments as strings, the preamble, commands; one of them is the device's id
comment() {
    head -c 1024 "$file" | tr '\0\377' '\n\n' | LC_ALL=C sed -n "s/^$1: //p" | head -n 1
}

bitstream_id() {
    head -c 2048 "$file" | od -An -v -t x1 | tr -d ' \n' |
        sed -n 's/^.*ffffbdb3f*3b000000e2000000\(.\{8\}\).*$/\1/p'
}

check_bitstream() {
    [ -r "$file" ] || fail "$file: no such file"
    made_for=$(comment Board) id=$(bitstream_id)
    [ -n "$id" ] || fail "$file: no bitstream of an ECP5"
    [ "$made_for" = "$board" ] ||
        fail "$file: a bitstream for ${made_for:-an unknown board}, not for $board; nothing was sent"
    [ "$id" = "$idcode" ] ||
        fail "$file: a bitstream for device $id, but a $board has $idcode; nothing was sent"
}

check_image() {
    [ -r "$1" ] || fail "$1: no such file"
    [ "$(wc -c < "$1")" -le "$SLOT" ] || fail "$1: longer than $SLOT bytes; nothing was sent"
}

# ---- the device; older versions of the loader leave out the highest digit, the version
check_device() {
    found=$($loader --detect 2>&1) || { echo "$found" >&2; fail "no board at the cable"; }
    id=$(echo "$found" | sed -n 's/^[[:space:]]*idcode 0x//p' | head -n 1)
    [ -n "$id" ] || { echo "$found" >&2; fail "no device at the cable"; }
    case $id in
    "$idcode" | "${idcode#4}") ;;
    *) fail "the device at the cable is $id, but a $board has a $name, $idcode; nothing was sent" ;;
    esac
}

# send REASON ARGUMENT...: runs the loader; if it fails, says what that means for the board.
send() {
    reason=$1
    shift
    $loader "$@" && return
    fail "openFPGALoader ended with $?. $reason"
}

send_image() {
    send "$3" -f --verify --file-type raw -o "$2" "$1"
}

second_lost="The second image is not whole: after power-up the board runs the first one. Try again."

case $what in
load)
    check_bitstream
    check_device
    send "The flash is as it was: after power-up the board is, too." "$file"
    ;;
all)
    image=${4:?usage: flash.sh all BOARD BITSTREAM FIRMWARE}
    check_bitstream
    check_image "$image"
    check_device
    send "The bitstream is not whole: the board has none until this is repeated." \
        -f --verify "$file"
    send_image "$image" "$FIRST" "The first image is not whole. Try again."
    send_image "$image" "$SECOND" "$second_lost"
    ;;
firmware)
    check_image "$file"
    check_device
    send_image "$file" "$SECOND" "$second_lost"
    ;;
*) fail "load, all or firmware, not $what" ;;
esac
