# SPDX-License-Identifier: Apache-2.0
#
# Judges one test program's output.
#
# usage: awk -f tap.awk -v program=NAME -v status=EXIT -v complaints=FILE skips.def LOG
#
# Prints "passed failed skipped" and writes one line to FILE for every error. It adds up several
# plans in one log (a program with several groups of tests).

function complain(text) {
    failed++
    print text > complaints
}

# An allowed skip is a row SKIP(program, test, "reason"); test may be *.
function may_skip(test) {
    return (program SUBSEP test) in allowed || (program SUBSEP "*") in allowed
}

BEGIN {
    passed = failed = skipped = tests = planned = plans = explaining = 0
    printf "" > complaints
}

FILENAME ~ /skips\.def$/ {
    if (match($0, /^SKIP\([^"]*/)) {
        row = substr($0, 6, RLENGTH - 5)
        split(row, part, /, */)
        allowed[part[1] SUBSEP part[2]] = 1
    }
    next
}

/^1\.\.[0-9]+/ {
    planned += substr($1, 4)
    plans++
    if (toupper($0) ~ /# SKIP/ && planned == 0) {
        if (may_skip("*")) skipped++
        else complain("skipped as a whole, and skips.def does not allow it")
        tests++
        planned++
    }
    next
}

# Comment lines directly after a failed test explain the failure.
/^#/ && explaining > 0 { explaining--; print "  " $0 > complaints; next }
{ explaining = 0 }

/^Bail out!/ { complain($0); next }

/^(not )?ok( |$)/ {
    tests++
    name = $0
    sub(/^(not )?ok *[0-9]* *(- *)?/, "", name)
    is_skip = toupper(name) ~ /# *SKIP/
    reason = name
    sub(/ *# *[Ss][Kk][Ii][Pp].*/, "", name)
    if (is_skip && name == "") {
        name = reason
        sub(/.*# *[Ss][Kk][Ii][Pp] */, "", name)
    }
    if (is_skip) {
        if (may_skip(name)) skipped++
        else complain("not allowed by skips.def: skip of " name)
    } else if ($1 == "ok") {
        passed++
    } else {
        complain("not ok: " name)
        explaining = 12
    }
}

END {
    if (tests == 0)
        complain("no test line was printed")
    if (plans == 0 && tests > 0 && failed == 0 && status == 0)
        complain("no plan: it may have ended early")
    if (plans > 0 && planned != tests)
        complain("planned " planned " tests, printed " tests)
    if (status == 124 || status == 137)
        complain("killed: ran into the time limit")
    else if (status != 0 && failed == 0)
        complain("exit status " status)
    print passed, failed, skipped
}
