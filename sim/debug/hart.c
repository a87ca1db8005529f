/* SPDX-License-Identifier: Apache-2.0 */
/* Inspects a halted core with instructions that run on it. */
#include "hart.h"

#include <string.h>

#include "insn.h"
#include "tern_abi.h"

enum {
    T0 = 5,
    T1 = 6,
    PATIENCE = 20000,       /* time-out of a command, in cycles */
    BOOT_PATIENCE = 200000, /* ... when the core may have to boot first */
    BITE = 64, /* cycles until the watchdog fires */
    REACH = 2048, /* reach of an offset from a base, in bytes */
    ITCM = TERN_MEM_ITCM_BASE,
    ITCM_BYTES = TERN_MEM_ITCM_BYTES,
    LAST_WORD = ITCM + ITCM_BYTES - 4
};

void tern_hart_init(struct tern_hart *hart, struct tern_probe *probe, const uint64_t *cycle,
                    void (*run)(void *ctx), void *ctx)
{
    *hart = (struct tern_hart){.probe = probe, .cycle = cycle, .run = run, .ctx = ctx};
}

static bool in_itcm(uint32_t address)
{
    return address - ITCM < ITCM_BYTES;
}

/* ---- commands of the port ---- */

static bool wait(struct tern_hart *hart, unsigned patience)
{
    uint64_t end = *hart->cycle + patience;

    while (!tern_probe_done(hart->probe) && *hart->cycle < end)
        hart->run(hart->ctx);
    if (tern_probe_done(hart->probe))
        return true;
    tern_probe_forget(hart->probe);
    return false;
}

static void push(struct tern_hart *hart, unsigned op, uint32_t address, uint32_t data)
{
    struct tern_probe_command command = {
        .op = (uint8_t)op, .word = (uint16_t)((address - ITCM) / 4), .data = data};

    while (!tern_probe_push(hart->probe, &command))
        hart->run(hart->ctx);
}

static bool stands(const struct tern_hart *hart)
{
    return tern_probe_done(hart->probe) &&
           (hart->probe->view.state & TERN_DBG_HALTED) != 0;
}

static bool command(struct tern_hart *hart, unsigned op, uint32_t address, uint32_t data)
{
    push(hart, op, address, data);
    return wait(hart, PATIENCE);
}

/* Runs one instruction; false when it raised an exception. */
static bool inject(struct tern_hart *hart, uint32_t insn)
{
    push(hart, TERN_DBG_WRITE, ITCM, insn);
    return command(hart, TERN_DBG_INJECT, ITCM, 0) && stands(hart) &&
           (hart->probe->view.state & TERN_DBG_FAULT) == 0;
}

static bool show(struct tern_hart *hart, unsigned number, uint32_t *value)
{
    bool good = inject(hart, tern_insn_addi(0, number, 0));

    *value = hart->probe->view.value;
    return good;
}

static bool give(struct tern_hart *hart, unsigned number, uint32_t value)
{
    hart->based = hart->based && number != T0;
    if (value + 0x800 < 0x1000)
        return inject(hart, tern_insn_addi(number, 0, value));
    return inject(hart, tern_insn_lui(number, value)) &&
           inject(hart, tern_insn_addi(number, number, value));
}

static bool put_in_again(struct tern_hart *hart, uint32_t address, size_t count);

/* Notes a reset of the core, which discards saved values and reloads the instruction memory. */
static bool note_reset(struct tern_hart *hart)
{
    if (!hart->probe->was_reset || !stands(hart))
        return false;
    hart->probe->was_reset = false;
    hart->engaged = false;
    return true;
}

/* Saves all that the debugger will change, then the core may be used. */
static bool engage(struct tern_hart *hart)
{
    bool anew = note_reset(hart);

    if (!stands(hart))
        return false;
    if (hart->engaged)
        return true;
    hart->pc = hart->probe->view.pc;
    if (!command(hart, TERN_DBG_PEEK, ITCM, 0) || !stands(hart))
        return false;
    hart->first = hart->probe->view.insn;
    hart->engaged = true;
    hart->based = false;
    return show(hart, T0, &hart->saved[0]) && show(hart, T1, &hart->saved[1]) &&
           (!anew || put_in_again(hart, ITCM, ITCM_BYTES));
}

/*
 * Moves the pc to the second half of the first word, which must be restored before it is fetched:
 * jumps there from the last word of the instruction memory.
 */
