# SPDX-License-Identifier: Apache-2.0
# Every CSR: what it holds, what of it can be written, by which of the six instructions; and
# for all 4096 addresses whether they exist and may be written.
    .include "test.inc"
    begin

    # writes CSR, VALUE, WANT: what is left of a written value
    .macro  writes csr, value, want
    li      a1, \value
    csrw    \csr, a1
    csrr    a0, \csr
    check   a0, \want
    .endm

    # after reset
    csrr    a0, mstatus
    check   a0, 0x1800
    csrr    a0, mie
    check   a0, 0
    csrr    a0, mip
    check   a0, 0

    # the six instructions, on a register that keeps every bit
    li      a1, 0x12345678
    csrrw   a0, mscratch, a1
    csrrw   a0, mscratch, a1
    check   a0, 0x12345678
    li      a1, 0x0000ff00
    csrrs   a0, mscratch, a1
    check   a0, 0x12345678
    csrrc   a0, mscratch, a1
    check   a0, 0x1234ff78
    csrrs   a0, mscratch, x0
    check   a0, 0x12340078
    csrrwi  a0, mscratch, 31
    check   a0, 0x12340078
    csrrci  a0, mscratch, 10
    check   a0, 31
    csrrsi  a0, mscratch, 8
    check   a0, 21
    csrrci  a0, mscratch, 0
    check   a0, 29
    csrrsi  a0, mscratch, 0
    check   a0, 29
    csrrw   x0, mscratch, x0
    csrr    a0, mscratch
    check   a0, 0
    li      a0, 0x77                     # source and destination the same register
    csrw    mscratch, a0
    li      a0, 0x88
    csrrw   a0, mscratch, a0
    check   a0, 0x77
    csrr    a0, mscratch
    check   a0, 0x88
    # operand straight out of a load and of a multiply
    la      a2, datum
    lw      a1, 0(a2)
    csrw    mscratch, a1
    csrr    a0, mscratch
    check   a0, 0x600df00d
    li      a1, 3
    mul     a1, a1, a1
    csrw    mscratch, a1
    csrr    a0, mscratch
    addi    a0, a0, 1
    check   a0, 10

    writes  mscratch, 0xffffffff, 0xffffffff
    writes  mepc,     0xffffffff, 0xfffffffe
    writes  mepc,     0, 0
    writes  mcause,   0xffffffff, 0x8000001f
    writes  mcause,   7, 7
    writes  mtval,    0xdeadbeef, 0xdeadbeef
    writes  mie,      0xffffffff, 0x888
    writes  mie,      0, 0
    writes  mip,      0xffffffff, 0
    writes  mstatus,  0xffffffff, 0x1888
    writes  mstatus,  0, 0x1800
    writes  mstatush, 0xffffffff, 0
    writes  misa,     0, 0x40001104
    writes  mcountinhibit, 0xffffffff, 0
    writes  mcycleh,  0x12345678, 0x12345678
    writes  minstreth, 0xffffffff, 0xffffffff
    writes  mcycleh,  0, 0
    writes  minstreth, 0, 0
    writes  mhpmevent3, 0xffffffff, 0
    writes  mhpmevent31, 0xffffffff, 0
    writes  mhpmcounter3, 0xffffffff, 0
    writes  mhpmcounter31, 0xffffffff, 0
    writes  mhpmcounter3h, 0xffffffff, 0
    writes  mhpmcounter31h, 0xffffffff, 0
    csrr    t0, mtvec
    writes  mtvec,    0xffffffff, 0xfffffffd
    writes  mtvec,    0x80000101, 0x80000101
    csrw    mtvec, t0
    csrr    a0, mvendorid
    check   a0, 0
    csrr    a0, marchid
    check   a0, 0
    csrr    a0, mimpid
    check   a0, 0
    csrr    a0, mhartid
    check   a0, 0
    csrr    a0, 0xf15                    # mconfigptr, which older assemblers do not know
    check   a0, 0

    # a write to minstret takes the place of its own count, in either half
    li      a1, 0x40000000
    csrw    minstret, a1
    csrr    a2, minstret
    csrr    a3, minstret
    sub     a2, a2, a1
    check   a2, 0
    sub     a3, a3, a1
    check   a3, 1
    csrr    a0, minstret
    csrw    minstreth, a1
    csrr    a2, minstret
    sub     a2, a2, a0
    check   a2, 1
    # from the lower half it carries into the upper one
    li      a0, -2
    csrw    minstreth, x0
    csrw    minstret, a0
    nop
    nop
    csrr    a2, minstret
    csrr    a3, minstreth
    check   a2, 0
    check   a3, 1
    # mcycle goes on from the value that was written, and carries
    csrw    mcycle, a1
    csrr    a2, mcycle
    sub     a2, a2, a1
    li      a3, 1000
    bgeu    a2, a3, fail
    li      a0, -1
    csrw    mcycleh, x0
    csrw    mcycle, a0
    csrr    a2, mcycle
    csrr    a3, mcycleh
    bgeu    a2, a0, fail
    check   a3, 1

    # exactly the instructions between the reads, whatever they wait for
    csrr    a0, minstret
    la      a2, datum
    lw      a3, 0(a2)
    sw      a3, 4(a2)
    mul     a3, a3, a3
    divu    a3, a3, a3
    j       1f
