#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: install.sh DESTDIR PREFIX
#
# Copies what was built: the library and its headers, the `tern` command, and what it runs: the simulator
# and the firmware.  The contract's tables go along: the public header is made of them.
set -eu

B=${B:-build}
case $2 in
/*) prefix=$2 ;;
*) prefix=$(pwd)/$2 ;;
esac
to=$1$prefix

mkdir -p "$to/bin" "$to/lib/pkgconfig" "$to/include/tern" "$to/libexec/tern" "$to/share/tern"
for header in host-driver/include/tern/*.h hw-model/abi/*.def hw-model/abi/tables.h \
    hw-model/abi/tern_abi.h; do
    install -m 644 "$header" "$to/include/tern/"
done
install -m 644 "$B/lib/libtern.a" "$to/lib/"
install -m 755 "$B/lib/libtern.so" "$to/lib/libtern.so.0"
[ ! -f "$B/lib/libtern-verbs.so" ] || install -m 755 "$B/lib/libtern-verbs.so" "$to/lib/"
ln -sf libtern.so.0 "$to/lib/libtern.so"
install -m 755 "$B/bin/tern" "$to/bin/"
install -m 755 "$B/bin/tern-sim" "$B/bin/tern-profile" "$to/libexec/tern/"
install -m 644 "$B/fw/tern-fw.elf" "$B/fw/tern-fw.img" "$to/share/tern/"
sed "s|@PREFIX@|$prefix|" host-driver/tern.pc.in > "$to/lib/pkgconfig/tern.pc"
chmod 644 "$to/lib/pkgconfig/tern.pc"
printf 'installed below %s\n' "$to"
