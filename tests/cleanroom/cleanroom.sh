#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: cleanroom.sh 12|13
#
# Does what a newcomer does, on a Debian system with only git and make: clones HEAD and runs the two
# commands, as root (they install the missing packages), then in a second clone as an unprivileged
# user. Prints a TAP line for each and ends with
# PASS or FAIL. Uses only committed files.
#
# The system is a new debootstrap chroot in $B/cleanroom-N, made from the mirror
# that this machine's apt uses.  Everything runs in a mount and process
# namespace of its own, so that nothing stays mounted or running afterwards.
# CLEANROOM_CMDS names other commands; CLEANROOM_KEEP=1 leaves the chroot.
set -u
. tests/tools/debian.sh

release=${1:?usage: cleanroom.sh 12|13}
B=${B:-build}
commands=${CLEANROOM_CMDS:-make demo && make test}
root=$(pwd)/$B/cleanroom-$release

fail() {
    echo "clean-room: $1" >&2
    echo FAIL
    exit 1
}

case $release in
12) suite=bookworm ;;
13) suite=trixie ;;
*) fail "DEBIAN must be 12 or 13, not $release" ;;
esac
[ "$(id -u)" = 0 ] || fail "making a chroot needs root: run it as root, or with sudo"

# Makes the empty system.
make_system() {
    debian_make "$root" "$suite" git make || fail "no Debian $release; see $root.log"
}

inside() {
    debian_inside "$root" "$@"
}

inside_as_user() {
    inside setpriv --reuid=newcomer --regid=newcomer --init-groups \
        env HOME=/home/newcomer "$@"
}

# Makes a bare repository inside, from which clones come as from a server.
publish() {
    git -c safe.directory='*' clone -q --bare --no-hardlinks . "$root/srv/tern.git" ||
        fail "HEAD cannot be cloned"
}

number=0 failed=0 lines=

# tap STATUS NAME EVIDENCE: one test line, kept for the log.
tap() {
    number=$((number + 1))
    line="ok $number - $2"
    [ "$1" = 0 ] || { line="not $line" failed=$((failed + 1)); }
    echo "$line"
    lines="$lines$line
# evidence $3 debian=$release
"
}

# try WHO NAME EVIDENCE COMMAND...: the commands in a new clone, judged under that name.
try() {
    echo "clean-room: Debian $release, $1: $commands"
    name=$2 evidence=$3
    shift 3
    "$@"
    tap $? "$name" "$evidence"
}

# Writes the run as a test log, for make conformance.
record() {
    mkdir -p "$B/test/clean-room"
    printf %s "$lines" > "$B/test/clean-room/debian-$release.tap"
    echo "$((number - failed)) $failed 0" > "$B/test/clean-room/debian-$release.result"
}

# Runs a command in the namespaces.
in_namespaces() {
    make_system
    debian_proc "$root" || fail "no /proc"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" 2>/dev/null ||
        { mkdir -p "$root/dev/shm"; mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"; }
    publish
    try "as root, nothing installed" "the two commands pass on a new Debian $release" \
        "A1.$((release - 11))" inside sh -c \
        "cd && git clone -q /srv/tern.git tern && cd tern && $commands"
    inside useradd --create-home newcomer || fail "useradd"
    # git serves a repository only to its owner
    inside chown -R newcomer: /srv/tern.git || fail "chown"
    try "as a user without rights" "they pass without rights on Debian $release" A1.3 \
        inside_as_user sh -c "cd && git clone -q /srv/tern.git tern && cd tern && $commands"
    # Other commands prove nothing about the two.
    [ -n "${CLEANROOM_CMDS:-}" ] || record
    [ $failed = 0 ] || fail "Debian $release: $commands"
    echo PASS
}

if [ "${CLEANROOM_INSIDE:-}" = 1 ]; then
    in_namespaces
    exit
fi
debian_alone env CLEANROOM_INSIDE=1 sh "$0" "$release"
status=$?
[ "${CLEANROOM_KEEP:-0}" = 1 ] || rm -rf "$root"
exit $status