1:  beq     x0, x0, 2f
2:  csrr    a1, minstret
    sub     a1, a1, a0
    check   a1, 9                        # la is two
    # an instruction that traps is not counted, the handler's nine are
    csrr    a0, minstret
    la      s1, 3f
    ecall
    j       fail
3:  csrr    a1, minstret
    sub     a1, a1, a0
    check   a1, 12
    # cycles go on at least as fast
    csrr    a0, mcycle
    csrr    a1, minstret
    csrr    a2, mcycle
    bgeu    a0, a2, fail

    # all 4096: build `csrrs a0, CSR, x0` and, for the read-only space, `csrrw x0, CSR, x0`
    la      s5, probe
    la      s6, exists                   # in order: the next that should be there
    li      a5, 0
4:  slli    a0, a5, 20
    li      a1, 0x2573
    or      a0, a0, a1
    la      a1, probe
    sw      a0, 0(a1)
    fence.i
    la      s1, 5f
    li      s2, -1
    jalr    ra, a1, 0
5:  li      s1, 0
    lhu     a2, 0(s6)                    # listed CSRs read, all others trap
    bne     a2, a5, 7f
    addi    s6, s6, 2
    li      s11, 6                       # a CSR that should exist trapped
    li      a3, -1
    bne     s2, a3, fail
    j       8f
7:  li      s11, 7                       # a CSR that should not exist did not
    li      a3, 2
    bne     s2, a3, fail
    bne     s3, s5, fail
    bne     s4, a0, fail
8:  srli    a2, a5, 10
    li      a3, 3
    bne     a2, a3, 9f
    slli    a0, a5, 20
    li      a1, 0x1073
    or      a0, a0, a1
    la      a1, probe
    sw      a0, 0(a1)
    fence.i
    la      s1, 10f
    li      s2, -1
    jalr    ra, a1, 0
10: li      s11, 8                       # a read-only CSR let itself be written
    li      a3, 2
    bne     s2, a3, fail
9:  la      s5, probe
    addi    a5, a5, 1
    li      a3, 4096
    bne     a5, a3, 4b

    # read-only CSRs: forms that mean to write trap, forms that do not read
    csrrs   a0, mhartid, x0
    csrrc   a0, mhartid, x0
    csrrsi  a0, mhartid, 0
    csrrci  a0, mhartid, 0
    traps   2, 0xf1401073, csrrw x0, mhartid, x0
    traps   2, 0xf1405573, csrrwi a0, mhartid, 0
    li      a1, 0
    traps   2, 0xf145a573, csrrs a0, mhartid, a1
    traps   2, 0xf145b573, csrrc a0, mhartid, a1
    traps   2, 0xf140e573, csrrsi a0, mhartid, 1
    traps   2, 0xf140f573, csrrci a0, mhartid, 1
    # and leave rd as it was
    li      a0, 0x51
    la      s1, 11f
    csrrw   a0, mhartid, a1
11: check   a0, 0x51

    end

    .macro range first, last
    .set    number, \first
    .rept   \last - \first + 1
    .half   number
    .set    number, number + 1
    .endr
    .endm

    .data
    .balign 4
datum:
    .word   0x600df00d, 0
exists:
    .half   0x300, 0x301, 0x304, 0x305, 0x310, 0x320
    range   0x323, 0x33f
    .half   0x340, 0x341, 0x342, 0x343, 0x344
    .half   0xb00, 0xb02
    range   0xb03, 0xb1f
    .half   0xb80, 0xb82
    range   0xb83, 0xb9f
    .half   0xf11, 0xf12, 0xf13, 0xf14, 0xf15, 0xffff

    .option norvc
    .section .code.probe, "awx", @progbits
    .balign 4
probe:
    nop
    ret
