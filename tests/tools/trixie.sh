#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: trixie.sh WHO PROGRAM ROOT PACKAGE...
#
# Makes sure that PROGRAM, which Debian 12 lacks, can run: directly, or by debian_work in ROOT, a
# small Debian 13 that the script makes once with the packages. Making ROOT and entering it need
# root. If neither is possible, prints a message for the user of WHO and exits with 1. Run from the
# root of the tree.
set -u
. tests/tools/debian.sh

# Runs in a namespace of its own, and renames the folder when it is complete.
if [ "$1" = --make ]; then
    root=$2
    shift 2
    mkdir -p "$root.new/proc" && debian_make "$root.new" trixie "$@"
    exit
fi

who=$1 program=$2 root=$3
shift 3
inside=$root/usr/bin/$program

fail() {
    echo "$who: $1" >&2
    exit 1
}

# make_root PACKAGE...
make_root() {
    [ "$(id -u)" = 0 ] || fail "there is no $program here, and making $root (a Debian 13 that
      has one) needs root: install $program (Debian 13), or run this as root"
    sh tests/tools/packages.sh trixie || exit 1
    echo "$who: makes $root, once"
    debian_alone sh "$0" --make "$root" "$@" ||
        fail "no Debian 13 with $program; see $root.new.log"
    mv "$root.new" "$root"
}

if [ -x "$inside" ]; then
    [ "$(id -u)" = 0 ] || fail "$program is in $root, and entering it needs root"
    exit
fi
mkdir -p "$(dirname "$root")"
(flock 9; [ -x "$inside" ] || make_root "$@") 9> "$root.lock"
