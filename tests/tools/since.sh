# SPDX-License-Identifier: Apache-2.0
#
# Selects the files to be checked again. Checks that judge each file separately source this file.
#
#   since_read FILE            the files that changed since the last commit, one a line in FILE
#                              (tests/tools/changed.sh); CHECK_ALL=1 stands for all files
#   since_wanted NAME PATH...  whether NAME is to be looked at: a PATH has changed, or the commit draws
#                              it, which it does for one name in DRAW (12; 0 draws none)

since_read() {
    since_file=$1
    if [ -n "${CHECK_ALL:-}" ]; then echo unknown; else sh tests/tools/changed.sh; fi > "$since_file"
    since_commit=$(git -c safe.directory='*' rev-parse HEAD 2> /dev/null || echo none)
}

since_all() {
    grep -qx unknown "$since_file"
}

since_drawn() {
    [ "${DRAW:-12}" != 0 ] &&
        [ $(($(printf '%s %s' "$since_commit" "$1" | cksum | cut -d ' ' -f 1) % ${DRAW:-12})) = 0 ]
}

since_wanted() {
    since_all && return
    since_drawn "$1" && return
    shift
    printf '%s\n' "$@" | grep -qxF -f "$since_file"
}
