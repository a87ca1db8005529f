/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `tern profile`: the trace reader, the ELF reader, call paths, flame graphs.
 *
 * The program is build/tests/unit/profile.elf, with known paths (calls.S). The tests make traces
 * along it with an encoder of their own.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "calls.h"
#include "flame.h"
#include "profile.h"
#include "program.h"
#include "retire_trace.h"
#include "trace.h"

static const char elf_path[] = "build/tests/unit/profile.elf";

/* ---- stores the error messages ---- */

static char complaint[1024];

bool profile_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(complaint, sizeof complaint, format, arguments);
    va_end(arguments);
    return false;
}

static void assert_complaint(const char *part)
{
    if (strstr(complaint, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", complaint, part);
}

static uint32_t random_state;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(random_state >> 8) * below >> 24);
}

/* ---- files ---- */

static char folder[] = "/tmp/tern-profile-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[2][128];
    static unsigned turn;

    turn ^= 1;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static char *read_whole(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    char *bytes = calloc(1, 1 << 20);

    assert_non_null(file);
    assert_non_null(bytes);
    *count = fread(bytes, 1, (1 << 20) - 1, file);
    fclose(file);
    return bytes;
}

static void write_whole(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"trace", "elf", "svg", "folded"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(in_folder(names[i]));
    return rmdir(folder);
}

/* ---- traces as files ---- */

struct text {
    uint8_t bytes[65536];
    size_t count;
};

static void add(struct text *text, uint64_t value, size_t bytes)
{
    for (; bytes > 0; bytes--, value >>= 8)
        text->bytes[text->count++] = (uint8_t)value;
}

static void add_number(struct text *text, uint64_t value)
{
    for (; value >= 128; value /= 128)
        add(text, value % 128 + 128, 1);
    add(text, value, 1);
}

static void add_step(struct text *text, unsigned kind, uint64_t step)
{
    add(text, (step < 63 ? step : 63) * 4 + kind, 1);
    if (step >= 63)
        add_number(text, step);
}

static void add_header(struct text *text, uint64_t cycle)
{
    memcpy(text->bytes, "ternpcs\n", 8);
    text->count = 8;
    add(text, 1, 4);     /* version */
    add(text, 0x21, 4);  /* node 1.1.0 */
    add(text, 5000, 4);  /* clock */
    add(text, 0, 4);     /* no image */
    add(text, 0, 8);
    add(text, cycle, 8);
}

static void add_jump(struct text *text, uint64_t step, uint32_t from, uint32_t to)
{
    int32_t distance = (int32_t)(to - from);

    add_step(text, 2, step);
    add_number(text, distance < 0 ? 2 * (uint64_t)-(int64_t)distance - 1
                                  : 2 * (uint64_t)distance);
}

static const char *write_trace(const struct text *text)
{
    const char *path = in_folder("trace");
    gzFile file = gzopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(gzwrite(file, text->bytes, (unsigned)text->count), (int)text->count);
    assert_int_equal(gzclose(file), Z_OK);
    return path;
}

/* Reads a trace to its end; false on an error. */
static bool readable(const char *path, uint64_t *sum)
{
    struct trace *trace = trace_open(path);
    struct trace_record record = {0};
    bool good = trace != NULL;

    *sum = 0;
    while (good && !record.end) {
        good = trace_next(trace, &record);
        *sum = *sum * 31 + record.pc + record.until;
    }
    trace_close(trace);
    return good;
}

