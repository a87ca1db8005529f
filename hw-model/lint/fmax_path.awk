# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -f fmax_path.awk REPORT.json
#
# The slowest path of a nextpnr report, a hop a line: nanoseconds since the clock edge, those of
# the hop with the cell in front of it, the net, and the pin it ends at.  A name that synthesis
# made up is cut to the RTL name it begins with, and ~.  A carry chain is one line.
BEGIN { RS = "[{]\"delay\": " }

function rtl(name) {
    sub(/^u_dut[.]/, "", name)
    if (sub(/(_(LUT4|CCU2C|TRELLIS_FF|TRELLIS_DPR16X4|MULT18X18D|P?DPW?16KD)_|[$]).*/, "", name))
        name = name "~"
    return name
}

# The value of a key, "" when it is not in the text.
function value(text, key) {
    if (!match(text, "\"" key "\": \"[^\"]*\"")) return ""
    text = substr(text, RSTART, RLENGTH)
    sub(/^"[^"]*": "/, "", text)
    sub(/"$/, "", text)
    return text
}

function hop_line(at, text) {
    printf "    %6.2f %5.2f  %s\n", at, hop, substr(text, 1, 84)
    hop = 0
}

function wire_line(at) {
    if (carries) printf "    %6.2f        (carry over %d cells)\n", at - $0, (carries + 1) / 2
    carries = 0
    hop_line(at, rtl(value($0, "net")) " -> " cell "." port)
}

NR == 1 || ended { next }
{
    sink = $0
    sub(/.*"to": [{]"cell"/, "\"cell\"", sink)
    cell = rtl(value(sink, "cell"))
    port = value(sink, "port")
    type = value($0, "type")
    total += $0
    hop += $0
}
type == "clk-to-q" { hop_line(total, "from " cell) }
type == "logic" && port !~ /^FC/ { levels++ }
type == "routing" { wires += $0 }
type == "routing" && port == "FCI" { carries++ }
type == "routing" && port != "FCI" { wire_line(total) }
type == "setup" { hop_line(total, "setup of " cell) }
/[}][]], "to": / {
    ended = 1
    printf "    %6.2f ns, %d levels of logic, of which wires %.2f ns\n", total, levels, wires
}
