# SPDX-License-Identifier: Apache-2.0
# Every instruction of RV32C, each written in its 16-bit form.
    .include "test.inc"
    begin
    .option rvc

    # two: 16-bit instructions at both half-words of a word
    .macro  two want, insn:vararg
    .balign 4
    \insn
    check   a0, \want
    .endm

    la      sp, stack
    mv      a5, sp
    c.addi4spn a0, sp, 1020
    sub     a0, a0, sp
    check   a0, 1020
    c.addi4spn a0, sp, 4
    sub     a0, a0, sp
    check   a0, 4
    c.addi16sp sp, -512
    sub     a0, sp, a5
    check   a0, -512
    c.addi16sp sp, 496
    c.addi16sp sp, 16
    sub     a0, sp, a5
    check   a0, 0

    li      a0, 0x1234
    c.swsp  a0, 0(sp)
    li      a1, 0x5678
    c.swsp  a1, 252(sp)
    c.lwsp  a2, 0(sp)
    check   a2, 0x1234
    c.lwsp  s5, 252(sp)
    check   s5, 0x5678
    c.sw    a1, 0(a5)
    c.sw    a0, 124(a5)
    c.lw    a2, 0(a5)
    check   a2, 0x5678
    c.lw    a3, 124(a5)
    check   a3, 0x1234
    li      a2, 0x99
    c.sw    a2, 64(a5)                  # the scattered immediate, bit by bit
    c.sw    a2, 4(a5)
    lw      a3, 64(a5)
    check   a3, 0x99
    lw      a3, 4(a5)
    check   a3, 0x99

    .balign 4
    c.nop
    c.li    a0, -32
    check   a0, -32
    c.li    a0, 31
    check   a0, 31
    c.addi  a0, -32
    check   a0, -1
    c.addi  a0, 31
    check   a0, 30
    c.lui   a0, 0xfffe0
    check   a0, 0xfffe0000
    c.lui   a0, 31
    check   a0, 0x1f000
    li      a0, 0x80000001
    c.srli  a0, 31
    check   a0, 1
    li      a0, 0x80000001
    c.srai  a0, 31
    check   a0, -1
    li      a0, 0x80000001
    c.slli  a0, 31
    check   a0, 0x80000000
    li      a0, 0x12345678
    c.srli  a0, 4
    check   a0, 0x01234567
    c.andi  a0, -16
    check   a0, 0x01234560
    c.andi  a0, 31
    check   a0, 0
    li      a0, 0xff00ff00
    li      a1, 0x0f0f0f0f
    c.and   a0, a1
    check   a0, 0x0f000f00
    c.or    a0, a1
    check   a0, 0x0f0f0f0f
    c.xor   a0, a0
    check   a0, 0
    c.sub   a0, a1
    check   a0, 0xf0f0f0f1
    c.mv    a0, a1
    check   a0, 0x0f0f0f0f
    c.add   a0, a1
    check   a0, 0x1e1e1e1e
    c.add   t3, a1
    c.mv    t3, a1
    c.add   t3, t3
    check   t3, 0x1e1e1e1e
    c.mv    s0, a1
    c.mv    s5, s0
    check   s5, 0x0f0f0f0f

    # jumps and branches
    li      a0, 0
    .balign 4
    c.j     1f
    j       fail
1:  c.jal   2f
3:  j       fail
2:  check_at ra, 3b
    la      a1, 4f
    c.jr    a1
    j       fail
4:  la      t1, 5f
    c.jalr  t1
6:  j       fail
5:  check_at ra, 6b
    li      a0, 0
    c.beqz  a0, 7f
    j       fail
7:  c.bnez  a0, near_fail
    li      a0, 5
    c.beqz  a0, near_fail
    c.bnez  a0, 8f
near_fail:
    j       fail
    .skip   200
8:  c.j     9f                          # far and back, the scattered offset
    .skip   2000
9:  c.bnez  a0, 10f
    j       fail
    .skip   100
11: j       12f
    .skip   100
10: c.beqz  a0, near_fail2
    c.bnez  a0, 11b
near_fail2:
    j       fail
12: li      a1, 0
    .balign 4
    # a loop of 16-bit instructions only, then one of mixed sizes at an odd half-word
    c.li    a0, 10
13: c.add   a1, a0
    c.addi  a0, -1
    c.bnez  a0, 13b
    check   a1, 55
    .balign 4
    c.li    a0, 10
    c.li    a1, 0
    c.nop
14: add     a1, a1, a0
    c.addi  a0, -1
    bne     a0, x0, 14b
    check   a1, 55

    # hints change nothing
    .balign 4
    li      a0, 0x31
    .half   0x0005                      # c.addi x0, 1
    .half   0x4005                      # c.li x0, 1
    .half   0x6005                      # c.lui x0, 1
    .half   0x0006                      # c.slli x0, 1
    .half   0x802a                      # c.mv x0, a0
    .half   0x902a                      # c.add x0, a0
    .half   0x0502                      # c.slli a0, 0
    .half   0x8101                      # c.srli a0, 0
    .half   0x8501                      # c.srai a0, 0
    .half   0x0501                      # c.addi a0, 0
    check   a0, 0x31
    check   x0, 0
    end

    .data
    .balign 4
    .skip   1024
stack:
    .skip   2048