static void records_come_back_as_they_were_written(void **state)
{
    enum { RECORDS = 5000 };
    static uint32_t pcs[RECORDS];
    static uint64_t untils[RECORDS];
    static struct text text;
    uint64_t cycle = 1000;
    uint32_t pc = 0;
    struct trace_record record;
    struct trace *trace;

    (void)state;
    random_state = 1;
    print_message("# seed %u\n", random_state);
    add_header(&text, cycle);
    for (unsigned i = 0; i < RECORDS; i++) {
        uint64_t step = draw(4) ? 1 + draw(70) : 1 + (uint64_t)draw(1 << 20) * draw(1 << 20);
        uint32_t to = draw(3) == 0 ? pc + 2 : draw(2) ? pc + 4 : draw(1 << 24) << 8 | draw(256);

        if (to - pc == 2 || to - pc == 4)
            add_step(&text, to - pc == 4, step);
        else
            add_jump(&text, step, pc, to);
        pcs[i] = pc = to;
        untils[i] = cycle += step;
    }
    add_step(&text, 3, 0);
    add_number(&text, RECORDS);

    trace = trace_open(write_trace(&text));
    assert_non_null(trace);
    assert_int_equal(trace_header(trace)->node, 0x21);
    assert_int_equal(trace_header(trace)->clock_hz, 5000);
    assert_int_equal(trace_header(trace)->cycle, 1000);
    for (unsigned i = 0; i < RECORDS; i++) {
        assert_true(trace_next(trace, &record));
        assert_false(record.end);
        assert_int_equal(record.pc, pcs[i]);
        assert_int_equal(record.until, untils[i]);
    }
    assert_true(trace_next(trace, &record) && record.end);
    assert_int_equal(record.until, cycle);
    trace_close(trace);
}

static void small_trace(struct text *text)
{
    text->count = 0;
    add_header(text, 7);
    for (unsigned i = 0; i < 40; i++)
        add_jump(text, 1 + i % 5, i, i * i);
    add_step(text, 3, 9);
    add_number(text, 40);
}

static void truncated_traces_are_refused(void **state)
{
    static struct text text;
    size_t count, refused = 0;
    uint64_t sum;
    char *bytes;

    (void)state;
    small_trace(&text);
    bytes = read_whole(write_trace(&text), &count);
    for (size_t length = 0; length < count; length++) {
        write_whole(in_folder("trace"), bytes, length);
        complaint[0] = 0;
        if (readable(in_folder("trace"), &sum))
            fail_msg("%zu of %zu bytes are taken for a trace", length, count);
        refused++;
        if (strstr(complaint, "not a retire trace") == NULL)
            assert_complaint("ends in the middle");
    }
    free(bytes);
    print_message("# evidence B3.5.1 truncated=%zu\n", refused);
}

static void damaged_traces_are_refused_or_read_alike(void **state)
{
    static struct text text;
    uint64_t good_sum, sum;
    size_t count, refused = 0;
    char *bytes;

    (void)state;
    small_trace(&text);
    bytes = read_whole(write_trace(&text), &count);
    assert_true(readable(in_folder("trace"), &good_sum));
    for (size_t bit = 0; bit < 8 * count; bit++) {
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
        write_whole(in_folder("trace"), bytes, count);
        if (!readable(in_folder("trace"), &sum))
            refused++;
        else if (sum != good_sum)
            fail_msg("with bit %zu turned over something else is read", bit);
        bytes[bit / 8] = (char)(bytes[bit / 8] ^ 1 << bit % 8);
    }
    assert_true(refused > 7 * count);
    free(bytes);
    print_message("# evidence B3.5.1 damaged=%zu\n", refused);
}

static void expect_refusal(const struct text *text, const char *why)
{
    uint64_t sum;

    complaint[0] = 0;
    assert_false(readable(write_trace(text), &sum));
    assert_complaint(why);
}

static void traces_that_say_what_cannot_be_are_refused(void **state)
{
    static struct text text, sound;

    (void)state;
    small_trace(&sound);
    text = sound;
    text.bytes[TERN_RETIRE_AT_VERSION] = 9;
    expect_refusal(&text, "version 9 of the format");
    text = sound;
    text.bytes[0] = 'T';
    expect_refusal(&text, "not a retire trace");
    text = sound;
    text.bytes[text.count - 1] = 39;
    expect_refusal(&text, "another number");
    text = sound;
    add(&text, 0, 1);
    expect_refusal(&text, "something follows its end");
    text.count = 0;
    add_header(&text, 0);
    add_step(&text, 0, 0);
    expect_refusal(&text, "time does not go on");
    text.count = 0;
    add_header(&text, UINT64_MAX - 5);
    add_step(&text, 0, 6);
    expect_refusal(&text, "time does not go on");
    text.count = 0;
    add_header(&text, 0);
    add_step(&text, 2, 1);
    add_number(&text, UINT64_C(1) << 32);
    expect_refusal(&text, "leaves the address space");
    text.count = 0;
    add_header(&text, 0);
    add_step(&text, 2, 1);
    for (unsigned i = 0; i < 10; i++)
        add(&text, 0xff, 1);
    expect_refusal(&text, "a number is too long");
}

