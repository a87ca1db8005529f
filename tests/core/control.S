# SPDX-License-Identifier: Apache-2.0
# Branches and jumps: every instruction, both outcomes, far targets, half-word targets.
    .include "test.inc"
    begin

    # branch OP, A, B, TAKEN: forwards and backwards
    .macro  branch op, a, b, taken
    .set    number, number + 1
    li      s11, number
    li      a0, 0
    li      a1, \a
    li      a2, \b
    \op     a1, a2, 1f
    addi    a0, a0, 1
    j       2f
1:  addi    a0, a0, 2
    j       2f
    nop
2:  check   a0, 1 + \taken
    li      a0, 0
    li      a1, \a
    li      a2, \b
    j       4f
3:  li      a0, 1
    j       5f
4:  \op     a1, a2, 3b
5:  check   a0, \taken
    .endm

    branch beq,  5, 5, 1
    branch beq,  5, -5, 0
    branch bne,  5, 5, 0
    branch bne,  0x80000005, 5, 1
    branch blt,  -1, 0, 1
    branch blt,  0, -1, 0
    branch blt,  3, 3, 0
    branch blt,  0x80000000, 0x7fffffff, 1
    branch bge,  -1, 0, 0
    branch bge,  0, -1, 1
    branch bge,  3, 3, 1
    branch bltu, -1, 0, 0
    branch bltu, 0, -1, 1
    branch bltu, 3, 3, 0
    branch bgeu, -1, 0, 1
    branch bgeu, 0, -1, 0
    branch bgeu, 3, 3, 1

    # the farthest branches
    li      a0, 0
    beq     x0, x0, far_ahead
back_again:
    check   a0, 77
    j       jumps
    .balign 4
    .skip   4000
far_ahead:
    li      a0, 77
    beq     x0, x0, back_again
jumps:

    jal     a0, 1f
0:  j       fail
1:  check_at a0, 0b
    jal     x0, 2f
    j       fail
2:  check   x0, 0
    la      a1, 4f
    jalr    a0, a1, 0
3:  j       fail
4:  check_at a0, 3b
    la      a1, 6f + 2047
    jalr    a1, a1, -2047            # the link may overwrite the base
5:  j       fail
6:  check_at a1, 5b
    la      a1, 7f + 1               # bit 0 of the target is dropped
    jalr    x0, a1, 0
    j       fail
7:  check   x0, 0

    # a loop of every parity of address: 32-bit instructions on half-word boundaries
    .option push
    .option rvc
    .set    shift, 0
    .rept   4
    li      a0, 0
    li      a1, 5
    .if     shift & 1
    c.nop
    .endif
8:  add     a0, a0, a1
    .if     shift & 2
    c.nop
    .endif
    addi    a1, a1, -1
    bne     a1, x0, 8b
    check   a0, 15
    .set    shift, shift + 1
    .endr
    .option pop

    # back-to-back jumps
    li      a0, 0
    j       9f
10: j       11f
9:  j       10b
11: jal     a1, 12f
12: jal     a2, 13f
13: check_at a1, 12b
    check_at a2, 13b

    # deep in RAM and back
    la      a1, far_routine
    jalr    ra, a1, 0
    check   a0, 0x5a5

    end

    .section .code.far, "awx", @progbits
    .balign 4
    .skip   65536 + 2
far_routine:
    li      a0, 0x5a5
    ret
