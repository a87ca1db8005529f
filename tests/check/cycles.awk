# SPDX-License-Identifier: Apache-2.0
#
# Finds strongly connected components of a graph of calls between files.
#
# Input: lines "file D symbol" (the file defines it) and "file U symbol" (it calls it).
# Output: a line for each component of more than one file, its files in order, then, indented, the calls
# that close it.  The graphs have some hundred nodes: reachability by Warshall's algorithm is enough.
$2 == "D" { home[$3] = $1 }
$2 == "U" { calls[++n_calls] = $1 " " $3 }
{ if (!($1 in known)) { known[$1] = 1; file[++n] = $1 } }
END {
    for (i = 1; i <= n_calls; i++) {
        split(calls[i], part, " ")
        to = home[part[2]]
        if (to != "" && to != part[1]) {
            edge[part[1], to] = edge[part[1], to] " " part[2]
            reach[part[1], to] = 1
        }
    }
    for (k = 1; k <= n; k++)
        for (i = 1; i <= n; i++)
            if ((file[i], file[k]) in reach)
                for (j = 1; j <= n; j++)
                    if ((file[k], file[j]) in reach) reach[file[i], file[j]] = 1
    for (i = 1; i <= n; i++) {
        if (file[i] in done || !((file[i], file[i]) in reach)) continue
        members = ""
        for (j = 1; j <= n; j++)
            if ((file[i], file[j]) in reach && (file[j], file[i]) in reach) {
                done[file[j]] = file[i]
                members = members " " file[j]
            }
        print "component:" members
        for (j = 1; j <= n; j++)
            for (k = 1; k <= n; k++)
                if ((file[j] in done) && (file[k] in done) && done[file[j]] == file[i] && done[file[k]] == file[i] &&
                    (file[j], file[k]) in edge)
                    print "    " file[j] " ->" " " file[k] ":" edge[file[j], file[k]]
    }
}