static void other_files_are_no_traces(void **state)
{
    uint64_t sum;

    (void)state;
    assert_false(readable(elf_path, &sum));
    assert_complaint("not a retire trace");
    assert_false(readable("/dev/null", &sum));
    assert_complaint("not a retire trace");
    assert_false(readable("/tmp/no such file", &sum));
    assert_complaint("No such file");
    assert_false(readable("/tmp", &sum));
    assert_complaint("Is a directory");
}

/* ---- the program ---- */

static struct program *open_program(void)
{
    struct program *program = program_open(elf_path);

    if (program == NULL)
        fail_msg("%s", complaint);
    return program;
}

/* Returns the address of a symbol. */
static uint32_t at(const struct program *program, const char *name)
{
    for (size_t i = 0; i < program->scopes; i++)
        if (program->scope[i].parent == PROGRAM_NONE &&
            strcmp(program->scope[i].name, name) == 0)
            return program->scope[i].low;
    fail_msg("no symbol %s", name);
    return 0;
}

static void targets_of_jumps_are_those_of_the_assembler(void **state)
{
    static const struct {
        const char *name;
        enum insn_kind kind;
        unsigned bytes;
    } table[] = {
        {"c0", INSN_CALL, 4},   {"c1", INSN_JUMP, 4},   {"c2", INSN_CALL, 4},
        {"c3", INSN_CALL, 4},   {"c4", INSN_CALL, 2},   {"c5", INSN_JUMP, 2},
        {"b0", INSN_BRANCH, 4}, {"b1", INSN_BRANCH, 4}, {"b2", INSN_BRANCH, 4},
        {"b3", INSN_BRANCH, 2}, {"b4", INSN_BRANCH, 2}, {"b5", INSN_BRANCH, 2},
    };
    struct program *program = open_program();

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char from[16], to[16];
        struct insn insn;

        snprintf(from, sizeof from, "%s_from", table[i].name);
        snprintf(to, sizeof to, "%s_to", table[i].name);
        insn = program_at(program, at(program, from))->insn;
        assert_int_equal(insn.kind, table[i].kind);
        assert_int_equal(insn.bytes, table[i].bytes);
        assert_int_equal(insn.target, at(program, to));
    }
    program_close(program);
}

static void instructions_are_of_the_kinds_of_the_manual(void **state)
{
    static const struct {
        uint32_t code;
        enum insn_kind kind;
        unsigned bytes;
    } table[] = {
        {0x00008067, INSN_RETURN, 4},   /* jalr x0, 0(ra) */
        {0x00028067, INSN_RETURN, 4},   /* jalr x0, 0(t0) */
        {0x00030067, INSN_JUMP_REG, 4}, /* jalr x0, 0(t1) */
        {0x000300e7, INSN_CALL_REG, 4}, /* jalr ra, 0(t1) */
        {0x000302e7, INSN_CALL_REG, 4}, /* jalr t0, 0(t1) */
        {0x00030367, INSN_JUMP_REG, 4}, /* t1 is no link register */
        {0x0000006f, INSN_JUMP, 4},     /* jal x0, 0 */
        {0x0000036f, INSN_JUMP, 4},     /* jal t1, 0 */
        {0x30200073, INSN_MRET, 4},     {0x10500073, INSN_WFI, 4},
        {0x00000073, INSN_NEXT, 4},     /* ecall: its next instruction is a trap */
        {0x00000013, INSN_NEXT, 4},     /* nop */
        {0x8082, INSN_RETURN, 2},       /* c.jr ra */
        {0x8282, INSN_RETURN, 2},       /* c.jr t0 */
        {0x8302, INSN_JUMP_REG, 2},     /* c.jr t1 */
        {0x9302, INSN_CALL_REG, 2},     /* c.jalr t1 */
        {0x9002, INSN_NEXT, 2},         /* c.ebreak */
        {0x8306, INSN_NEXT, 2},         /* c.mv t1, ra */
        {0x9306, INSN_NEXT, 2},         /* c.add t1, ra */
        {0xffff8082, INSN_RETURN, 2},   /* the upper half belongs to the next instruction */
    };

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct insn insn = insn_decode(table[i].code, 0x100);

        if (insn.kind != table[i].kind || insn.bytes != table[i].bytes)
            fail_msg("0x%08" PRIx32 ": kind %u, %u bytes", table[i].code, insn.kind,
                     insn.bytes);
    }
}

