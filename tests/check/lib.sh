# SPDX-License-Identifier: Apache-2.0
#
# Shared by the checks of this folder: TAP output (tap.sh), the list of files, and a scratch folder
# that is removed at the end.
#
#   $work                   scratch folder
#   files PATTERN           the tree's files whose path matches an awk pattern
#   code_of PATTERN         their code, as "file:line:code", without comments
. tests/check/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh tests/tools/tracked.sh > "$work/files"

files() {
    awk -v pattern="$1" '$0 ~ pattern' "$work/files"
}

code_of() {
    files "$1" | xargs -r awk -f tests/tools/uncomment.awk
}
