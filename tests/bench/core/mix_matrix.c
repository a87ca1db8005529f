/* SPDX-License-Identifier: Apache-2.0 */
/* Matrices of 16-bit numbers: sums and products, by a scalar, a vector, a matrix; saturated. */
#include "mix.h"

enum { DIM = 10, ROUNDS = 4 };

static int16_t left[DIM][DIM], right[DIM][DIM];
static int32_t product[DIM][DIM];

static int16_t saturate(int32_t value)
{
    if (value > INT16_MAX)
        return INT16_MAX;
    if (value < INT16_MIN)
        return INT16_MIN;
    return (int16_t)value;
}

static void fill(uint32_t *seed)
{
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++) {
            left[i][j] = (int16_t)((mix_random(seed) & 0xfff) - 0x800);
            right[i][j] = (int16_t)((mix_random(seed) & 0xfff) - 0x800);
        }
}

/* product += left * right */
static void multiply_accumulate(void)
{
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++) {
            int32_t sum = product[i][j] / 4;

            for (int k = 0; k < DIM; k++)
                sum += (int32_t)left[i][k] * right[k][j];
            product[i][j] = sum;
        }
}

/* The same with every product scaled and every sum saturated. */
static void multiply_saturated(void)
{
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++) {
            int16_t sum = 0;

            for (int k = 0; k < DIM; k++)
                sum = saturate(sum + ((int32_t)left[i][k] * right[k][j]) / 256);
            product[i][j] += sum;
        }
}

static void scale(int16_t factor)
{
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++)
            left[i][j] = saturate((int32_t)left[i][j] * factor);
}

static uint32_t sum_up(uint32_t sum)
{
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++)
            sum = mix_into(sum, (uint32_t)product[i][j]);
    return sum;
}

uint32_t mix_matrix(uint32_t seed)
{
    uint32_t sum = 0;

    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++)
            product[i][j] = 0;
    for (int round = 0; round < ROUNDS; round++) {
        fill(&seed);
        multiply_accumulate();
        sum = sum_up(sum);
        multiply_saturated();
        scale((int16_t)(mix_random(&seed) & 0x1f));
        sum = sum_up(sum);
    }
    return sum;
}
