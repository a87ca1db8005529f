/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code with known paths, for the tests of the profiler. It never runs: the tests make traces along
 * it. A label X_back is the return address of a call in X.
 */
    .macro  function name
    .globl  \name
    .type   \name, @function
\name:
    .endm
    .macro  end name
    .size   \name, . - \name
    .endm

    .section .text.start, "ax"
    .globl  _start
_start:
    nop
    jal     main
start_back:
    wfi
    j       _start

    .section .text.main, "ax"
function main
    nop
    jal     middle
main_back:
    nop
    jalr    t1              /* calls leaf */
main_back_register:
    nop
    jal     t0, milli
main_back_t0:
    wfi
    nop
    jal     tailer
main_back_tail:
    nop
    jal     recurse
main_back_recurse:
    jal     calculate
main_back_calculate:
    ret
end main

function middle
    nop
    jal     leaf
middle_back:
    nop
    ret
end middle

function leaf
    nop
leaf_end:
    ret
end leaf

function tailer
    nop
tailer_jump:
    j       leaf
end tailer

function milli
    nop
milli_end:
    jr      t0
end milli

function recurse
    beqz    a0, recurse_back
recurse_call:
    jal     recurse
recurse_back:
    ret
end recurse

function sleeper
    nop
sleeper_branch:
    beqz    a0, sleeper_jump
sleeper_wfi:
    wfi
sleeper_jump:
    j       sleeper_wfi
end sleeper

    .balign 4
function handler
    nop
handler_call:
    jal     leaf
handler_back:
    nop
handler_end:
    mret
end handler

/* Every form of jump with a fixed target: from X_from to X_to. */
    .option push
    .option norelax
    .option norvc
function jumps
c0_from: jal ra, c0_to
c1_from: j c1_to
b0_from: beq a0, a1, b0_to
b1_from: bgeu a0, a1, b1_to
c2_to:   nop
b2_to:   nop
    .skip 3000
b0_to:   nop
c2_from: jal ra, c2_to
b2_from: bne a0, a1, b2_to
    .skip 60000
c0_to:   nop
c3_from: jal t0, c3_to
b1_to = b0_to
c1_to = b2_to
    .option rvc
    .skip 200
c3_to:   nop
c4_from: c.jal c4_to
c5_from: c.j c5_to
b3_from: c.beqz a0, b3_to
b4_from: c.bnez a5, b4_to
    .skip 180
b3_to:   nop
b5_to:   nop
    .skip 100
b5_from: c.bnez a1, b5_to
    .skip 500
c5_to:   nop
    .skip 1000
c4_to:   nop
b4_to = b3_to
end jumps
    .option pop