/* Lists the functions at a place, innermost first, as "a < b < c". */
static void describe(const struct program *program, uint32_t pc, char *text, size_t room)
{
    const struct program_cell *cell = program_at(program, pc);
    int scope = cell != NULL ? cell->scope : PROGRAM_NONE;

    snprintf(text, room, "%s", scope == PROGRAM_NONE ? "-" : program->scope[scope].name);
    while (scope != PROGRAM_NONE && program->scope[scope].parent != PROGRAM_NONE) {
        scope = program->scope[scope].parent;
        snprintf(text + strlen(text), room - strlen(text), " < %s", program->scope[scope].name);
    }
}

static void inlined_functions_and_their_lines_are_known(void **state)
{
    struct program *program = open_program();
    unsigned nested = 0, plain = 0;
    char text[256];

    (void)state;
    for (uint32_t pc = at(program, "calculate");; pc += 2) {
        const struct program_cell *cell = program_at(program, pc);

        describe(program, pc, text, sizeof text);
        if (strstr(text, "calculate") == NULL)
            break;
        assert_int_not_equal(cell->file, PROGRAM_NONE);
        assert_string_equal(program->file[cell->file].name, "tests/unit/profile/inlined.c");
        if (strcmp(text, "innermost < inner < calculate") == 0) {
            assert_in_range(cell->line, 11, 15);
            nested++;
        }
        plain += strcmp(text, "calculate") == 0;
    }
    assert_true(nested >= 2);
    assert_true(plain >= 2);
    program_close(program);
}

static void dropped_functions_leave_the_code_at_zero_alone(void **state)
{
    struct program *program = open_program();
    char text[256];

    (void)state;
    assert_int_equal(at(program, "_start"), 0);
    for (uint32_t pc = 0; pc < at(program, "start_back"); pc += 2) {
        const struct program_cell *cell = program_at(program, pc);

        describe(program, pc, text, sizeof text);
        assert_string_equal(text, "_start");
        assert_string_equal(program->file[cell->file].name, "tests/unit/profile/calls.S");
    }
    for (size_t i = 0; i < program->scopes; i++)
        assert_string_not_equal(program->scope[i].name, "dropped");
    program_close(program);
}

static void damaged_programs_are_refused_or_read(void **state)
{
    enum { TRIES = 600 };
    size_t count, refused = 0;
    char *bytes = read_whole(elf_path, &count);

    (void)state;
    random_state = 2;
    print_message("# seed %u\n", random_state);
    for (unsigned i = 0; i < TRIES; i++) {
        size_t length = i % 3 ? count : draw((uint32_t)count);
        char *copy = malloc(count);
        struct program *program;

        assert_non_null(copy);
        memcpy(copy, bytes, count);
        for (unsigned n = i % 3 ? 1 + draw(40) : 0; n > 0; n--)
            copy[draw(i % 3 == 1 ? (uint32_t)count : 400)] = (char)draw(256);
        write_whole(in_folder("elf"), copy, length);
        free(copy);
        program = program_open(in_folder("elf"));
        refused += program == NULL;
        program_close(program);
    }
    free(bytes);
    assert_true(refused > TRIES / 4);
    print_message("# evidence B3.5.1 damaged_programs=%zu\n", refused);
}

static void other_files_are_no_programs(void **state)
{
    (void)state;
    assert_null(program_open("/proc/self/exe"));
    assert_complaint("not for a 32-bit RISC-V");
    assert_null(program_open("Makefile"));
    assert_complaint("not an ELF file");
    assert_null(program_open("/dev/null"));
    assert_complaint("not an ELF file");
    assert_null(program_open("/tmp/no such file"));
    assert_complaint("No such file");
    assert_false(program_is_image(elf_path, 12, 34));
    assert_complaint("not the firmware of the trace");
    assert_false(program_is_image(elf_path, UINT32_MAX, 34));
    assert_complaint("not the firmware of the trace");
}

