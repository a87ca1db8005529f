# SPDX-License-Identifier: Apache-2.0
#
# usage: nm -A OBJECT... | awk -v strip=PREFIX [-v floors=FILE] -f knots.awk
#
# Finds calls between files, by the symbol tables of their objects. PREFIX is the part of an
# object's path before that of the source. Prints "up CALLER CALLEE symbol" for each reference to a
# folder that the row of the caller's folder does not name (floors: lines "folder<TAB>roots", as
# floors.sh makes them), and "knot FILE..." for each strongly connected component of more than one
# file. A last line says "files N calls N".
#
# memcpy and memset belong to the C library, whichever file defines them.
BEGIN {
    while (floors != "" && (getline line < floors) > 0) {
        split(line, part, "\t")
        roots[part[1]] = part[2]
    }
}

function folder_of(path) { sub(/\/[^\/]*$/, "", path); return path }

function row_of(path) {
    for (path = folder_of(path); path != "" && !(path in roots); path = folder_of(path))
        if (path !~ /\//) return ""
    return path
}

function allowed(from, to,    row, folder, n, i, root) {
    row = row_of(from)
    folder = folder_of(to)
    if (folder == folder_of(from)) return 1
    n = split(roots[row], root, " ")
    for (i = 1; i <= n; i++)
        if (root[i] == folder) return 1
    return 0
}

{
    path = $0
    sub(/:.*/, "", path)
    if (index(path, strip) == 1) path = substr(path, length(strip) + 1)
    sub(/\.o$/, "", path)
    if (!(path in seen)) { seen[path] = 1; file[++files] = path }
    if ($NF == "memcpy" || $NF == "memset") next
    if ($(NF - 1) ~ /^[TDRBGSV]$/) home[$NF] = path
    else if ($(NF - 1) == "U" || $(NF - 1) == "w") wanted[path, $NF] = 1
}

END {
    for (pair in wanted) {
        split(pair, part, SUBSEP)
        from = part[1]
        to = home[part[2]]
        if (to == "" || to == from) continue
        if (!((from, to) in edge)) { edge[from, to] = 1; calls++ }
        if (floors != "" && !allowed(from, to)) print "up", from, to, part[2]
    }
    for (k = 1; k <= files; k++)
        for (i = 1; i <= files; i++) {
            if (!((file[i], file[k]) in edge)) continue
            for (j = 1; j <= files; j++)
                if ((file[k], file[j]) in edge) edge[file[i], file[j]] = 1
        }
    for (i = 1; i <= files; i++) {
        if (file[i] in told || !((file[i], file[i]) in edge)) continue
        knot = ""
        for (j = 1; j <= files; j++)
            if (((file[i], file[j]) in edge) && ((file[j], file[i]) in edge)) {
                knot = knot " " file[j]
                told[file[j]] = 1
            }
        print "knot" knot
    }
    print "files", files + 0, "calls", calls + 0
}