static bool stand_in_first_word(struct tern_hart *hart)
{
    uint8_t last[4];

    if (!tern_hart_load(hart, LAST_WORD, last, sizeof last) ||
        !give(hart, T0, hart->saved[0]) || !give(hart, T1, hart->saved[1]))
        return false;
    push(hart, TERN_DBG_WRITE, LAST_WORD, tern_insn_jal(hart->pc - LAST_WORD));
    return inject(hart, tern_insn_jal(LAST_WORD - ITCM)) &&
           command(hart, TERN_DBG_WRITE, ITCM, hart->first) &&
           command(hart, TERN_DBG_STEP, ITCM, 0) &&
           command(hart, TERN_DBG_WRITE, LAST_WORD, tern_insn_word(last));
}

/* Restores the core's state, so that it continues as if it had not been halted. */
static bool leave(struct tern_hart *hart)
{
    bool good;

    if (hart->probe->was_reset && hart->patch_count > 0 && !engage(hart))
        return false;
    (void)note_reset(hart);
    if (!hart->engaged)
        return stands(hart);
    if (!in_itcm(hart->pc))
        return false;
    if (hart->pc == ITCM + 2) {
        good = stand_in_first_word(hart);
    } else {
        good = give(hart, T0, hart->saved[0]) && give(hart, T1, hart->saved[1]) &&
               (hart->pc == ITCM || inject(hart, tern_insn_jal(hart->pc - ITCM))) &&
               command(hart, TERN_DBG_WRITE, ITCM, hart->first) &&
               (hart->pc != ITCM || command(hart, TERN_DBG_PEEK, ITCM, 0));
    }
    hart->engaged = false;
    return good;
}

/* ---- running ---- */

bool tern_hart_halt(struct tern_hart *hart)
{
    if (hart->taken && stands(hart))
        return true;
    tern_probe_forget(hart->probe);
    push(hart, TERN_DBG_HALT, ITCM, 0);
    hart->taken = true;
    hart->replant = false;
    hart->stopping = !wait(hart, BOOT_PATIENCE);
    return !hart->stopping;
}

bool tern_hart_go(struct tern_hart *hart)
{
    hart->replant = false;
    hart->stopping = false;
    if (!leave(hart))
        return false;
    push(hart, TERN_DBG_GO, ITCM, 0);
    return true;
}

bool tern_hart_step(struct tern_hart *hart)
{
    return leave(hart) && command(hart, TERN_DBG_STEP, ITCM, 0) && stands(hart);
}

static bool put_in(struct tern_hart *hart, const struct tern_hart_patch *patch);

/* Sets again the breakpoints with bytes in a range. */
static bool put_in_again(struct tern_hart *hart, uint32_t address, size_t count)
{
    bool good = true;

    for (unsigned i = 0; i < hart->patch_count; i++) {
        const struct tern_hart_patch *patch = &hart->patches[i];

        if (patch->address - address < count ||
            address - patch->address < patch->bytes)
            good = put_in(hart, patch) && good;
    }
    return good;
}

enum tern_hart_state tern_hart_poll(struct tern_hart *hart)
{
    uint8_t state = hart->probe->view.state;

    if (!hart->replant && !hart->stopping && (state & TERN_DBG_IN_RESET) != 0 &&
        hart->patch_count > 0) {
        push(hart, TERN_DBG_HALT, ITCM, 0);
        hart->replant = true;
    }
    if (hart->replant && stands(hart)) {
        if (put_in_again(hart, ITCM, ITCM_BYTES))
            (void)tern_hart_go(hart);
    }
    if (hart->replant || (state & TERN_DBG_IN_RESET) != 0)
        return TERN_HART_RESET;
    if (!stands(hart))
        return TERN_HART_RUNNING;
    return (hart->probe->view.state & TERN_DBG_HIT) != 0 ? TERN_HART_BREAK
                                                         : TERN_HART_STANDING;
}

void tern_hart_release(struct tern_hart *hart)
{
    if (!hart->taken)
        return;
    if ((hart->patch_count > 0 || hart->engaged) && tern_hart_halt(hart)) {
        while (hart->patch_count > 0 &&
               tern_hart_pull(hart, hart->patches[0].address, hart->patches[0].bytes))
            ;
        (void)leave(hart);
    }
    push(hart, TERN_DBG_DETACH, ITCM, 0);
    hart->patch_count = 0;
    hart->taken = false;
    hart->replant = false;
    hart->stopping = false;
    hart->engaged = false;
}

