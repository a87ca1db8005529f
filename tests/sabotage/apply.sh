#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: apply.sh CHANGE [TREE]
#        apply.sh -f CHANGE
#
# Makes a change in TREE, by default the current folder; -f prints the files that it changes. CHANGE
# is a patch or a script in the folder of this file, or an entry of changes.def there
# (SABOTAGE_CHANGES names another table); the `.sh` of an entry may be omitted. Exit status 1 when
# the text to be changed is not found.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
table=${SABOTAGE_CHANGES:-$here/changes.def}

# Prints the entry's lines, without its name.
entry() {
    awk -v want="$1" '
        /^#/ { next }
        /^$/ { here = 0 }
        here { print }
        $1 == "change" { here = $2 == want }' "$table"
}

if [ "$1" = -f ]; then
    case $2 in
    *.patch) sed -n 's|^+++ b/\([^[:space:]]*\).*|\1|p' "$here/$2" ;;
    *)
        if [ -f "$here/$2" ]; then
            grep -v '^#' "$here/$2" | grep -oE '[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*\.[a-z]+' | sort -u
        else
            entry "${2%.sh}" | sed -n 's/^file   //p'
        fi
        ;;
    esac
    exit 0
fi

cd "${2:-.}"

# found PATH: prints the file, which may have moved to another folder below its top one.
found() {
    if [ -f "$1" ]; then
        echo "$1"
        return
    fi
    moved=$(find "${1%%/*}" -name "$(basename "$1")" -type f)
    if [ -f "$moved" ]; then
        echo "$moved"
    else
        echo "apply.sh: no file $1, and not one of its name elsewhere: ${moved:-none}" >&2
        exit 1
    fi
}

if [ -f "$here/$1" ]; then
    case $1 in
    *.patch) patch -p1 -s -f < "$here/$1" ;;
    *) sh -eu "$here/$1" ;;
    esac
    exit 0
fi

lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
entry "${1%.sh}" > "$lines"
grep -q '^new    ' "$lines" || { echo "apply.sh: no change $1" >&2; exit 1; }
file=
while IFS= read -r line; do
    text=${line#???????}
    case $line in
    'why    '*) ;;
    'file   '*) file=$(found "$text") ;;
    'old    '*) old=$text ;;
    'new    '*) printf '%s\n' "$old" "$text" | sh "$here/change.sh" "$file" ;;
    *) echo "apply.sh: $1: unknown line: $line" >&2; exit 1 ;;
    esac
done < "$lines"
