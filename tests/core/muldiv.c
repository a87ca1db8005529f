/* SPDX-License-Identifier: Apache-2.0
 *
 * Multiply and divide: every instruction of the M extension over all pairs of edge values and some
 * pseudo-random ones, compared with shifts and additions.
 */
#include <stdint.h>

#define OP(name)                                                                          \
    static uint32_t hw_##name(uint32_t a, uint32_t b)                                     \
    {                                                                                     \
        uint32_t r;                                                                       \
        __asm__ volatile(#name " %0, %1, %2" : "=r"(r) : "r"(a), "r"(b));                 \
        return r;                                                                         \
    }

OP(mul)
OP(mulh)
OP(mulhsu)
OP(mulhu)
OP(div)
OP(divu)
OP(rem)
OP(remu)

static uint64_t product(uint32_t a, uint32_t b)
{
    uint64_t sum = 0, addend = a;

    for (; b != 0; b >>= 1, addend <<= 1)
        if (b & 1)
            sum += addend;
    return sum;
}

/* Divides bit by bit; the divisor is not zero. */
static uint32_t quotient(uint32_t a, uint32_t b, uint32_t *rest)
{
    uint64_t r = 0;
    uint32_t q = 0;

    for (int i = 31; i >= 0; i--) {
        r = r << 1 | (a >> i & 1);
        q <<= 1;
        if (r >= b) {
            r -= b;
            q |= 1;
        }
    }
    *rest = (uint32_t)r;
    return q;
}

static int check_mul(uint32_t a, uint32_t b)
{
    uint64_t p = product(a, b);
    uint32_t high = (uint32_t)(p >> 32);
    uint32_t less_a = a >> 31 ? b : 0, less_b = b >> 31 ? a : 0;

    if (hw_mul(a, b) != (uint32_t)p)
        return 10;
    if (hw_mulhu(a, b) != high)
        return 11;
    if (hw_mulhsu(a, b) != high - less_a)
        return 12;
    if (hw_mulh(a, b) != high - less_a - less_b)
        return 13;
    return 0;
}

static uint32_t magnitude(uint32_t x)
{
    return x >> 31 ? 0 - x : x;
}

static int check_div(uint32_t a, uint32_t b)
{
    uint32_t q, r = 0;

    q = b == 0 ? UINT32_MAX : quotient(a, b, &r);
    if (hw_divu(a, b) != q)
        return 20;
    if (hw_remu(a, b) != (b == 0 ? a : r))
        return 21;
    q = b == 0 ? UINT32_MAX : quotient(magnitude(a), magnitude(b), &r);
    if (b != 0 && (a ^ b) >> 31)
        q = 0 - q;
    if (hw_div(a, b) != q)
        return 22;
    if (hw_rem(a, b) != (b == 0 ? a : a >> 31 ? 0 - r : r))
        return 23;
    return 0;
}

static int check_pair(uint32_t a, uint32_t b)
{
    int bad = check_mul(a, b);

    return bad != 0 ? bad : check_div(a, b);
}

static const uint32_t edges[] = {
    0, 1, 2, 3, 10, 0xffff, 0x10000, 0x10001, 0x7fff8000, 0x7fffffff,
    0x80000000, 0x80000001, 0xffff0000, 0xffff7fff, 0xfffffffe, 0xffffffff,
};

int main(void)
{
    enum { EDGES = sizeof edges / sizeof edges[0] };
    uint32_t a = 0x1234567, b = 0x89abcdef;
    int bad = 0;

    for (int i = 0; i < EDGES && bad == 0; i++)
        for (int j = 0; j < EDGES && bad == 0; j++)
            bad = check_pair(edges[i], edges[j]);
    for (int i = 0; i < 40 && bad == 0; i++) {
        a = a << 13 ^ a >> 7 ^ b;
        b = (b << 5 | b >> 27) + a;
        bad = check_pair(a, b >> (i & 31));
    }
    return bad;
}
