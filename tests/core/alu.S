# SPDX-License-Identifier: Apache-2.0
# Register and immediate arithmetic: every instruction of RV32I that computes.
    .include "test.inc"
    begin

    rr add,  0x00000008, 3, 5
    rr add,  0x80000000, 0x7fffffff, 1
    rr add,  0xfffffffe, -1, -1
    rr sub,  0xfffffffe, 3, 5
    rr sub,  0x80000001, 0, 0x7fffffff
    rr sub,  0, 0x80000000, 0x80000000
    rr xor,  0xf00ff00f, 0xff00ff00, 0x0f0f0f0f
    rr or,   0xff0fff0f, 0xff00ff00, 0x0f0f0f0f
    rr and,  0x0f000f00, 0xff00ff00, 0x0f0f0f0f
    rr sll,  0x80000000, 1, 31
    rr sll,  0x2468acf0, 0x12345678, 33      # only the low five bits count
    rr sll,  0x12345678, 0x12345678, 0xffffffe0
    rr srl,  0x00000001, 0x80000000, 31
    rr srl,  0x01234567, 0x12345678, 4
    rr sra,  0xffffffff, 0x80000000, 31
    rr sra,  0xf8000000, 0x80000000, 4
    rr sra,  0x07ffffff, 0x7fffffff, 4
    rr slt,  1, -1, 0
    rr slt,  0, 0, -1
    rr slt,  1, 0x80000000, 0x7fffffff
    rr slt,  0, 0x7fffffff, 0x80000000
    rr slt,  0, 7, 7
    rr sltu, 0, -1, 0
    rr sltu, 1, 0, -1
    rr sltu, 0, 0x80000000, 0x7fffffff
    rr sltu, 1, 0x7fffffff, 0x80000000
    rr sltu, 0, 7, 7

    ri addi, 0x7fffffff, 0x80000000, -1
    ri addi, 0x000007ff, 0, 2047
    ri addi, 0xfffff800, 0, -2048
    ri xori, 0xff00f00f, 0x00ff0ff0, -1
    ri ori,  0xffffff0f, 0x00ff0f00, -241
    ri andi, 0x000000f0, 0x00ff0ff0, 0xff
    ri slti, 1, 0x80000000, 0
    ri slti, 0, 5, -5
    ri sltiu, 1, 5, -5                       # the immediate extends its sign first
    ri sltiu, 1, 0, 1
    ri slli, 0xa0000000, 5, 29
    ri srli, 0x00000007, 0xffffffff, 29
    ri srai, 0xfffffffc, 0x80000001, 29
    ri srai, 0x00000003, 0x7fffffff, 29

    # every shift distance against one step at a time
    li      a1, 0x8badf00d
    mv      a2, a1
    mv      a3, a1
    mv      a4, a1
    li      a5, 0
1:  sll     t0, a1, a5
    srl     t1, a1, a5
    sra     t2, a1, a5
    li      s11, 5
    bne     t0, a2, fail
    bne     t1, a3, fail
    bne     t2, a4, fail
    slli    a2, a2, 1
    srli    a3, a3, 1
    srai    a4, a4, 1
    addi    a5, a5, 1
    li      t0, 32
    bltu    a5, t0, 1b

    lui     a0, 0xfffff
    check   a0, 0xfffff000
    lui     a0, 0x12345
    check   a0, 0x12345000
    lui     x0, 0x12345
    check   x0, 0
2:  auipc   a0, 0
    check_at a0, 2b
3:  auipc   a0, 0x80000
    la      a1, 3b
    sub     a0, a0, a1
    check   a0, 0x80000000

    end
