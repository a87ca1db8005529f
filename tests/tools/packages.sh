#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: packages.sh GROUP
#
# Makes sure that the Debian packages of a group (packages.def) are installed. If they all are, it
# prints nothing and needs neither root nor network. Otherwise it installs them, through sudo when
# not root, or prints what to install and exits with 1. The group `check` or `bench` includes
# `build`.
set -eu

here=$(dirname "$0")
group=${1:?usage: packages.sh GROUP}
case $group in
check | bench | flash) groups="build $group" ;;
*) groups=$group ;;
esac

# Prints the names of the wanted groups' packages, one per line.
wanted() {
    awk -F '|' -v groups="$groups" '
        BEGIN { n = split(groups, want, " ") }
        /^#/ || NF < 3 { next }
        {
            gsub(/ /, "", $1); gsub(/ /, "", $2)
            m = split($2, have, ",")
            for (i = 1; i <= n; i++)
                for (j = 1; j <= m; j++)
                    if (want[i] == have[j]) print $1
        }' "$here/packages.def" | sort -u
}

is_installed() {
    dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null | grep -q '^.i'
}

missing() {
    for package in $(wanted); do
        is_installed "$package" || printf '%s ' "$package"
    done
}

give_up() {
    printf '\ntern: %s\n' "$1" >&2
    printf 'Install these packages and try again:\n\n' >&2
    printf '    apt-get install --no-install-recommends %s\n\n' "$need" >&2
    exit 1
}

if ! command -v dpkg-query >/dev/null 2>&1; then
    need=$(wanted | tr '\n' ' ')
    echo "tern: not a Debian system; it needs what Debian calls: $need" >&2
    exit 0
fi

need=$(missing)
[ -n "$need" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo"
else
    give_up "packages are missing, and installing them needs root (there is no sudo here)."
fi
command -v apt-get >/dev/null 2>&1 || give_up "packages are missing and there is no apt-get."

# shellcheck disable=SC2086 # word splitting of the list is wanted
install_missing() {
    printf 'tern: installing %s packages: %s\n' "$(echo $need | wc -w)" "$need"
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get update || return 1
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y \
        --no-install-recommends -o Dpkg::Progress-Fancy=1 -o Dpkg::Use-Pty=0 $need
}

install_missing || give_up "the installation failed (see above)."

need=$(missing)
[ -z "$need" ] || give_up "still missing after the installation."
echo "tern: the packages are installed."