/* ---- call paths ---- */

struct walk {
    struct program *program;
    struct calls calls;
    uint64_t until;
    uint32_t pc;
};

static void begin(struct walk *walk, uint64_t from, uint64_t to)
{
    walk->program = open_program();
    walk->until = 100;
    assert_true(calls_init(&walk->calls, walk->program, 100, from, to));
}

/* The core retires the instruction at `pc`, `cycles` after the last one. */
static void retire(struct walk *walk, uint32_t pc, uint64_t cycles)
{
    walk->until += cycles;
    walk->pc = pc;
    if (!calls_step(&walk->calls, walk->until, pc))
        fail_msg("%s", walk->calls.problem);
}

/* Retires the instruction at a label ... */
static void go(struct walk *walk, const char *label)
{
    retire(walk, at(walk->program, label), 1);
}

/* ... and the next `count` instructions. */
static void next(struct walk *walk, unsigned count)
{
    while (count-- > 0)
        retire(walk, walk->pc + program_at(walk->program, walk->pc)->insn.bytes, 1);
}

/* Retires the instruction at a label and the next one. */
static void enter(struct walk *walk, const char *label)
{
    go(walk, label);
    next(walk, 1);
}

/* Starts a trace in which all cycles count, at a label. */
static void begin_in(struct walk *walk, const char *label)
{
    begin(walk, 0, UINT64_MAX);
    enter(walk, label);
}

static void end(struct walk *walk)
{
    calls_fini(&walk->calls);
    program_close(walk->program);
}

/* Ends the trace; returns its paths and their cycles. */
static char *folded(struct walk *walk)
{
    size_t count;

    calls_end(&walk->calls, walk->until);
    calls_sort(&walk->calls);
    assert_true(flame_write_folded(&walk->calls, in_folder("folded")));
    return read_whole(in_folder("folded"), &count);
}

static void expect_paths(struct walk *walk, const char *want)
{
    char *got = folded(walk);

    assert_string_equal(got, want);
    free(got);
}

static uint64_t entered(const struct walk *walk, const char *name)
{
    uint32_t pc = at(walk->program, name);

    return walk->calls.entered[program_function(walk->program,
                                                program_at(walk->program, pc)->scope)];
}

/* From reset through main and back, preceded by 2 cycles of reset. */
static void walk_through_main(struct walk *walk)
{
    retire(walk, 0, 2);
    next(walk, 1);
    enter(walk, "main");
    enter(walk, "middle");
    enter(walk, "leaf");
    enter(walk, "middle_back");
    enter(walk, "main_back");
    enter(walk, "leaf");
    enter(walk, "main_back_register");
    enter(walk, "milli");
    go(walk, "main_back_t0"), next(walk, 2);
    enter(walk, "tailer");
    enter(walk, "leaf");
    go(walk, "main_back_tail");
}

static void calls_returns_and_tail_calls_are_followed(void **state)
{
    struct walk walk;

    (void)state;
    begin(&walk, 0, UINT64_MAX);
    walk_through_main(&walk);
    /* 1 of _start: its first instruction is the end of the reset */
    expect_paths(&walk, "_start 1\n_start;main 9\n_start;main;leaf 4\n_start;main;middle 4\n"
                        "_start;main;middle;leaf 2\n_start;main;milli 2\n"
                        "_start;main;tailer 2\n");
    assert_int_equal(entered(&walk, "main"), 1);
    assert_int_equal(entered(&walk, "leaf"), 3);
    assert_int_equal(entered(&walk, "tailer"), 1);
    assert_int_equal(walk.calls.reset, 2);
    assert_int_equal(walk.calls.sleep, 1);
    assert_int_equal(walk.calls.sleeps, 1);
    assert_int_equal(walk.calls.total, walk.until - 100);
    assert_int_equal(walk.calls.busy + walk.calls.sleep + walk.calls.reset, walk.calls.total);
    print_message("# evidence B3.5.1 paths=%zu\n", walk.calls.nodes - 1);
    end(&walk);
}

