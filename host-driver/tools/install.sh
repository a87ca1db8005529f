#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: install.sh DESTDIR PREFIX
#
# Installs the build: the library and its headers, the `tern` command with the simulator and the
# firmware that it runs, man pages, completion, documents, examples, the module for Python and the licence. Of the contract
# it installs only the constants that applications include.
set -eu

B=${B:-build}
case $2 in
/*) prefix=$2 ;;
*) prefix=$(pwd)/$2 ;;
esac
to=$1$prefix

doc=$to/share/doc/tern
mkdir -p "$to/bin" "$to/lib/pkgconfig" "$to/include/tern" "$to/libexec/tern" "$to/share/tern" "$doc/examples" \
    "$to/share/man/man1" "$to/share/man/man3" "$to/share/bash-completion/completions"
for header in host-driver/include/tern/*.h "$B/lib/include/tern_abi.h"; do
    install -m 644 "$header" "$to/include/tern/"
done
install -m 644 "$B/lib/libtern.a" "$to/lib/"
install -m 755 "$B/lib/libtern.so" "$to/lib/libtern.so.0"
[ ! -f "$B/lib/libtern-verbs.so" ] || install -m 755 "$B/lib/libtern-verbs.so" "$to/lib/"
if [ -f "$B/python/tern.so" ]; then
    python=/usr/bin/python3
    [ -x $python ] || python=python3
    # Where that interpreter looks below /usr/local; for another PREFIX, PYTHONPATH has to name it.
    module=$to/lib/python$($python -c 'import sys; print("%d.%d" % sys.version_info[:2])')/dist-packages
    mkdir -p "$module" "$doc/examples/python"
    install -m 755 "$B/python/tern.so" "$module/tern$($python -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')"
    install -m 644 examples/python/*.py "$doc/examples/python/"
fi
ln -sf libtern.so.0 "$to/lib/libtern.so"
install -m 755 "$B/bin/tern" "$to/bin/"
install -m 755 "$B/bin/tern-sim" "$B/bin/tern-bridge" "$B/bin/tern-profile" "$B/bin/tern-cached" "$to/libexec/tern/"
install -m 644 "$B"/fw/tern-fw.elf "$B"/fw/tern-fw.img "$B"/fw/tern-fw-lean.elf "$B"/fw/tern-fw-lean.img "$to/share/tern/"

install -m 644 "$B"/man/man1/*.1 "$to/share/man/man1/"
install -m 644 "$B"/man/man3/*.3 "$to/share/man/man3/"
install -m 644 host-driver/tools/completion.bash "$to/share/bash-completion/completions/tern"
install -m 644 LICENSE CHANGELOG.md SECURITY.md docs/*.md "$doc/"
install -m 644 examples/*.c "$doc/examples/"
sed "s|@PREFIX@|$prefix|" host-driver/tern.pc.in > "$to/lib/pkgconfig/tern.pc"
chmod 644 "$to/lib/pkgconfig/tern.pc"
printf 'installed below %s\n' "$to"
