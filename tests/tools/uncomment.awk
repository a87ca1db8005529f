# SPDX-License-Identifier: Apache-2.0
#
# Prints "file:line:code" for every line of C or SystemVerilog that has code after comments and the
# contents of strings were removed.
FNR == 1 { in_comment = 0 }

{
    code = ""
    rest = $0
    while (rest != "") {
        if (in_comment) {
            end = index(rest, "*/")
            if (!end) { rest = ""; break }
            rest = substr(rest, end + 2)
            in_comment = 0
            code = code " "
            continue
        }
        if (!match(rest, /\/\*|\/\/|"/)) { code = code rest; break }
        what = substr(rest, RSTART, RLENGTH)
        code = code substr(rest, 1, RSTART - 1)
        rest = substr(rest, RSTART + RLENGTH)
        if (what == "//") break
        if (what == "/*") { in_comment = 1; continue }
        if (match(rest, /^([^"\\]|\\.)*"/)) rest = substr(rest, RLENGTH + 1)
        code = code "\"\""
    }
    if (code ~ /[^ \t]/) print FILENAME ":" FNR ":" code
}
