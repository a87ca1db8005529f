# SPDX-License-Identifier: Apache-2.0
# fence.i: code written by stores is what runs, also when it lies directly behind.
    .include "test.inc"
    begin
    .option norvc

    # a routine rewritten again and again, called from near and far
    la      a5, routine
    li      a4, 0
1:  li      a0, 0x513                    # addi a0, x0, a4
    slli    a1, a4, 20
    or      a0, a0, a1
    sw      a0, 0(a5)
    fence.i
    jalr    ra, a5, 0
    li      s11, 10
    bne     a0, a4, fail
    addi    a4, a4, 1
    li      a1, 64
    bltu    a4, a1, 1b

    # the very next instruction, in both half-word positions
    la      a1, 2f
    la      a2, patch
    lw      a0, 0(a2)
    sw      a0, 0(a1)
    li      a0, 1
    align_code 4
    fence.i
2:  addi    a0, a0, 100
    check   a0, 8

    la      a1, 3f
    lh      t0, 0(a2)
    lh      t1, 2(a2)
    li      a0, 1
    sh      t0, 0(a1)
    nop
    sh      t1, 2(a1)
    align_code 4
    .option rvc
    c.nop
    .option norvc
    fence.i
3:  addi    a0, a0, 100
    check   a0, 8

    # a 16-bit instruction becomes another, then half of a longer one
    la      a1, 4f
    li      t0, 0x0515                   # c.addi a0, 5
    li      a0, 1
    align_code 4
    sh      t0, 0(a1)
    fence.i
    .option rvc
4:  c.addi  a0, 1
    c.nop
    .option norvc
    check   a0, 6

    end

    .data
    .balign 4
patch:
    addi    a0, a0, 7

    .option norvc
    .section .code.routine, "awx", @progbits
    .balign 4
routine:
    nop
    ret
