# SPDX-License-Identifier: Apache-2.0
# What runs under the debugger in debug_tb.sv: some of everything, with the same outcome however
# often it is stopped.  Ends by storing 1 at the last word of the RAM and staying at `end`.
#
# A table at 0x40 tells the bench where things are.

    .equ RAM,   0x10000000
    .equ LINES, 0x20000000              # interrupt lines: bit 0 timer, 1 software, 2 external
    .equ FLAG, 0x200                    # in the RAM: not zero leaves the loop `quiet`

    .section .text
    .globl _start
_start:
    .option norvc
    j       start
    .option rvc
    nop
    nop
    .org 0x40
    .word   four                        # a 32-bit instruction on a word boundary
    .word   across                      # ... across two words
    .word   two                         # a 16-bit instruction
    .word   sleeps                      # wfi
    .word   behind                      # what follows it
    .word   handler
    .word   calls                       # ecall
    .word   end
    .word   quiet                       # a loop with interrupts off

start:
    la      t0, handler
    csrw    mtvec, t0
    li      sp, RAM + 0x700
    li      s0, RAM
    li      s1, 40                      # rounds
    li      a0, 1
    li      s2, 0
    li      s3, 0                       # traps

round:
    .balign 4
    .option norvc
four:
    addi    a0, a0, 7
    .option rvc
two:
    c.addi  a0, 3
    .option norvc
across:
    xori    a0, a0, 0x155
    .option rvc
    slli    a1, a0, 3
    mul     a2, a0, a1
    divu    a3, a2, s1
    rem     a4, a2, a0
    add     s2, s2, a3
    xor     s2, s2, a4
    andi    t0, s1, 0x1c
    add     t0, t0, s0
    sw      s2, 0(t0)
    lw      a5, 0(t0)
    add     s2, s2, a5                  # needs what was just loaded
    sb      a0, 33(t0)
    lbu     a6, 33(t0)
    lhu     a7, 32(t0)
    add     s2, s2, a7
    call    leaf
    csrrw   t3, mscratch, s2
    csrr    t4, mscratch
    add     s2, s2, t4
calls:
    ecall
    lw      t5, _start                  # a load from the instruction memory
    xor     s2, s2, t5
    beqz    a6, 1f
    fence.i
1:
    addi    s1, s1, -1
    bnez    s1, round

quiet:
    lw      t1, FLAG(s0)
    beqz    t1, quiet
    li      t1, 0x80                    # the timer may wake it; it does not interrupt
    csrw    mie, t1
    li      t2, 1
    li      s5, LINES
    sw      t2, 0(s5)
sleeps:
    wfi
behind:
    sw      zero, 0(s5)
    csrr    s4, minstret
    sw      s2, 0x100(s0)
    sw      s3, 0x104(s0)
    sw      s4, 0x108(s0)
    li      t2, 1
    sw      t2, 0x7fc(s0)
end:
    j       end

leaf:
    addi    sp, sp, -16
    sw      ra, 12(sp)
    addi    s2, s2, 13
    lw      ra, 12(sp)
    addi    sp, sp, 16
    ret

    .balign 4
handler:
    csrr    t6, mepc
    addi    s3, s3, 1
    addi    t6, t6, 4                   # ecall, ebreak: the bench has no shorter ones
    csrw    mepc, t6
    mret

