/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reset: registers, .data from the image, zeroed .bss, then main. A trap goes to trap_entry, which
 * calls fw_trap; nothing here returns. If the image was linked for more data memory than the node
 * has, its first store to the stack traps to fw_no_memory, which needs no stack.
 */
    .section .text.start, "ax"
    .global _start
_start:
    la      t0, fw_no_memory
    csrw    mtvec, t0
    csrw    mie, zero
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      sp, __stack
    la      tp, __tls_base
    sw      zero, -4(sp)
    la      t0, trap_entry
    csrw    mtvec, t0

    la      a0, __data_start
    la      a1, __data_source
    la      a2, __data_end
1:  bgeu    a0, a2, 2f
    lw      t0, 0(a1)
    sw      t0, 0(a0)
    addi    a0, a0, 4
    addi    a1, a1, 4
    j       1b

2:  la      a0, __bss_start
    la      a1, __bss_end
3:  bgeu    a0, a1, 4f
    sw      zero, 0(a0)
    addi    a0, a0, 4
    j       3b

4:  call    main
5:  wfi
    j       5b

    /* The stack may be the cause: start from its top again. */
    .align 2
trap_entry:
    la      sp, __stack
    csrr    a0, mcause
    csrr    a1, mepc
    csrr    a2, mtval
    call    fw_trap
    j       5b
