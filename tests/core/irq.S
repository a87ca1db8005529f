# SPDX-License-Identifier: Apache-2.0
# Interrupts and wfi: each line, direct and vectored, priorities, masking, precision.
    .include "test.inc"
    .equ    LINES, 0x10000004            # of the bench: bit 0 timer, 1 software, 2 external
    .equ    LATER, 0x10000008
    .equ    AFTER, 0x1000000c
    .equ    MSI, 0x008
    .equ    MTI, 0x080
    .equ    MEI, 0x800

    begin
    li      a5, LINES

    # set_lines V: and long enough for mip to see them
    .macro  set_lines value
    li      t0, \value
    sw      t0, 0(a5)
    nop
    nop
    nop
    nop
    .endm

    # --- lines show in mip, whatever is enabled ---
    set_lines 1
    csrr    a0, mip
    check   a0, MTI
    set_lines 2
    csrr    a0, mip
    check   a0, MSI
    set_lines 4
    csrr    a0, mip
    check   a0, MEI
    set_lines 7
    csrr    a0, mip
    check   a0, MTI | MSI | MEI

    # --- all pending, none enabled by mie: nothing happens with mstatus.MIE on ---
    csrsi   mstatus, 8
    nop
    nop
    csrci   mstatus, 8
    # enabled by mie, not by mstatus: nothing happens
    li      a0, MTI | MSI | MEI
    csrw    mie, a0
    nop
    nop

    # --- interrupts ENABLE, CAUSE: enabling takes the best at the very next instruction ---
    .macro  interrupts enable, cause
    li      a0, \enable
    csrw    mie, a0
    la      s1, 2f
    li      s2, -1
    csrsi   mstatus, 8
1:  j       fail
2:  csrci   mstatus, 8
    check   s2, 0x80000000 + \cause
    check_at s3, 1b
    check   s4, 0
    .endm
    interrupts MTI | MSI | MEI, 11
    interrupts MTI | MSI, 3
    interrupts MTI, 7
    interrupts MSI, 3
    interrupts MEI, 11

    # enabled by the write to mie instead
    csrw    mie, x0
    csrsi   mstatus, 8
    la      s1, 4f
    li      a0, MSI
    csrw    mie, a0
3:  j       fail
4:  csrci   mstatus, 8
    check   s2, 0x80000003
    check_at s3, 3b

    # disabling works at once: the instruction after the write is not interrupted
    li      s1, 0
    li      a0, MTI
    csrw    mie, x0
    csrsi   mstatus, 8
    csrci   mstatus, 8
    csrw    mie, a0
    nop
    csrw    mie, x0
    # mret turns them on: the interrupt comes before the first instruction returned to
    csrw    mie, a0
    la      s1, 6f
    la      a1, 5f
    csrw    mepc, a1
    li      a1, 0x80
    csrs    mstatus, a1
    mret
5:  j       fail
6:  csrci   mstatus, 8
    check   s2, 0x80000007
    check_at s3, 5b
    # an exception and an interrupt at one instruction: the interrupt goes first
    la      s1, 8f
    csrsi   mstatus, 8
7:  .word   0
8:  csrci   mstatus, 8
    check   s2, 0x80000007
    check_at s3, 7b
    set_lines 0
    csrr    a0, mip
    check   a0, 0

    # --- vectored: each cause to its own entry, exceptions to the base ---
    csrr    s6, mtvec
    la      t0, vectors
    ori     t0, t0, 1
    csrw    mtvec, t0
    .macro  vectored line, enable, want
    set_lines \line
    li      a0, \enable
    csrw    mie, a0
    li      s7, 0
    la      s1, 9f
    csrsi   mstatus, 8
    j       fail
9:  csrci   mstatus, 8
    check   s7, \want
    .endm
    vectored 1, MTI, 7
    vectored 2, MSI, 3
    vectored 4, MEI, 11
    set_lines 0
    li      s7, 0
    la      s1, 10f
    ecall
