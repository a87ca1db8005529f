/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined functions, and one that the linker drops, for the tests of the profiler. */

int calculate(int number);
int dropped(int number);

static volatile int place;

static inline __attribute__((always_inline)) int innermost(int number)
{
    place = number; /* the line of `innermost` */
    return place;
}

static inline __attribute__((always_inline)) int inner(int number)
{
    return innermost(number) * 3 + innermost(number + 1);
}

/* No function calls it; its debug information remains. */
int dropped(int number)
{
    for (int i = 0; i < number; i++)
        place = place * number + innermost(i);
    return place;
}

int calculate(int number)
{
    int sum = inner(number);

    for (int i = 0; i < number; i++)
        sum += place;
    return sum;
}