bool tern_hart_reset(struct tern_hart *hart)
{
    if (!engage(hart) || !give(hart, T0, (uint32_t)TERN_MEM_MMIO_BASE + TERN_MMIO_WDOG) ||
        !give(hart, T1, 1))
        return false;
    push(hart, TERN_DBG_WRITE, ITCM, tern_insn_store(4, T1, T0, 0));
    push(hart, TERN_DBG_INJECT, ITCM, 0);
    for (uint64_t end = *hart->cycle + BITE; *hart->cycle < end;)
        hart->run(hart->ctx); /* the watchdog takes a few cycles to fire */
    if (!wait(hart, BOOT_PATIENCE) || !stands(hart))
        return false;
    hart->engaged = false;
    return put_in_again(hart, ITCM, ITCM_BYTES);
}

/* ---- registers ---- */

static bool is_kept(unsigned number)
{
    return number == T0 || number == T1 || number == TERN_HART_PC;
}

static uint32_t *kept(struct tern_hart *hart, unsigned number)
{
    return number == TERN_HART_PC ? &hart->pc : &hart->saved[number - T0];
}

bool tern_hart_get(struct tern_hart *hart, unsigned number, uint32_t *value)
{
    if (number > TERN_HART_PC || !engage(hart))
        return false;
    if (!is_kept(number))
        return show(hart, number, value);
    *value = *kept(hart, number);
    return true;
}

bool tern_hart_set(struct tern_hart *hart, unsigned number, uint32_t value)
{
    if (number > TERN_HART_PC || !engage(hart))
        return false;
    if (number == TERN_HART_PC && (!in_itcm(value) || value % 2 != 0))
        return false;
    if (!is_kept(number))
        return number == 0 || give(hart, number, value);
    *kept(hart, number) = value;
    return true;
}

bool tern_hart_get_csr(struct tern_hart *hart, unsigned csr, uint32_t *value)
{
    if (!engage(hart) || !inject(hart, tern_insn_csrr(0, csr)))
        return false;
    *value = hart->probe->view.value;
    return true;
}

bool tern_hart_set_csr(struct tern_hart *hart, unsigned csr, uint32_t value)
{
    return engage(hart) && give(hart, T0, value) && inject(hart, tern_insn_csrw(csr, T0));
}

/* ---- memory ---- */

/* Returns the size of the largest access at `address` within `count` bytes. */
static unsigned piece(uint32_t address, size_t count)
{
    if (address % 4 == 0 && count >= 4)
        return 4;
    return address % 2 == 0 && count >= 2 ? 2 : 1;
}

static void to_bytes(uint8_t *bytes, uint32_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

static uint32_t from_bytes(const uint8_t *bytes, unsigned count)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < count; i++)
        value |= (uint32_t)bytes[i] << (8 * i);
    return value;
}

/* Makes t0 the base of an access, with its offset in *offset. */
static bool reach(struct tern_hart *hart, uint32_t address, uint32_t *offset)
{
    if (!hart->based || address - hart->base >= REACH) {
        if (!give(hart, T0, address))
            return false;
        hart->base = address;
        hart->based = true;
    }
    *offset = address - hart->base;
    return true;
}

/* Loads a piece; of the first word of the instruction memory, its saved value. */
static bool load_piece(struct tern_hart *hart, uint32_t address, uint8_t *bytes, unsigned size)
{
    uint32_t value, offset;

    if (address - ITCM < 4) {
        to_bytes(bytes, hart->first >> (8 * (address - ITCM)), size);
        return true;
    }
    if (!reach(hart, address, &offset) ||
        !inject(hart, tern_insn_load(size, T1, T0, offset)) || !show(hart, T1, &value))
        return false;
    to_bytes(bytes, value, size);
    return true;
}

static bool load_raw(struct tern_hart *hart, uint32_t address, uint8_t *bytes, size_t count)
{
    while (count > 0) {
        unsigned size = piece(address, count);

        if (!load_piece(hart, address, bytes, size))
            return false;
        address += size;
        bytes += size;
        count -= size;
    }
    return true;
}

