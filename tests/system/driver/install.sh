#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs into an empty folder and uses nothing else: a copy of the example builds with pkg-config
# and puts between two NICs of the installed simulator.
set -u

. tests/system/demo/nics.sh
prefix=$dir/tern
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export PKG_CONFIG_PATH

sh host-driver/tools/install.sh '' "$prefix" > "$dir/out.log" 2>&1
result=$?
files=$(find "$prefix" -type f | wc -l)
for file in bin/tern libexec/tern/tern-sim libexec/tern/tern-bridge libexec/tern/tern-profile lib/libtern.a lib/libtern.so lib/pkgconfig/tern.pc \
    include/tern/tern.h include/tern/tern_abi.h share/tern/tern-fw.elf share/man/man1/tern.1 share/man/man3/tern_put.3 \
    share/bash-completion/completions/tern share/doc/tern/LICENSE share/doc/tern/from-verbs.md share/doc/tern/examples/pair.c; do
    [ -s "$prefix/$file" ] || { echo "missing: $file" >> "$dir/out.log"; result=1; }
done
echo "# evidence A7.1 files=$files"
tap $result "an installation is complete"

# Each function of the installed headers has a man page, which man shows without warnings.
for page in tern $(sed -n 's/^[a-z].*[ *]\(tern_[a-z0-9_]*\)(.*/\1/p' $(ls "$prefix"/include/tern/*.h | grep -v tern_abi) | grep -v '_fn$' | sort -u); do
    [ -s "$prefix/share/man/man3/$page.3" ] || echo "no page: $page"
done > "$dir/out.log"
LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l "$prefix"/share/man/man?/* 2>> "$dir/out.log" > /dev/null
pages=$(find "$prefix/share/man" -type f | wc -l)
MANPATH=$prefix/share/man MANWIDTH=100 man tern > "$dir/tern.1" 2>> "$dir/out.log"
for word in 'tern put' 'tern sim' '--torus' 'EXIT STATUS' 'TERN_SIM_DIR'; do
    grep -qF -- "$word" "$dir/tern.1" || echo "man tern lacks: $word" >> "$dir/out.log"
done
MANPATH=$prefix/share/man man 3 tern_put 2>> "$dir/out.log" | grep -q 'Posts a put' || echo "man tern_put lacks its text" >> "$dir/out.log"
[ "$pages" -gt 100 ] && [ ! -s "$dir/out.log" ]
tap $? "man tern and a man page for each function work from the prefix"

# complete WORD...: prints what bash completes the last word to.
complete() {
    PATH=$prefix/bin:$PATH bash -c '. "$0/share/bash-completion/completions/tern"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; _tern 2> /dev/null; printf "%s\n" "${COMPREPLY[@]}"' "$prefix" "$@"
}
mkdir -p "$TERN_SIM_DIR"
: > "$TERN_SIM_DIR/nic-1.0.0.sock"
[ "$(complete tern rec | tr '\n' ' ')" = 'recv recv-file ' ] && [ "$(complete tern put --by)" = '--bytes=' ] &&
    [ "$(complete tern info sim)" = 'sim:1.0.0' ] && [ "$(complete tern sim --tor)" = '--torus=' ]
tap $? "the installed completion completes commands, options and NICs"
rm -rf "$TERN_SIM_DIR"

with_module=0
[ ! -f "$B/python/tern.so" ] || with_module=1
cp "$prefix"/share/doc/tern/examples/*.c "$dir" && cd "$dir" || exit 1
# shellcheck disable=SC2046 # the flags are words
cc -std=c11 -Wall -Wextra -Wpedantic -Werror put.c $(pkg-config --cflags --libs tern) -o put > out.log 2>&1
tap $? "the example builds with pkg-config outside the tree"
cc -std=c11 put.c -I"$prefix/include" "$prefix/lib/libtern.a" -pthread -o put-static > out.log 2>&1
tap $? "the example builds with the archive"
for example in *.c; do
    # shellcheck disable=SC2046
    cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$example" $(pkg-config --cflags --libs tern) -o "${example%.c}-installed"
done > out.log 2>&1
[ ! -s out.log ] && [ "$(ls ./*-installed | wc -l)" = "$(ls ./*.c | wc -l)" ]
tap $? "every installed example builds"

mkdir nics && mkfifo ready || exit 1
"$prefix/bin/tern" sim --torus 2x1x1 --ready-fd 3 3> ready > sim.log 2>&1 &
sim=$!
read -r _ < ready
tap $? "the installed simulator starts with the installed firmware"
for program in put put-static; do
    ./$program sim:0 sim:1 "outside the tree" > out.log 2>&1 && grep -q 'the target holds "outside the tree"' out.log
    result=$?
    echo "# evidence A7.2 cycles=$(sed -n 's/.*after \([0-9]*\) cycles/\1/p' out.log)"
    tap $result "the example puts between two nodes ($program)"
done
module=$(echo "$prefix"/lib/python3*/dist-packages)
result=0
if [ "$with_module" = 1 ]; then
    python=/usr/bin/python3
    [ -x $python ] || python=python3
    PYTHONPATH=$module PYTHONDONTWRITEBYTECODE=1 $python "$prefix/share/doc/tern/examples/python/put.py" sim:0 sim:1 "from afar" > out.log 2>&1 &&
        grep -q 'the target holds "from afar"' out.log
    result=$?
fi
tap $result "the installed module of Python puts, if there is one"
./get-installed sim:0 sim:1 > out.log 2>&1 && ./pair-installed sim:0 sim:1 > out.log 2>&1 && ./lookup-installed sim:0 sim:1 auk > out.log 2>&1
tap $? "installed examples work with the installed simulator"
"$prefix/bin/tern" list > out.log 2>&1 && [ "$(grep -c ready out.log)" = 2 ]
tap $? "the installed command lists both NICs"

echo "1..$number"
[ $failed = 0 ]
