# SPDX-License-Identifier: Apache-2.0
# What each kind of instruction costs, as docs/core.md says it.  Only without stalls.
    .include "test.inc"

    # timed ... took CYCLES: between two reads of mcycle, less what the reads alone take.
    .macro  timed
    align_code 4
    csrr    a6, mcycle
    .endm

    .macro  took want
    nop                                 # a CSR access waits for it, whatever came before
    csrr    a7, mcycle
    sub     a7, a7, a6
    sub     a7, a7, s9
    check   a7, \want
    .endm

    # costs CYCLES, instruction
    .macro  costs want, insn:vararg
    timed
    \insn
    took    \want
    .endm

    # target_at OFFSET, CYCLES: an indirect jump to a 32-bit instruction at OFFSET in its word
    .macro  target_at offset, want
    la      t0, 1f
    timed
    jr      t0
    .option push
    .option rvc
    .if     \offset
    c.nop
    .endif
    .option pop
1:  took    \want
    .endm

    begin
    align_code 4
    csrr    a6, mcycle
    nop
    csrr    a7, mcycle
    sub     s9, a7, a6
    check   s9, 3
    la      a5, datum
    li      a4, 1000
    li      a3, 7
    timed
    took    0
    costs   1, nop
    costs   1, add a0, a3, a4
    costs   1, sll a0, a3, a4
    costs   1, lw a0, 0(a5)
    costs   1, sw a0, 0(a5)
    timed
    lw      a0, 0(a5)
    sw      a3, 4(a5)
    lb      a1, 0(a5)
    sh      a3, 4(a5)
    took    4
    timed
    lw      a0, 0(a5)
    nop
    took    2
    timed
    lw      a0, 0(a5)
    add     a1, a0, a0
    took    3
    timed
    lw      a0, 0(a5)
    nop
    add     a1, a0, a0
    took    3
    costs   1, mul a0, a3, a4
    costs   1, mulhu a0, a3, a4
    timed
    mul     a0, a3, a4
    add     a1, a0, a0
    took    3
    timed
    mul     a0, a3, a4
    nop
    add     a1, a0, a0
    took    3
    costs   34, div a0, a4, a3
    costs   34, remu a0, a4, a3
    costs   2, csrr a0, mscratch
    costs   2, csrw mscratch, a0
    costs   1, bne x0, x0, fail
    timed
    beq     x0, x0, 2f
2:
    took    3                           # thought not to be taken

    # the same branch: thought wrongly, wrongly again, then taken as it was learned
    li      a2, 3
    timed
3:  beq     x0, x0, 4f
    j       fail
4:  addi    a2, a2, -1
    bnez    a2, 3b
    took    3 + 3 + 2 + 3 + 2 + 2 + 3
    la      t0, 5f
    timed
    jr      t0
    align_code 4
5:  took    2
    costs   3, fence.i
    target_at 0, 2
    target_at 2, 3

    # from an instruction that traps to the first of the handler
    la      t0, handler
    csrrw   s8, mtvec, t0
    timed
    ecall
    j       fail
    align_code 4
handler:
    took    4
    csrw    mtvec, s8

    end

    .data
    .balign 4
datum:
    .word   1, 2