static void recursion_stacks_up_and_down(void **state)
{
    struct walk walk;

    (void)state;
    begin_in(&walk, "main_back_tail");
    for (unsigned i = 0; i < 3; i++)
        enter(&walk, "recurse");
    go(&walk, "leaf"); /* returns as if the third call had called leaf: an impossible step, so a
                        * trap */
    expect_paths(&walk, "main 2\nmain;recurse 2\nmain;recurse;recurse 2\n"
                        "main;recurse;recurse;recurse 2\n"
                        "main;recurse;recurse;recurse;[trap];leaf 1\n");
    end(&walk);
}

static void too_deep_a_stack_begins_anew(void **state)
{
    struct walk walk;

    (void)state;
    begin_in(&walk, "recurse");
    for (unsigned i = 0; i < 3 * CALLS_DEPTH_MAX + 10; i++)
        enter(&walk, "recurse");
    assert_true(walk.calls.depth <= CALLS_DEPTH_MAX);
    assert_true(walk.calls.nodes <= CALLS_DEPTH_MAX + 1);
    go(&walk, "recurse");
    for (unsigned i = 0; i < 3 * CALLS_DEPTH_MAX; i++)
        go(&walk, "recurse_back");
    go(&walk, "main_back_recurse");
    calls_end(&walk.calls, walk.until);
    assert_int_equal(walk.calls.busy, walk.until - 100);
    end(&walk);
}

static void traps_are_frames_of_their_own(void **state)
{
    struct walk walk;

    (void)state;
    begin_in(&walk, "main");
    go(&walk, "middle");
    enter(&walk, "handler"); /* an interrupt in middle */
    enter(&walk, "leaf");
    enter(&walk, "handler_back");
    retire(&walk, at(walk.program, "middle") + 2, 1); /* mret returns to the call */
    enter(&walk, "leaf");
    enter(&walk, "handler"); /* immediately after the return of leaf */
    enter(&walk, "leaf");
    enter(&walk, "handler_back");
    enter(&walk, "middle_back"); /* the return address of leaf */
    go(&walk, "main_back");
    assert_int_equal(walk.calls.depth, 1);
    expect_paths(&walk,
                 "main 3\nmain;middle 4\nmain;middle;[trap];handler 4\n"
                 "main;middle;[trap];handler;leaf 2\nmain;middle;leaf 2\n"
                 "main;middle;leaf;[trap];handler 4\nmain;middle;leaf;[trap];handler;leaf 2\n");
    assert_int_equal(walk.calls.traps, 2);
    assert_int_equal(entered(&walk, "handler"), 2);
    end(&walk);
}

static void a_trace_may_begin_and_end_anywhere(void **state)
{
    struct walk walk;

    (void)state;
    begin_in(&walk, "leaf");
    enter(&walk, "middle_back"); /* the call of leaf is not in the trace */
    enter(&walk, "main_back");
    go(&walk, "leaf");
    walk.until += 5; /* the last stall of leaf is unknown */
    expect_paths(&walk, "leaf 2\nmain 2\nmain;leaf 1\nmiddle 2\n");
    assert_int_equal(walk.calls.unfinished, 5);
    assert_int_equal(entered(&walk, "leaf"), 1);
    end(&walk);

    begin(&walk, 0, UINT64_MAX);
    go(&walk, "handler_end"); /* the beginning of the trap is not in the trace */
    go(&walk, "middle_back");
    expect_paths(&walk, "handler 1\nmiddle 1\n");
    end(&walk);

    begin(&walk, 0, UINT64_MAX);
    go(&walk, "milli_end");
    go(&walk, "main_back_register");
    retire(&walk, at(walk.program, "main_back_register") + 2, 1);
    enter(&walk, "milli");
    walk.until += 50;
    expect_paths(&walk, "main 2\nmain;milli 2\nmilli 1\n");
    assert_int_equal(walk.calls.unfinished, 50);
    end(&walk);
}

static void expect_at_the_end(const char *label, uint64_t sleep, uint64_t unfinished)
{
    struct walk walk;

    begin(&walk, 0, UINT64_MAX);
    go(&walk, label);
    calls_end(&walk.calls, walk.until + 9);
    assert_int_equal(walk.calls.sleep, sleep);
    assert_int_equal(walk.calls.unfinished, unfinished);
    end(&walk);
}

