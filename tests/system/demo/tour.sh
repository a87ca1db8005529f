#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Types the tour of README.md, line by line, into a shell in a copy of the tree with the products of
# the build. Every line must succeed; at the end no file is left in the tree and no process is left.
# On the tier TIER.
set -u
B=${B:-build}
tier=${TIER:-rtl}
number=0 failed=0
dir=$(mktemp -d "${TMPDIR:-/tmp}/tern-tour.XXXXXX") || exit 1
copy=$dir/clone

tap() {
    number=$((number + 1))
    if [ "$1" = 0 ]; then
        echo "ok $number - $2"
    else
        echo "not ok $number - $2"
        failed=$((failed + 1))
        tail -n 40 "$dir/log" | sed 's/^/# /'
    fi
}

# left: ends the processes that the tour has left, all programs of the copy.
left() {
    for exe in /proc/[0-9]*/exe; do
        case $(readlink "$exe" 2> /dev/null) in
        "$copy"/*)
            pid=${exe#/proc/}
            echo "${pid%/exe}"
            ;;
        esac
    done
}
clean_up() {
    status=$?
    left | xargs -r kill -KILL
    rm -rf "$dir"
    exit $status
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# The tour's indented lines.
awk '/^## /{ tour = /tour/ } tour && /^    [^ ]/ { print substr($0, 5) }' README.md > "$dir/lines"
[ "$(grep -c . "$dir/lines")" -ge 25 ] && grep -q 'kill %5' "$dir/lines"
tap $? "README has a tour, which stops what it started"

mkdir -p "$copy" "$dir/home" "$dir/run"
sh tests/tools/tracked.sh > "$dir/files"
tar -cf - -T "$dir/files" | tar -xf - -C "$copy"
tar -cf - --exclude="$B"/sabotage --exclude="$B"/test --exclude="$B"/example --exclude="$B"/'cleanroom*' --exclude="$B"/tests \
    --exclude="$B"/verilated "$B" | tar -xf - -C "$copy"
(cd "$copy" && git init -q . && git -c safe.directory='*' add -A .) > "$dir/log" 2>&1

# A shell with job control, as a user has it; it shows each line, which must succeed. POINTER is the
# output of recv.
{
    echo 'set -m'
    echo 'type_line() { echo "\$ $1"; eval "$1"; status=$?; [ $status = 0 ] || { echo "status $status"; exit 1; }; }'
    echo 'settle() { for i in $(seq 1200); do grep -q "$1" $HOME/out && return; sleep 0.05; done; echo "no $1"; exit 1; }'
    while IFS= read -r line; do
        case $line in
        'make') line='make -s all' ;;
        *' sim --tier '*) ;;
        *' sim --'*) line="$(echo "$line" | sed "s/ sim / sim --tier $tier /")" ;;
        *POINTER*) echo 'settle "^[0-9a-f]\{32\}$"; pointer=$(grep -o "^[0-9a-f]\{32\}$" $HOME/out | tail -n 1)'
            line=$(echo "$line" | sed 's/POINTER/$pointer/') ;;
        esac
        printf "type_line '%s'\n" "$line"
        case $line in
        *' sim --'*) printf ': > $HOME/seen; settle "^ready: %s nodes"\n' "$(echo "$line" | awk '{
            match($0, /[0-9]+x[0-9]+x[0-9]+/); split(substr($0, RSTART, RLENGTH), n, "x"); print n[1] * n[2] * n[3] }')" ;;
        *' --words '*) echo 'until [ -s $HOME/words ]; do sleep 0.1; done' ;;
        *' --keep '*) echo 'until [ -s $HOME/table ]; do sleep 0.1; done' ;;
        esac
    done < "$dir/lines"
    echo 'settle "hello, torus"'
    echo 'echo tour ended'
} > "$dir/typed"
(
    cd "$copy" || exit 1
    HOME=$dir/home XDG_RUNTIME_DIR=$dir/run
    export HOME XDG_RUNTIME_DIR
    unset TERN_SIM_DIR MAKEFLAGS MAKELEVEL B
    timeout 500 bash "$dir/typed" > "$HOME/out" 2>&1 < /dev/null
)
cp "$dir/home/out" "$dir/log"
grep -qx 'tour ended' "$dir/log"
tap $? "each line of the tour succeeds"
grep -qx 'the target holds "hello from my own program".*' "$dir/log" && grep -q '^20 rounds' "$dir/log" &&
    grep -q '^1000 keys found by 1000 round trips' "$dir/log" && grep -q '^2 receivers: .* bytes verified' "$dir/log"
tap $? "the tour shows what its text says"
(cd "$copy" && git -c safe.directory='*' ls-files --others --exclude-standard) > "$dir/untracked"
[ ! -s "$dir/untracked" ] || cat "$dir/untracked" >> "$dir/log"
[ ! -s "$dir/untracked" ]
tap $? "the tour leaves no file in the tree"
left > "$dir/left"
[ ! -s "$dir/left" ]
tap $? "the tour stops what it started"
echo "1..$number"
[ $failed = 0 ]