/* Stores into the instruction memory, where the port writes whole words. */
static bool store_itcm(struct tern_hart *hart, uint32_t address, const uint8_t *bytes,
                       unsigned size)
{
    uint32_t at = address & ~UINT32_C(3);
    uint8_t word[4];

    if (!load_piece(hart, at, word, 4))
        return false;
    memcpy(word + (address - at), bytes, size);
    if (at == ITCM) {
        hart->first = from_bytes(word, 4);
        return true;
    }
    return command(hart, TERN_DBG_WRITE, at, from_bytes(word, 4));
}

static bool store_piece(struct tern_hart *hart, uint32_t address, const uint8_t *bytes,
                        unsigned size)
{
    uint32_t offset;

    if (in_itcm(address))
        return store_itcm(hart, address, bytes, size);
    return reach(hart, address, &offset) && give(hart, T1, from_bytes(bytes, size)) &&
           inject(hart, tern_insn_store(size, T1, T0, offset));
}

static bool store_raw(struct tern_hart *hart, uint32_t address, const uint8_t *bytes,
                      size_t count)
{
    while (count > 0) {
        unsigned size = piece(address, count);

        if (!store_piece(hart, address, bytes, size))
            return false;
        address += size;
        bytes += size;
        count -= size;
    }
    return true;
}

/* ---- breakpoints ---- */

static bool put_in(struct tern_hart *hart, const struct tern_hart_patch *patch)
{
    uint8_t ebreak[4];

    to_bytes(ebreak, patch->bytes == 2 ? TERN_INSN_C_EBREAK : TERN_INSN_EBREAK, 4);
    return engage(hart) && store_raw(hart, patch->address, ebreak, patch->bytes);
}

static bool take_out(struct tern_hart *hart, const struct tern_hart_patch *patch)
{
    return engage(hart) && store_raw(hart, patch->address, patch->original, patch->bytes);
}

static struct tern_hart_patch *find_patch(struct tern_hart *hart, uint32_t address,
                                          unsigned bytes)
{
    for (unsigned i = 0; i < hart->patch_count; i++) {
        struct tern_hart_patch *patch = &hart->patches[i];

        if (patch->address == address && patch->bytes == bytes)
            return patch;
    }
    return NULL;
}

bool tern_hart_plant(struct tern_hart *hart, uint32_t address, unsigned bytes)
{
    struct tern_hart_patch *patch = &hart->patches[hart->patch_count];

    if ((bytes != 2 && bytes != 4) || address % 2 != 0 || !in_itcm(address) ||
        !in_itcm(address + bytes - 1))
        return false;
    if (find_patch(hart, address, bytes) != NULL)
        return true;
    if (hart->patch_count == TERN_HART_PATCHES)
        return false;
    *patch = (struct tern_hart_patch){.address = address, .bytes = bytes};
    if (!tern_hart_load(hart, address, patch->original, bytes) || !put_in(hart, patch))
        return false;
    hart->patch_count++;
    return true;
}

bool tern_hart_pull(struct tern_hart *hart, uint32_t address, unsigned bytes)
{
    struct tern_hart_patch *patch = find_patch(hart, address, bytes);

    if (patch == NULL)
        return true;
    if (!take_out(hart, patch))
        return false;
    *patch = hart->patches[--hart->patch_count];
    /* an overlapping breakpoint is visible again */
    return put_in_again(hart, address, bytes);
}

/* Copies the common part of both ranges, from the patch to the bytes or back. */
static void overlap(struct tern_hart_patch *patch, uint32_t address, uint8_t *to,
                    const uint8_t *from, size_t count)
{
    for (unsigned i = 0; i < patch->bytes; i++) {
        uint32_t at = patch->address + i - address;

        if (at >= count)
            continue;
        if (to != NULL)
            to[at] = patch->original[i];
        else
            patch->original[i] = from[at];
    }
}

bool tern_hart_load(struct tern_hart *hart, uint32_t address, uint8_t *bytes, size_t count)
{
    if (!engage(hart) || !load_raw(hart, address, bytes, count))
        return false;
    for (unsigned i = 0; i < hart->patch_count; i++)
        overlap(&hart->patches[i], address, bytes, NULL, count);
    return true;
}

bool tern_hart_store(struct tern_hart *hart, uint32_t address, const uint8_t *bytes,
                     size_t count)
{
    if (!engage(hart) || !store_raw(hart, address, bytes, count))
        return false;
    for (unsigned i = 0; i < hart->patch_count; i++)
        overlap(&hart->patches[i], address, NULL, bytes, count);
    return !in_itcm(address) || put_in_again(hart, address, count);
}