static void sleep_is_told_from_work_also_at_the_end(void **state)
{
    (void)state;
    expect_at_the_end("sleeper", 0, 9);        /* a branch follows */
    expect_at_the_end("sleeper_branch", 9, 0); /* wfi, or the jump to it */
    expect_at_the_end("sleeper_wfi", 1, 9);    /* the jump follows */
    expect_at_the_end("sleeper_jump", 9, 0);
}

static void a_reset_empties_the_stack(void **state)
{
    struct walk walk;

    (void)state;
    begin_in(&walk, "main");
    go(&walk, "middle");
    retire(&walk, 0, 40);
    next(&walk, 1);
    go(&walk, "main");
    expect_paths(&walk, "_start 1\n_start;main 1\nmain 2\nmain;middle 1\n");
    assert_int_equal(walk.calls.reset, 40);
    assert_int_equal(walk.calls.resets, 1);
    end(&walk);
}

static void inlined_functions_are_frames(void **state)
{
    struct walk walk;
    uint32_t pc;
    char *got;

    (void)state;
    begin(&walk, 0, UINT64_MAX);
    go(&walk, "main_back_recurse");
    pc = at(walk.program, "calculate");
    retire(&walk, pc, 1);
    while (program_at(walk.program, walk.pc)->insn.kind == INSN_NEXT)
        next(&walk, 1);
    got = folded(&walk);
    assert_non_null(strstr(got, "main;calculate;inner;innermost "));
    assert_null(strstr(strstr(got, "inner;innermost ") + 1, "inner;innermost ")); /* once */
    free(got);
    end(&walk);
}

static void windows_add_up_to_the_whole(void **state)
{
    struct walk whole, part[3];
    uint64_t cut[4] = {0, 0, 0, UINT64_MAX};
    size_t tries = 0;

    (void)state;
    begin(&whole, 0, UINT64_MAX);
    walk_through_main(&whole);
    calls_end(&whole.calls, whole.until);
    for (cut[1] = 100; cut[1] < whole.until; cut[1] += 3) {
        for (cut[2] = cut[1]; cut[2] < whole.until; cut[2] += 4, tries++) {
            uint64_t busy = 0, sleep = 0, total = 0, count = 0, leaf = 0;

            for (unsigned i = 0; i < 3; i++) {
                begin(&part[i], cut[i], cut[i + 1]);
                walk_through_main(&part[i]);
                calls_end(&part[i].calls, part[i].until);
                busy += part[i].calls.busy;
                sleep += part[i].calls.sleep;
                total += part[i].calls.total;
                count += part[i].calls.instructions;
                leaf += entered(&part[i], "leaf");
                end(&part[i]);
            }
            assert_int_equal(busy, whole.calls.busy);
            assert_int_equal(sleep, whole.calls.sleep);
            assert_int_equal(total, whole.calls.total);
            assert_int_equal(count, whole.calls.instructions);
            assert_int_equal(leaf, entered(&whole, "leaf"));
        }
    }
    assert_true(tries > 20);
    end(&whole);
}

