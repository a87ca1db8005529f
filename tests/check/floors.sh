#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that no include goes up a floor, or through `..` (floors.def). Headers of Verilator (V*.h,
# verilated*.h) belong to no floor.
set -u
. tests/check/lib.sh

sources='^(hw-model|fw|host-driver|sim|examples)/.*\.(c|h|S|cpp|hpp)$'
files "$sources" > "$work/sources"

# The rows, each on one line: folder, roots, system headers.
tr '\n' ' ' < tests/check/floors.def | sed 's/FLOOR(/\n&/g' |
    awk -F '"' '/^FLOOR/ { print $2 "\t" $4 "\t" $6 }' > "$work/floors"

# "file<TAB>line<TAB>< or quote<TAB>name" for every include.
xargs -r grep -nE '^[ \t]*#[ \t]*include[ \t]*[<"]' /dev/null < "$work/sources" |
    sed -E 's/^([^:]*):([0-9]*):[^<"]*([<"])([^>"]*)[>"].*/\1\t\2\t\3\t\4/' > "$work/includes"

awk -F '\t' -v floors="$work/floors" -v tree="$work/files" '
    BEGIN {
        while ((getline < floors) > 0) { roots[$1] = $2; system_of[$1] = $3 }
        while ((getline path < tree) > 0) exists[path] = 1
    }
    function row_of(path,    folder) {
        folder = path
        while (sub(/\/[^\/]*$/, "", folder))
            if (folder in roots) return folder
        return ""
    }
    # Returns the file that an include names, if it belongs to the tree.
    function found_at(row, file, name,    n, i, root, own) {
        own = file
        sub(/\/[^\/]*$/, "", own)
        if ((own "/" name) in exists) return 1
        if ((row "/" name) in exists) return 1
        n = split(roots[row], root, " ")
        for (i = 1; i <= n; i++)
            if ((root[i] "/" name) in exists) return 1
        return 0
    }
    function system_header(row, name,    n, i, allowed) {
        if (system_of[row] == "*") return 1
        n = split(system_of[row], allowed, " ")
        for (i = 1; i <= n; i++)
            if (allowed[i] == name) return 1
        return 0
    }
    # Returns a header of the tree with that name, in any folder.
    function of_the_tree(name,    path) {
        for (path in exists)
            if (path == name || substr(path, length(path) - length(name)) == "/" name) return 1
        return 0
    }
    {
        where = $1 ":" $2 ": " $4
        row = row_of($1)
        if ($4 ~ /(^|\/)\.\.(\/|$)/) print where ": goes through .."
        else if (row == "") print where ": its folder has no row in floors.def"
        else if (found_at(row, $1, $4)) next
        else if ($3 == "\"" && $4 !~ /^(V[a-z0-9_]+|verilated[a-z_]*)\.h$/) print where ": not in the roots of " row
        else if ($3 == "<" && of_the_tree($4)) print where ": of the tree, not in the roots of " row
        else if ($3 == "<" && !system_header(row, $4)) print where ": not for " row
    }' "$work/includes" > "$work/found"
empty "$work/found" "no include goes up a floor"

# Compiler flags must not permit what the table forbids.
grep -nE -- '-I *[^ ]*\.\.' Makefile build.mk $(files '\.mk$') /dev/null > "$work/found"
empty "$work/found" "no include root goes through .."
finish
