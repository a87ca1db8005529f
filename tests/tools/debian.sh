# SPDX-License-Identifier: Apache-2.0
#
# Debian systems in a folder (debootstrap, chroot). Scripts source this file from the root of the
# tree.
#
#   debian_mirror              the archive that this machine's apt uses, "" when none is known
#   debian_make ROOT SUITE PACKAGE...
#                              a new minimal system with these packages; its words are in ROOT.log
#   debian_inside ROOT COMMAND...
#                              runs COMMAND there as root, with what a log-in would set
#   debian_proc ROOT           mounts /proc there: only in a mount namespace of one's own
#   debian_alone COMMAND...    runs COMMAND in such a namespace: nothing stays mounted or running
#   debian_work ROOT FOLDER COMMAND...
#                              runs COMMAND there, in a namespace of its own and with /proc, where
#                              FOLDER of this machine is

# Prints the first archive that apt uses, in either format of its source lists.
debian_mirror() {
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
        /etc/apt/sources.list.d/*.sources 2>/dev/null |
        awk '/^URIs:/ { print $2 }
             /^deb / { for (i = 2; i <= NF; i++) if ($i ~ /:\/\//) print $i }' |
        grep -E '/debian/?$' | head -n 1
}

# Copies the settings that apt needs to reach its mirror from inside.
debian_apt_access() {
    apt-config dump | grep -iE '^Acquire::[a-z:]*(proxy|cainfo|timeout|retries)' \
        > "$1/etc/apt/apt.conf.d/90host-access"
    echo 'Acquire::Retries "5";' >> "$1/etc/apt/apt.conf.d/90host-access"
    [ ! -d /usr/local/share/ca-certificates ] ||
        cp -r /usr/local/share/ca-certificates "$1/usr/local/share/"
    cp -L /etc/resolv.conf "$1/etc/resolv.conf"
    cp -L /etc/hosts "$1/etc/hosts"
}

debian_make() {
    debian_root=$1 debian_suite=$2
    shift 2
    debian_from=$(debian_mirror)
    debian_from=${debian_from:-http://deb.debian.org/debian}
    echo "Debian $debian_suite from $debian_from"
    rm -rf "$debian_root"
    mkdir -p "$debian_root"
    debootstrap --variant=minbase "$debian_suite" "$debian_root" "$debian_from" \
        > "$debian_root.log" 2>&1 ||
        { tail -n 20 "$debian_root.log"; return 1; }
    echo "deb $debian_from $debian_suite main" > "$debian_root/etc/apt/sources.list"
    debian_apt_access "$debian_root"
    debian_inside "$debian_root" sh -c \
        'apt-get update && apt-get install -y --no-install-recommends "$@"' sh "$@" \
        >> "$debian_root.log" 2>&1 ||
        { tail -n 20 "$debian_root.log"; return 1; }
}

debian_inside() {
    debian_root=$1
    shift
    env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        chroot "$debian_root" "$@"
}

debian_proc() {
    mkdir -p "$1/proc"
    mount -t proc proc "$1/proc"
}

# Removes make's flags from the environment, so that the commands inside do not use them.
debian_alone() {
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
        unshare --mount --propagation private --pid --fork --kill-child "$@"
}

debian_work() {
    mkdir -p "$1/mnt/work"
    # shellcheck disable=SC2016 # the other shell's arguments
    debian_alone sh -c '. tests/tools/debian.sh
        root=$1 folder=$2
        shift 2
        debian_proc "$root" && mount --bind "$folder" "$root/mnt/work" &&
            debian_inside "$root" sh -c "cd /mnt/work && exec \"\$@\"" sh "$@"' sh "$@"
}