static void assert_problem(struct walk *walk, const char *part)
{
    if (strstr(walk->calls.problem, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", walk->calls.problem, part);
    walk->calls.problem[0] = 0;
}

static void a_trace_of_another_program_is_noticed(void **state)
{
    struct walk walk;

    (void)state;
    begin(&walk, 0, UINT64_MAX);
    assert_false(calls_step(&walk.calls, 101, 0x40000000));
    assert_problem(&walk, "it has no code at 0x40000000");
    assert_false(calls_step(&walk.calls, 101, 3));
    assert_problem(&walk, "it has no code at 0x3");
    go(&walk, "main");
    /* traps do not lead to odd multiples of two */
    assert_false(calls_step(&walk.calls, 103,
                            (at(walk.program, "jumps") & ~UINT32_C(3)) + 6));
    assert_problem(&walk, "(main) it cannot get to");
    end(&walk);

    /* ... nor to more than a few addresses */
    begin(&walk, 0, UINT64_MAX);
    go(&walk, "main");
    for (uint32_t i = 0; i < 40 && walk.calls.problem[0] == 0; i++)
        (void)calls_step(&walk.calls, 103 + i,
                         (at(walk.program, "jumps") & ~UINT32_C(3)) + 8 + 8 * i);
    assert_problem(&walk, "not the program of the trace");
    end(&walk);
}

/* ---- pictures ---- */

static unsigned occurrences(const char *text, const char *part)
{
    unsigned count = 0;

    for (text = strstr(text, part); text != NULL; text = strstr(text + 1, part))
        count++;
    return count;
}

static void flame_graphs_are_sound_and_name_every_frame(void **state)
{
    struct walk walk;
    size_t count;
    char *svg;

    (void)state;
    begin(&walk, 0, UINT64_MAX);
    walk_through_main(&walk);
    calls_end(&walk.calls, walk.until);
    calls_sort(&walk.calls);
    free(walk.program->scope[program_at(walk.program, at(walk.program, "leaf"))->scope].name);
    walk.program->scope[program_at(walk.program, at(walk.program, "leaf"))->scope].name =
        strdup("l<e>a&f\"");
    assert_true(flame_write_svg(&walk.calls, "<title>", in_folder("svg")));
    svg = read_whole(in_folder("svg"), &count);
    assert_int_equal(occurrences(svg, "<g>"), 8); /* all, and a frame for each of seven paths */
    assert_int_equal(occurrences(svg, "</g>"), 8);
    assert_int_equal(occurrences(svg, "<title>"), 8);
    assert_int_equal(occurrences(svg, "</title>"), 8);
    assert_int_equal(occurrences(svg, "<text"), occurrences(svg, "</text>"));
    assert_int_equal(occurrences(svg, "l&lt;e&gt;a&amp;f&quot;:"), 2);
    assert_int_equal(occurrences(svg, "l<e"), 0);
    assert_non_null(strstr(svg, "<title>_start: 24 cycles, 100.0 % of busy; 1 of its own"));
    assert_non_null(strstr(svg, "<title>middle: 6 cycles, 25.0 % of busy; 4 of its own</title>"
                                "<rect x=\""));
    assert_int_equal(occurrences(svg, "width=\"1180.00\""), 2); /* all and _start */
    assert_int_equal(occurrences(svg, "width=\"295.00\""), 1);  /* middle */
    assert_string_equal(svg + count - 7, "</svg>\n");
    free(svg);
    assert_false(flame_write_svg(&walk.calls, "", "/tmp/no such folder/x"));
    assert_complaint("No such file");
    assert_false(flame_write_svg(&walk.calls, "", "/dev/full"));
    assert_complaint("No space left");
    assert_false(flame_write_folded(&walk.calls, "/dev/full"));
    assert_complaint("No space left");
    end(&walk);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_back_as_they_were_written),
        cmocka_unit_test(truncated_traces_are_refused),
        cmocka_unit_test(damaged_traces_are_refused_or_read_alike),
        cmocka_unit_test(traces_that_say_what_cannot_be_are_refused),
        cmocka_unit_test(other_files_are_no_traces),
        cmocka_unit_test(targets_of_jumps_are_those_of_the_assembler),
        cmocka_unit_test(instructions_are_of_the_kinds_of_the_manual),
        cmocka_unit_test(inlined_functions_and_their_lines_are_known),
        cmocka_unit_test(dropped_functions_leave_the_code_at_zero_alone),
        cmocka_unit_test(damaged_programs_are_refused_or_read),
        cmocka_unit_test(other_files_are_no_programs),
        cmocka_unit_test(calls_returns_and_tail_calls_are_followed),
        cmocka_unit_test(recursion_stacks_up_and_down),
        cmocka_unit_test(too_deep_a_stack_begins_anew),
        cmocka_unit_test(traps_are_frames_of_their_own),
        cmocka_unit_test(a_trace_may_begin_and_end_anywhere),
        cmocka_unit_test(sleep_is_told_from_work_also_at_the_end),
        cmocka_unit_test(a_reset_empties_the_stack),
        cmocka_unit_test(inlined_functions_are_frames),
        cmocka_unit_test(windows_add_up_to_the_whole),
        cmocka_unit_test(a_trace_of_another_program_is_noticed),
        cmocka_unit_test(flame_graphs_are_sound_and_name_every_frame),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
