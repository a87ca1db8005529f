#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: cleanroom.sh 12|13
#
# Does what a newcomer does, on a Debian system that has nothing but git and
# make: clones HEAD and runs the two commands, as root (they install what is
# missing), then in a second clone as a user without rights.  Ends with PASS
# or FAIL.  Only what is committed takes part.
#
# The system is a new debootstrap chroot in $B/cleanroom-N, made from the mirror
# that this machine's apt uses.  Everything runs in a mount and process
# namespace of its own, so that nothing stays mounted or running afterwards.
# CLEANROOM_CMDS names other commands; CLEANROOM_KEEP=1 leaves the chroot.
set -u

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

# The first archive that apt uses, in either form of its source lists.
mirror() {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
        /etc/apt/sources.list.d/*.sources 2>/dev/null |
        awk '/^URIs:/ { print $2 }
             /^deb / { for (i = 2; i <= NF; i++) if ($i ~ /:\/\//) print $i }' |
        grep -E '/debian/?$' | head -n 1
}

# What apt must know to reach its mirror from inside.
copy_apt_access() {
    apt-config dump | grep -iE '^Acquire::[a-z:]*(proxy|cainfo|timeout|retries)' \
        > "$root/etc/apt/apt.conf.d/90host-access"
    echo 'Acquire::Retries "5";' >> "$root/etc/apt/apt.conf.d/90host-access"
    [ ! -d /usr/local/share/ca-certificates ] ||
        cp -r /usr/local/share/ca-certificates "$root/usr/local/share/"
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    cp -L /etc/hosts "$root/etc/hosts"
}

# The empty system.
make_system() {
    from=$(mirror)
    from=${from:-http://deb.debian.org/debian}
    echo "clean-room: Debian $release ($suite) from $from"
    rm -rf "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase "$suite" "$root" "$from" > "$root.log" 2>&1 ||
        { tail -n 20 "$root.log"; fail "debootstrap failed; see $root.log"; }
    echo "deb $from $suite main" > "$root/etc/apt/sources.list"
    copy_apt_access
    inside sh -c 'apt-get update && apt-get install -y --no-install-recommends git make' \
        >> "$root.log" 2>&1 ||
        { tail -n 20 "$root.log"; fail "git and make cannot be installed; see $root.log"; }
}

# inside COMMAND...: as root, with what a log-in would set and nothing else
# but the way to the mirror.
inside() {
    env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        chroot "$root" "$@"
}

inside_as_user() {
    inside setpriv --reuid=newcomer --regid=newcomer --init-groups \
        env HOME=/home/newcomer "$@"
}

# A clone comes from a bare copy inside, as it would from a server.
publish() {
    git -c safe.directory='*' clone -q --bare --no-hardlinks . "$root/srv/tern.git" ||
        fail "HEAD cannot be cloned"
}

try() {
    echo "clean-room: $1: $commands"
    shift
    "$@" || fail "Debian $release: $commands"
}

# What make conformance reads: the run as a test log.
record() {
    mkdir -p "$B/test/clean-room"
    {
        echo "ok 1 - the two commands pass on a new Debian $release"
        echo "# evidence $1 debian=$release"
        echo "ok 2 - they pass without rights on Debian $release"
        echo "# evidence A1.3 debian=$release"
    } > "$B/test/clean-room/debian-$release.tap"
    echo "2 0 0" > "$B/test/clean-room/debian-$release.result"
}

# Runs in the namespaces.
in_namespaces() {
    mkdir -p "$root/proc"
    make_system
    mount -t proc proc "$root/proc" || fail "no /proc"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm" 2>/dev/null ||
        { mkdir -p "$root/dev/shm"; mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"; }
    publish
    try "as root, nothing installed" inside sh -c \
        "cd && git clone -q /srv/tern.git tern && cd tern && $commands"
    inside useradd --create-home newcomer || fail "useradd"
    # git serves a repository to its owner only
    inside chown -R newcomer: /srv/tern.git || fail "chown"
    try "as a user without rights" inside_as_user sh -c \
        "cd && git clone -q /srv/tern.git tern && cd tern && $commands"
    echo "clean-room: Debian $release"
    # Other commands prove nothing about the two.
    [ -n "${CLEANROOM_CMDS:-}" ] || record "A1.$((release - 11))"
    echo PASS
}

if [ "${CLEANROOM_INSIDE:-}" = 1 ]; then
    in_namespaces
    exit
fi
# make leaves its flags in the environment; the commands inside start anew.
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL CLEANROOM_INSIDE=1 \
    unshare --mount --propagation private --pid --fork --kill-child \
    sh "$0" "$release"
status=$?
[ "${CLEANROOM_KEEP:-0}" = 1 ] || rm -rf "$root"
exit $status
