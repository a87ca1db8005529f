# SPDX-License-Identifier: Apache-2.0
#
# Prints SystemVerilog without comments, empty lines and trailing blanks: two files that differ in
# nothing else give the same output. Keeps comments that Verilator or Yosys obeys.
function obeyed(comment) { return comment ~ /^(\/\/|\/\*)[ \t]*(verilator|synthesis|synopsys|yosys)[ \t_]/ }

{
    code = ""
    rest = $0
    if (in_comment) {
        end = index(rest, "*/")
        if (!end) { comment = comment "\n" rest; next }
        comment = comment "\n" substr(rest, 1, end + 1)
        code = obeyed(comment) ? comment : " "
        rest = substr(rest, end + 2)
        in_comment = 0
    }
    while (match(rest, /\/\*|\/\/|"/)) {
        what = substr(rest, RSTART, RLENGTH)
        code = code substr(rest, 1, RSTART - 1)
        rest = substr(rest, RSTART)
        if (what == "\"") {
            if (!match(rest, /^"([^"\\]|\\.)*"/)) break # goes on in the next line
            code = code substr(rest, 1, RLENGTH)
            rest = substr(rest, RLENGTH + 1)
        } else if (what == "//") {
            if (obeyed(rest)) code = code rest
            rest = ""
        } else {
            end = index(substr(rest, 3), "*/")
            comment = end ? substr(rest, 1, end + 3) : rest
            rest = end ? substr(rest, end + 4) : ""
            if (!end) in_comment = 1
            else code = code (obeyed(comment) ? comment : " ")
        }
    }
    code = code rest
    sub(/[ \t]+$/, "", code)
    if (code != "") print code
}
