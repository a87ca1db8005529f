# SPDX-License-Identifier: Apache-2.0
# Exceptions: each cause with its mepc and mtval, nothing of the instruction done, nothing of
# a younger one begun.
    .include "test.inc"
    begin

    # --- environment ---
    traps   11, 0, ecall
    la      s5, 1f
    la      s1, 2f
1:  ebreak
    j       fail
2:  check   s2, 3
    check_at s3, 1b
    check_at s4, 1b
    .option rvc
    la      s1, 4f
    nop
    c.nop
3:  c.ebreak
    j       fail
4:  check   s2, 3
    check_at s3, 3b
    check_at s4, 3b
    .option norvc

    # --- mstatus over a trap and mret ---
    li      a0, 8
    csrw    mstatus, a0
    la      t0, look
    csrr    s6, mtvec
    csrw    mtvec, t0
    ecall
    csrw    mtvec, s6
    check   s7, 0x1880                  # in the handler: MPIE the old MIE, MIE off
    csrr    a0, mstatus
    check   a0, 0x1888                  # after mret: MIE back, MPIE on
    csrw    mstatus, x0                  # and from MIE off: MPIE off in the handler, on behind
    la      t0, look
    csrw    mtvec, t0
    ecall
    csrw    mtvec, s6
    check   s7, 0x1800
    csrr    a0, mstatus
    check   a0, 0x1880
    csrw    mstatus, x0
    j       5f
    align_code 4
look:
    csrr    s7, mstatus
    csrr    t1, mepc
    addi    t1, t1, 4
    csrw    mepc, t1
    mret
5:

    # --- misaligned, one of each size and offset ---
    la      a5, words
    li      a0, 0x66
    .macro  misaligned cause, op, offset
    la      s1, 8f
    addi    a4, a5, \offset
7:  \op     a0, 0(a4)
    j       fail
8:  check   s2, \cause
    check_at s3, 7b
    sub     a1, s4, a5
    check   a1, \offset
    check   a0, 0x66
    .endm
    misaligned 4, lh, 1
    misaligned 4, lh, 3
    misaligned 4, lhu, 1
    misaligned 4, lhu, 3
    misaligned 4, lw, 1
    misaligned 4, lw, 2
    misaligned 4, lw, 3
    misaligned 6, sh, 1
    misaligned 6, sh, 3
    misaligned 6, sw, 1
    misaligned 6, sw, 2
    misaligned 6, sw, 3
    lw      a1, 0(a5)
    check   a1, 0x11111111
    lw      a1, 4(a5)
    check   a1, 0x22222222

    # --- refused by the memory; what follows at once must not have acted ---
    li      a4, 0x20000008
    .macro  refused cause, value, insn:vararg
    la      s1, 10f
    li      a2, 0x31
9:  \insn
    sw      x0, 0(a5)
    li      a2, 0x32
    j       fail
10: check   s2, \cause
    check_at s3, 9b
    check   s4, \value
    check   a0, 0x66
    check   a2, 0x31
    lw      a1, 0(a5)
    check   a1, 0x11111111
    .endm
    refused 5, 0x20000008, lw a0, 0(a4)
    refused 5, 0x2000000b, lb a0, 3(a4)
    refused 5, 0x2000000b, lbu a0, 3(a4)
    refused 5, 0x2000000a, lh a0, 2(a4)
    refused 5, 0x2000000a, lhu a0, 2(a4)
    refused 5, 0x20000008, lw x0, 0(a4)
    refused 7, 0x2000000c, sw a0, 4(a4)
    refused 7, 0x2000000e, sh a0, 6(a4)
    refused 7, 0x2000000f, sb a0, 7(a4)

    # younger instructions of every kind that could have acted early
    .macro  spares insn:vararg
    la      s1, 12f
    lw      a0, 0(a4)
    \insn
    j       fail
12: check   s2, 5
    .endm
    csrw    mscratch, x0
    li      a2, 0x31
    li      a3, 0x10000000
    lw      s8, 0(a3)                   # the device's count of reads
    spares  lw a2, 0(a3)
    spares  sw a2, 0(a5)
    spares  csrw mscratch, a2
    spares  mret
    spares  ecall
    spares  jal a2, fail
    spares  beq x0, x0, fail
    spares  mul a2, a2, a2
    spares  div a2, a2, a2
    spares  wfi
    spares  .word 0
    spares  lw a0, 1(a3)
    lw      s9, 0(a3)
    sub     s9, s9, s8
    check   s9, 1
    check   a2, 0x31
    csrr    a0, mscratch
    check   a0, 0
    lw      a1, 0(a5)
    check   a1, 0x11111111
    # and one that depends on the value that never came
    la      s1, 13f
    lw      a0, 0(a4)
    add     a2, a0, a0
    j       fail
13: check   s2, 5
    check   a2, 0x31
    # an older load's value arrives although the younger traps
    la      s1, 14f
    lw      a2, 0(a5)
    .word   0
14: check   s2, 2
    check   a2, 0x11111111

    # --- fetching where there is nothing ---
    li      a0, 0x20000000
    la      s1, 15f
    jalr    ra, a0, 0
15: check   s2, 1
    check   s3, 0x20000000
    check   s4, 0x20000000
    li      a0, 0x20000002
    la      s1, 16f
    jalr    ra, a0, 0
