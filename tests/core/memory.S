# SPDX-License-Identifier: Apache-2.0
# Loads and stores: every size, sign and lane; values forwarded into and out of them.
    .include "test.inc"
    begin

    la      a5, words
    # load OP, WANT, OFFSET
    .macro  load op, want, offset
    \op     a0, \offset(a5)
    check   a0, \want
    addi    a4, a5, \offset + 16
    \op     a4, -16(a4)                  # address just computed, overwritten
    check   a4, \want
    .endm
    load lb,  0x00000001, 0
    load lb,  0xffffffef, 1
    load lb,  0x0000007f, 2
    load lb,  0xffffff80, 3
    load lbu, 0x000000ef, 1
    load lbu, 0x00000080, 3
    load lbu, 0x0000007f, 2
    load lbu, 0x00000001, 0
    load lh,  0xffffef01, 0
    load lh,  0xffff807f, 2
    load lh,  0x00001234, 6
    load lhu, 0x0000ef01, 0
    load lhu, 0x0000807f, 2
    load lw,  0x807fef01, 0
    load lw,  0x12345678, 4
    lw      x0, 4(a5)
    check   x0, 0

    la      a4, room
    # store OP, VALUE, OFFSET, WANT, then the word as it became
    .macro  store op, value, offset, want
    li      a1, 0xa5a5a5a5
    sw      a1, 0(a4)
    sw      a1, 4(a4)
    li      a0, \value
    \op     a0, \offset(a4)
    lw      a2, (\offset & ~3)(a4)
    check   a2, \want
    lw      a2, (4 - (\offset & ~3))(a4)
    check   a2, 0xa5a5a5a5
    .endm
    store sb, 0x11223344, 0, 0xa5a5a544
    store sb, 0x11223344, 1, 0xa5a544a5
    store sb, 0x11223344, 2, 0xa544a5a5
    store sb, 0x11223344, 3, 0x44a5a5a5
    store sb, 0x11223344, 7, 0x44a5a5a5
    store sh, 0x11223344, 0, 0xa5a53344
    store sh, 0x11223344, 2, 0x3344a5a5
    store sh, 0x11223344, 6, 0x3344a5a5
    store sw, 0x11223344, 0, 0x11223344
    store sw, 0x11223344, 4, 0x11223344

    # farthest offsets
    addi    a3, a4, 2047
    li      a0, 0x77
    sb      a0, -2047(a3)
    lbu     a1, 0(a4)
    check   a1, 0x77
    addi    a3, a4, -2048
    sb      a3, 2047(a3)
    addi    a3, a4, -1
    lbu     a1, 0(a3)
    la      a2, room - 2048
    andi    a2, a2, 0xff
    sub     a1, a1, a2
    check   a1, 0

    # loaded value used at once as address, as store data, as branch operand, by both sources
    la      a0, pointer
    lw      a0, 0(a0)
    lw      a0, 0(a0)
    check   a0, 0x12345678
    lw      a0, 4(a5)
    sw      a0, 8(a4)
    lw      a1, 8(a4)
    add     a1, a1, a1
    check   a1, 0x2468acf0
    lw      a0, 4(a5)
    beq     a0, x0, fail
    lw      a0, 4(a5)
    bne     a0, a0, fail
    # overwritten before it is used: the younger wins
    lw      a0, 4(a5)
    li      a0, 9
    check   a0, 9
    li      a0, 9
    lw      a0, 4(a5)
    addi    a0, a0, 1
    check   a0, 0x12345679
    # a load's destination as the next load's base and so on along a chain
    la      a0, chain
    lw      a0, 0(a0)
    lw      a0, 0(a0)
    lw      a0, 0(a0)
    check_at a0, chain

    # a run of stores, then a run of loads
    .set    i, 0
    .rept   8
    li      a0, 0x100 + i
    sw      a0, 4*i(a4)
    .set    i, i + 1
    .endr
    lw      a0, 0(a4)
    lw      a1, 4(a4)
    lw      a2, 8(a4)
    lw      a3, 12(a4)
    lw      t0, 16(a4)
    lw      t1, 20(a4)
    lw      t2, 24(a4)
    lw      t3, 28(a4)
    add     a0, a0, a1
    add     a2, a2, a3
    add     t0, t0, t1
    add     t2, t2, t3
    add     a0, a0, a2
    add     t0, t0, t2
    add     a0, a0, t0
    check   a0, 0x81c
    fence
    fence   rw, w
    fence.tso

    # multiply and divide with operands and results on their way
    lw      a0, 0(a4)
    mul     a0, a0, a0
    mul     a1, a0, a0
    check   a1, 0x00000000
    check   a0, 0x00010000
    lw      a0, 4(a4)
    divu    a1, a0, a0
    remu    a2, a0, a1
    sw      a1, 0(a4)
    lw      a3, 0(a4)
    add     a3, a3, a2
    check   a3, 1

    # a device register is read once for each load, stalls or not
    li      a3, 0x10000000
    lw      a0, 0(a3)
    lw      a1, 0(a3)
    sub     a1, a1, a0
    check   a1, 1

    end

    .data
    .balign 4
words:
    .word   0x807fef01, 0x12345678
pointer:
    .word   words + 4
chain:
    .word   chain1
chain1:
    .word   chain2
chain2:
    .word   chain
    .skip   2048
room:
    .skip   4096
