# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -f branches.awk FILE.sv...
#
# Prints preprocessor branches of the chip's source of which one side might run in no simulation.
# docs/verification.md lists the builds that run each side of the others.
#
#   TERN_MODEL, TERN_ECP5   both sides run
#   TERN_FORMAL             the side that is left out runs, the other is proved
#   TERN_RVFI               adds ports for benches
#   VERILATOR, SYNTHESIS    add assertions, and what they alone look at, for simulation
#
# The last four have only one side.

function complain(at, why) { print FILENAME ":" at ": `" opener[depth] " " name[depth] ": " why }

FNR == 1 { depth = 0 }

/^ *`(ifdef|ifndef)[ \t]/ {
    depth++
    opener[depth] = $1 ~ /ifndef/ ? "ifndef" : "ifdef"
    name[depth] = $2
    at[depth] = FNR
    asserts[depth] = 0
    if (name[depth] !~ /^(TERN_MODEL|TERN_ECP5|TERN_FORMAL|TERN_RVFI|VERILATOR|SYNTHESIS)$/)
        complain(FNR, "no build is known that runs both sides")
    else if (opener[depth] == (name[depth] == "SYNTHESIS" ? "ifdef" : "ifndef") &&
             name[depth] ~ /^(VERILATOR|SYNTHESIS|TERN_RVFI)$/)
        complain(FNR, "text that no simulation runs")
    next
}

/^ *`(else|elsif)([ \t]|$)/ {
    if (name[depth] ~ /^(VERILATOR|SYNTHESIS|TERN_RVFI|TERN_FORMAL)$/)
        complain(FNR, "another side, which no simulation runs")
    if ($1 ~ /elsif/ && $2 !~ /^(TERN_MODEL|TERN_ECP5)$/)
        complain(FNR, "no build is known that runs `elsif " $2)
    next
}

/^ *`endif([ \t]|$)/ {
    if (name[depth] ~ /^(VERILATOR|SYNTHESIS)$/ && !asserts[depth])
        complain(at[depth], "changes what is simulated, and not what is synthesised")
    depth--
    next
}

/(^|[^A-Za-z0-9_])assert *\(/ { for (i = 1; i <= depth; i++) asserts[i] = 1 }

/^ *`(define|undef|include)[ \t]/ { print FILENAME ":" FNR ": no macros and no included text" }

END { if (depth) print FILENAME ": an open branch" }