16: check   s2, 1
    check   s3, 0x20000002
    check   s4, 0x20000002
    # a 32-bit instruction whose second half is beyond the end of RAM: its own address in
    # mepc, that of the missing half in mtval
    li      a0, 0x800ffffe
    li      a1, 0x0013
    sh      a1, 0(a0)
    fence.i
    la      s1, 17f
    jalr    ra, a0, 0
17: check   s2, 1
    check   s3, 0x800ffffe
    check   s4, 0x80100000
    # the last 16-bit instruction of RAM is whole
    li      a1, 0x8082                  # c.jr ra
    sh      a1, 0(a0)
    fence.i
    li      s1, 0
    jalr    ra, a0, 0
    check   s1, 0

    # --- encodings that are no instruction: words, then half-words ---
    la      s6, bad_words
    la      s7, bad_words_end
    li      s5, 4
    jal     s8, try_all
    la      s6, bad_halves
    la      s7, bad_halves_end
    li      s5, 2
    jal     s8, try_all
    j       done

    # Tries the table [s6, s7) of s5-byte codes; the number reported is 0x10000 + its place.
try_all:
    li      s11, 0x10000
18: lhu     a0, 0(s6)
    add     s9, s6, s5
    li      a1, 2
    beq     s5, a1, 19f
    lw      a0, 0(s6)
19: la      a1, scratch
    sw      a0, 0(a1)
    fence.i
    la      s1, 20f
    li      s2, -1
    jalr    ra, a1, 0
20: li      a2, 2
    bne     s2, a2, fail
    bne     s3, a1, fail
    bne     s4, a0, fail
    addi    s11, s11, 1
    mv      s6, s9
    bltu    s6, s7, 18b
    jr      s8
done:

    end

    .data
    .balign 4
words:
    .word   0x11111111, 0x22222222

bad_words:
    .word   0x00000000 | 0x7            # LOAD-FP
    .word   0xffffffff                  # longer than 32 bits
    .word   0x0000001f
    .word   0x0000003f
    .word   0x0000001b                  # OP-IMM-32, OP-32 of RV64
    .word   0x0000003b
    .word   0x0000002f                  # AMO
    .word   0x00000027                  # STORE-FP
    .word   0x00000053                  # OP-FP
    .word   0x00000043                  # MADD
    .word   0x0000000b                  # custom-0, custom-1
    .word   0x0000002b
    .word   0x00000057                  # vector
    .word   0x00003003                  # ld, lwu, funct3 7
    .word   0x00006003
    .word   0x00007003
    .word   0x00003023                  # sd and beyond
    .word   0x00004023
    .word   0x00005023
    .word   0x00006023
    .word   0x00007023
    .word   0x00002063                  # branch funct3 2, 3
    .word   0x00003063
    .word   0x00001067                  # jalr funct3 1..7
    .word   0x00002067
    .word   0x00004067
    .word   0x00007067
    .word   0x02001013                  # slli with bit 25
    .word   0x40001013
    .word   0x02005013                  # srli with bit 25
    .word   0xc0005013
    .word   0x60005013
    .word   0x40001033                  # OP, alternative form where there is none
    .word   0x40002033
    .word   0x40003033
    .word   0x40004033
    .word   0x40006033
    .word   0x40007033
    .word   0x04000033                  # OP, other funct7
    .word   0x08000033
    .word   0x42000033
    .word   0x80000033
    .word   0x0000200f                  # MISC-MEM funct3 2
    .word   0x0000700f
    .word   0x00004073                  # SYSTEM funct3 4
    .word   0x000000f3                  # ecall with rd, with rs1
    .word   0x00008073
    .word   0x00200073                  # uret
    .word   0x10200073                  # sret
    .word   0x70200073                  # mnret
    .word   0x7b200073                  # dret
    .word   0x12000073                  # sfence.vma
    .word   0x30200173                  # mret with rd
    .word   0x10508073                  # wfi with rs1
    .word   0x00300073
bad_words_end:

bad_halves:
    .half   0x0000                      # the all-zero code
    .half   0x0004                      # c.addi4spn of 0
    .half   0x2000                      # c.fld
    .half   0x6000                      # c.flw
    .half   0x8000                      # reserved
    .half   0xa000                      # c.fsd
    .half   0xe000                      # c.fsw
    .half   0x6101                      # c.addi16sp of 0
    .half   0x6081                      # c.lui of 0
    .half   0x6001                      # c.lui x0 of 0
    .half   0x9001                      # c.srli by 32 and more
    .half   0x9401                      # c.srai by 32 and more
    .half   0x9c01                      # c.subw
    .half   0x9c21                      # c.addw
    .half   0x9c41                      # reserved
    .half   0x9c61
    .half   0x1002                      # c.slli by 32 and more
    .half   0x2002                      # c.fldsp
    .half   0x4002                      # c.lwsp to x0
    .half   0x6002                      # c.flwsp
    .half   0x8002                      # c.jr x0
    .half   0xa002                      # c.fsdsp
    .half   0xe002                      # c.fswsp
bad_halves_end:

    .section .code.scratch, "awx", @progbits
    .balign 4
scratch:
    .word   0
    j       fail
