# SPDX-License-Identifier: Apache-2.0
#
# Registers and memories that the root class of a verilated node holds, one line for each:
# TERN_MODEL_REGISTER(member, "name in the RTL").  Registers end in _q in this tree; memories are
# unpacked arrays.  Copies that Verilator makes for itself (__V...) are left out.
function rtl_name(member) {
    gsub(/__DOT__/, ".", member)
    gsub(/__BRA__/, "[", member)
    gsub(/__KET__/, "]", member)
    return member
}

/^ *(CData|SData|IData|QData|VlWide<|VlUnpacked<).*;/ {
    line = $0
    sub(/;.*/, "", line)
    count = split(line, words, " ")
    member = words[count]
    if (member !~ /^tern_node__DOT__/ || member ~ /__V[a-z]/)
        next
    if (line !~ /VlUnpacked</ && member !~ /_q$/)
        next
    printf "TERN_MODEL_REGISTER(%s, \"%s\")\n", member, rtl_name(member)
}