10: check   s7, 99
    csrw    mtvec, s6

    # --- wfi ---
    # returns at once when one is pending and enabled, even with mstatus.MIE off
    li      s1, 0
    li      a0, MTI | MSI | MEI
    csrw    mie, a0
    set_lines 1
    wfi
    set_lines 0
    # sleeps until the line comes
    .macro  sleeps line, enable
    li      a0, \enable
    csrw    mie, a0
    li      t0, \line
    sw      t0, 4(a5)
    li      t0, 200
    csrr    a3, mcycle
    sw      t0, 8(a5)
    wfi
    csrr    a4, mcycle
    sub     a4, a4, a3
    sltiu   a4, a4, 200
    check   a4, 0
    set_lines 0
    .endm
    sleeps  1, MTI
    sleeps  2, MSI
    sleeps  4, MEI
    # a line that is not enabled does not wake it: the timer comes first, the other wakes
    li      a0, MEI
    csrw    mie, a0
    set_lines 3
    li      t0, 7
    sw      t0, 4(a5)
    li      t0, 200
    csrr    a3, mcycle
    sw      t0, 8(a5)
    wfi
    csrr    a4, mcycle
    sub     a4, a4, a3
    sltiu   a4, a4, 200
    check   a4, 0
    set_lines 0
    # with MIE on the interrupt follows wfi: mepc is behind it
    li      t0, 4
    sw      t0, 4(a5)
    li      t0, 100
    la      s1, 13f
    csrsi   mstatus, 8
    sw      t0, 8(a5)
    wfi
12: j       fail
13: csrci   mstatus, 8
    check   s2, 0x8000000b
    check_at s3, 12b
    set_lines 0

    # --- precision: interrupts at every distance into work of every kind change nothing ---
    la      t0, count_it
    csrw    mtvec, t0
    li      s5, 1                        # distance in cycles
    li      s8, 0                        # interrupts taken
    csrw    mscratch, a5
    li      a0, MTI
    csrw    mie, a0
    li      s6, 0x10000000
14: li      t0, 1
    sw      t0, 4(a5)
    lw      s9, 0(s6)                    # device reads so far
    csrr    s4, minstret
    csrsi   mstatus, 8
    sw      s5, 8(a5)
    la      a1, datum
    li      a0, 1000
    sw      a0, 0(a1)
    lw      a2, 0(a1)
    addi    a2, a2, 1
    sw      a2, 4(a1)
    lw      a3, 4(a1)
    mul     a3, a3, a2
    lw      t1, 0(s6)
    divu    a4, a3, a2
    lw      t2, 0(s6)
    remu    t3, a3, a0
    sh      a4, 8(a1)
    jal     t4, 15f
    j       fail
15: lbu     t5, 8(a1)
    bne     a4, a2, fail
    lhu     t6, 8(a1)
    lw      s10, 0(s6)
    csrci   mstatus, 8
    li      s11, 9
    sub     s10, s10, s9
    li      s7, 3
    bne     s10, s7, fail
    sub     t2, t2, t1
    li      s7, 1
    bne     t2, s7, fail
    li      s7, 1002001
    bne     a3, s7, fail
    li      s7, 1001
    bne     a4, s7, fail
    bne     t6, s7, fail
    li      s7, 0xe9
    bne     t5, s7, fail
    li      s7, 1
    bne     t3, s7, fail
    sw      x0, 0(a5)
    addi    s5, s5, 1
    li      t0, 110
    bltu    s5, t0, 14b
    li      s11, 8                       # most of them did come in between
    li      t0, 40
    bltu    s8, t0, fail
    j       16f

    .balign 4
count_it:
    csrrw   s7, mscratch, s7
    sw      x0, 0(s7)                    # line off
    csrr    s3, mip                      # the store has been answered; two cycles for mip
    csrr    s3, mip
    csrr    s3, mip
    csrrw   s7, mscratch, s7
    addi    s8, s8, 1
    mret

    .balign 64
    .option push
    .option norvc
vectors:
    j       vector_base
    .rept   2
    j       fail
    .endr
    j       vector_3
    .rept   3
    j       fail
    .endr
    j       vector_7
    .rept   3
    j       fail
    .endr
    j       vector_11
    .rept   4
    j       fail
    .endr
    .option pop
vector_base:
    li      s7, 99
    j       on_trap
vector_3:
    li      s7, 3
    j       on_trap
vector_7:
    li      s7, 7
    j       on_trap
vector_11:
    li      s7, 11
    j       on_trap
16:

    end

    .data
    .balign 4
datum:
    .skip   16
