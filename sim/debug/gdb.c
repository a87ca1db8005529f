/* SPDX-License-Identifier: Apache-2.0 */
/* Executes gdb's packets on a core. */
#include "gdb.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "describe.h"

enum {
    SIGNAL_INT = 2,
    SIGNAL_TRAP = 5,
    ERROR_MEMORY = 0x0e, /* host errno values; gdb only displays them */
    ERROR_BUSY = 0x10,
    ERROR_ARGUMENT = 0x16,
    REGISTERS = TERN_HART_PC + 1, /* in a `g` packet */
    THREAD = 1
};

/* The unread part of a packet. */
struct text {
    const char *at, *end;
};

/* ---- answers ---- */

__attribute__((format(printf, 2, 3))) static void say(struct tern_gdb *gdb,
                                                      const char *format, ...)
{
    size_t room = sizeof gdb->answer - gdb->answer_count;
    va_list args;
    int count;

    va_start(args, format);
    count = vsnprintf(gdb->answer + gdb->answer_count, room, format, args);
    va_end(args);
    if (count > 0)
        gdb->answer_count += (size_t)count < room ? (size_t)count : room - 1;
}

static void say_error(struct tern_gdb *gdb, int number)
{
    gdb->answer_count = 0;
    say(gdb, "E%02x", number);
}

static void say_ok(struct tern_gdb *gdb, bool good)
{
    if (good)
        say(gdb, "OK");
    else
        say_error(gdb, ERROR_MEMORY);
}

static void say_bytes(struct tern_gdb *gdb, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        say(gdb, "%02x", bytes[i]);
}

/* Appends a register, lowest byte first. */
static void say_word(struct tern_gdb *gdb, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        say(gdb, "%02x", value >> (8 * i) & 0xff);
}

static void say_stop(struct tern_gdb *gdb)
{
    say(gdb, "T%02xthread:%d;", gdb->signal, THREAD);
}

static void put_out(struct tern_gdb *gdb, const char *bytes, size_t count)
{
    if (count > sizeof gdb->out - gdb->out_bytes)
        return; /* cannot happen: input stops earlier */
    memcpy(gdb->out + gdb->out_bytes, bytes, count);
    gdb->out_bytes += count;
}

static void send_answer(struct tern_gdb *gdb)
{
    gdb->last_bytes = tern_rsp_frame(gdb->last, gdb->answer, gdb->answer_count);
    put_out(gdb, gdb->last, gdb->last_bytes);
}

/* ---- reading a packet ---- */

static bool number(struct text *text, uint32_t *value)
{
    unsigned digits = 0;

    *value = 0;
    while (text->at < text->end && tern_rsp_digit(*text->at) >= 0 && digits++ < 8)
        *value = *value << 4 | (uint32_t)tern_rsp_digit(*text->at++);
    return digits > 0 && digits <= 8;
}

static bool sign(struct text *text, char c)
{
    if (text->at == text->end || *text->at != c)
        return false;
    text->at++;
    return true;
}

static bool at_end(const struct text *text)
{
    return text->at == text->end;
}

static bool starts(struct text *text, const char *with)
{
    size_t bytes = strlen(with);

    if ((size_t)(text->end - text->at) < bytes || memcmp(text->at, with, bytes) != 0)
        return false;
    text->at += bytes;
    return true;
}

/* Reads `count` bytes in hexadecimal, which must be the rest of the packet. */
static bool hex_bytes(struct text *text, uint8_t *bytes, size_t count)
{
    if ((size_t)(text->end - text->at) != 2 * count)
        return false;
    for (size_t i = 0; i < count; i++) {
        int high = tern_rsp_digit(text->at[2 * i]);
        int low = tern_rsp_digit(text->at[2 * i + 1]);

        if (high < 0 || low < 0)
            return false;
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static uint32_t word_of(const uint8_t *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/* ---- registers ---- */

static bool get_register(struct tern_gdb *gdb, uint32_t which, uint32_t *value)
{
    if (which < REGISTERS)
        return tern_hart_get(gdb->hart, which, value);
    return which - REGISTERS < TERN_DESCRIBE_CSRS &&
           tern_hart_get_csr(gdb->hart, tern_describe_csrs[which - REGISTERS].number, value);
}

static bool set_register(struct tern_gdb *gdb, uint32_t which, uint32_t value)
{
    if (which < REGISTERS)
        return tern_hart_set(gdb->hart, which, value);
    return which - REGISTERS < TERN_DESCRIBE_CSRS &&
           tern_hart_set_csr(gdb->hart, tern_describe_csrs[which - REGISTERS].number, value);
}

static void read_all(struct tern_gdb *gdb, struct text *text)
{
    uint32_t value;

    (void)text;
    for (uint32_t r = 0; r < REGISTERS; r++) {
        if (!get_register(gdb, r, &value)) {
            say_error(gdb, ERROR_MEMORY);
            return;
        }
        say_word(gdb, value);
    }
}

static void write_all(struct tern_gdb *gdb, struct text *text)
{
    uint8_t bytes[4 * REGISTERS];

    if (!hex_bytes(text, bytes, sizeof bytes)) {
        say_error(gdb, ERROR_ARGUMENT);
        return;
    }
    for (uint32_t r = 0; r < REGISTERS; r++) {
        if (!set_register(gdb, r, word_of(bytes + 4 * r))) {
            say_error(gdb, ERROR_MEMORY);
            return;
        }
    }
    say_ok(gdb, true);
}

static void read_one(struct tern_gdb *gdb, struct text *text)
{
    uint32_t which, value;

    if (!number(text, &which) || !at_end(text))
        say_error(gdb, ERROR_ARGUMENT);
    else if (!get_register(gdb, which, &value))
        say_error(gdb, ERROR_MEMORY);
    else
        say_word(gdb, value);
}

static void write_one(struct tern_gdb *gdb, struct text *text)
{
    uint32_t which;
    uint8_t bytes[4];

    if (!number(text, &which) || !sign(text, '=') || !hex_bytes(text, bytes, sizeof bytes))
        say_error(gdb, ERROR_ARGUMENT);
    else
        say_ok(gdb, set_register(gdb, which, word_of(bytes)));
}

/* ---- memory ---- */

static bool range(struct text *text, uint32_t *address, uint32_t *count)
{
    return number(text, address) && sign(text, ',') && number(text, count) &&
           *count <= TERN_RSP_BYTES / 2;
}

static void read_memory(struct tern_gdb *gdb, struct text *text)
{
    uint8_t bytes[TERN_RSP_BYTES / 2];
    uint32_t address, count;

    if (!range(text, &address, &count) || !at_end(text))
        say_error(gdb, ERROR_ARGUMENT);
    else if (!tern_hart_load(gdb->hart, address, bytes, count))
        say_error(gdb, ERROR_MEMORY);
    else
        say_bytes(gdb, bytes, count);
}

static void write_memory(struct tern_gdb *gdb, struct text *text)
{
    uint8_t bytes[TERN_RSP_BYTES / 2];
    uint32_t address, count;

    if (!range(text, &address, &count) || !sign(text, ':') || !hex_bytes(text, bytes, count))
        say_error(gdb, ERROR_ARGUMENT);
    else
        say_ok(gdb, tern_hart_store(gdb->hart, address, bytes, count));
}

static void write_binary(struct tern_gdb *gdb, struct text *text)
{
    uint32_t address, count;

    if (!number(text, &address) || !sign(text, ',') || !number(text, &count) ||
        !sign(text, ':') || (size_t)(text->end - text->at) != count)
        say_error(gdb, ERROR_ARGUMENT);
    else
        say_ok(gdb, tern_hart_store(gdb->hart, address, (const uint8_t *)text->at, count));
}

/* ---- running ---- */

static void go(struct tern_gdb *gdb)
{
    if (tern_hart_go(gdb->hart))
        gdb->running = true; /* answered when the core stops */
    else
        say_error(gdb, ERROR_MEMORY);
}

static void step(struct tern_gdb *gdb)
{
    gdb->signal = SIGNAL_TRAP;
    if (tern_hart_step(gdb->hart))
        say_stop(gdb);
    else
        say_error(gdb, ERROR_MEMORY);
}

/* Handles c, s [address]; C, S signal[;address]: signals are ignored. */
static void resume(struct tern_gdb *gdb, struct text *text, bool one, bool with_signal)
{
    uint32_t value;
    bool good = true;

    if (with_signal)
        good = number(text, &value) && (at_end(text) || sign(text, ';'));
    if (good && !at_end(text))
        good = number(text, &value) && at_end(text) &&
               tern_hart_set(gdb->hart, TERN_HART_PC, value);
    if (!good)
        say_error(gdb, ERROR_ARGUMENT);
    else if (one)
        step(gdb);
    else
        go(gdb);
}

static void resume_c(struct tern_gdb *gdb, struct text *text)
{
    resume(gdb, text, false, false);
}

static void resume_s(struct tern_gdb *gdb, struct text *text)
{
    resume(gdb, text, true, false);
}

static void resume_signal_c(struct tern_gdb *gdb, struct text *text)
{
    resume(gdb, text, false, true);
}

static void resume_signal_s(struct tern_gdb *gdb, struct text *text)
{
    resume(gdb, text, true, true);
}

/* Handles vCont;action[:thread]...: there is one thread, so the first action is for it. */
static void v_packet(struct tern_gdb *gdb, struct text *text)
{
    if (starts(text, "Cont?"))
        say(gdb, "vCont;c;C;s;S");
    else if (starts(text, "Cont;s") || starts(text, "Cont;S"))
        step(gdb);
    else if (starts(text, "Cont;c") || starts(text, "Cont;C"))
        go(gdb);
    else if (starts(text, "Cont;"))
        say_error(gdb, ERROR_ARGUMENT);
    else if (starts(text, "Kill")) {
        say_ok(gdb, true);
        gdb->over = true;
    }
}

static void why(struct tern_gdb *gdb, struct text *text)
{
    (void)text;
    say_stop(gdb);
}

static void detach(struct tern_gdb *gdb, struct text *text)
{
    (void)text;
    say_ok(gdb, true);
    gdb->over = true;
}

static void quit(struct tern_gdb *gdb, struct text *text)
{
    (void)text;
    gdb->over = true;
}

/* ---- breakpoints ---- */

static void breakpoint(struct tern_gdb *gdb, struct text *text, bool set)
{
    uint32_t type, address, kind;

    if (!number(text, &type) || !sign(text, ',') || !number(text, &address) ||
        !sign(text, ',') || !number(text, &kind))
        say_error(gdb, ERROR_ARGUMENT);
    else if (type > 1)
        return; /* watchpoints: not supported */
    else if (set)
        say_ok(gdb, tern_hart_plant(gdb->hart, address, kind));
    else
        say_ok(gdb, tern_hart_pull(gdb->hart, address, kind));
}

static void insert(struct tern_gdb *gdb, struct text *text)
{
    breakpoint(gdb, text, true);
}

static void take_out(struct tern_gdb *gdb, struct text *text)
{
    breakpoint(gdb, text, false);
}

/* ---- queries ---- */

static void say_hex(struct tern_gdb *gdb, const char *text)
{
    say_bytes(gdb, (const uint8_t *)text, strlen(text));
}

static void monitor_cycles(struct tern_gdb *gdb)
{
    char line[96];

    snprintf(line, sizeof line, "node %u, cycle %" PRIu64 "\n", gdb->node, *gdb->hart->cycle);
    say_hex(gdb, line);
}

static void monitor_reset(struct tern_gdb *gdb)
{
    if (tern_hart_reset(gdb->hart))
        say_hex(gdb, "the core was reset and stands at its first instruction\n");
    else
        say_hex(gdb, "the core does not come out of reset\n");
}

static void monitor(struct tern_gdb *gdb, struct text *text)
{
    char command[32] = "";
    size_t bytes = (size_t)(text->end - text->at) / 2;

    if (bytes >= sizeof command || !hex_bytes(text, (uint8_t *)command, bytes))
        command[0] = 0;
    if (strcmp(command, "cycles") == 0)
        monitor_cycles(gdb);
    else if (strcmp(command, "reset") == 0)
        monitor_reset(gdb);
    else
        say_hex(gdb, "monitor cycles   node and simulated time\n"
                     "monitor reset    resets the core by its watchdog, and halts it\n"
                     "monitor help     this text\n");
}

static void part_of_description(struct tern_gdb *gdb, struct text *text)
{
    uint32_t from, count;
    size_t bytes;
    const char *xml = tern_describe_xml(&bytes);

    if (!number(text, &from) || !sign(text, ',') || !number(text, &count) || from > bytes) {
        say_error(gdb, ERROR_ARGUMENT);
        return;
    }
    if (count > TERN_RSP_BYTES / 2)
        count = TERN_RSP_BYTES / 2;
    if (count > bytes - from)
        count = (uint32_t)(bytes - from);
    say(gdb, "%c%.*s", from + count == bytes ? 'l' : 'm', (int)count, xml + from);
}

static void query(struct tern_gdb *gdb, struct text *text)
{
    if (starts(text, "Supported"))
        say(gdb, "PacketSize=%x;QStartNoAckMode+;vContSupported+;qXfer:features:read+",
            TERN_RSP_BYTES);
    else if (starts(text, "Xfer:features:read:target.xml:"))
        part_of_description(gdb, text);
    else if (starts(text, "Rcmd,"))
        monitor(gdb, text);
    else if (starts(text, "fThreadInfo"))
        say(gdb, "m%d", THREAD);
    else if (starts(text, "sThreadInfo"))
        say(gdb, "l");
    else if (starts(text, "Attached"))
        say(gdb, "1");
    else if (starts(text, "C") && at_end(text))
        say(gdb, "QC%d", THREAD);
}

static void set_mode(struct tern_gdb *gdb, struct text *text)
{
    if (!starts(text, "StartNoAckMode"))
        return;
    gdb->silent = true;
    say_ok(gdb, true);
}

static void agree(struct tern_gdb *gdb, struct text *text)
{
    (void)text;
    say_ok(gdb, true);
}

/* ---- packets ---- */

static const struct {
    char letter;
    bool running; /* accepted also while the core runs */
    void (*act)(struct tern_gdb *gdb, struct text *text);
} packets[] = {
    {'?', false, why},          {'g', false, read_all},        {'G', false, write_all},
    {'p', false, read_one},     {'P', false, write_one},       {'m', false, read_memory},
    {'M', false, write_memory}, {'X', false, write_binary},    {'c', false, resume_c},
    {'s', false, resume_s},     {'C', false, resume_signal_c}, {'S', false, resume_signal_s},
    {'v', false, v_packet},     {'Z', false, insert},          {'z', false, take_out},
    {'k', true, quit},          {'D', true, detach},           {'H', true, agree},
    {'T', true, agree},         {'q', false, query},           {'Q', true, set_mode}};

static void carry_out(struct tern_gdb *gdb)
{
    struct text text = {.at = gdb->in.data + 1, .end = gdb->in.data + gdb->in.count};

    for (size_t i = 0; gdb->in.count > 0 && i < sizeof packets / sizeof packets[0]; i++) {
        if (packets[i].letter != gdb->in.data[0])
            continue;
        if (gdb->running && !packets[i].running)
            say_error(gdb, ERROR_BUSY);
        else
            packets[i].act(gdb, &text);
        break;
    }
}

static void on_packet(struct tern_gdb *gdb)
{
    bool silent = gdb->silent, ran = gdb->running;

    if (!silent)
        put_out(gdb, "+", 1);
    gdb->answer_count = 0;
    carry_out(gdb);
    if (!(gdb->running && !ran) && !(gdb->over && gdb->answer_count == 0))
        send_answer(gdb);
}

static void on_break(struct tern_gdb *gdb)
{
    if (!gdb->running || !tern_hart_halt(gdb->hart))
        return;
    gdb->running = false;
    gdb->signal = SIGNAL_INT;
    gdb->answer_count = 0;
    say_stop(gdb);
    send_answer(gdb);
}

static void on_event(struct tern_gdb *gdb, enum tern_rsp_event event)
{
    switch (event) {
    case TERN_RSP_PACKET:
        on_packet(gdb);
        break;
    case TERN_RSP_DAMAGED:
        if (!gdb->silent)
            put_out(gdb, "-", 1);
        break;
    case TERN_RSP_TOO_LONG:
        if (!gdb->silent)
            put_out(gdb, "+", 1);
        say_error(gdb, ERROR_ARGUMENT);
        send_answer(gdb);
        break;
    case TERN_RSP_REFUSED:
        if (!gdb->silent)
            put_out(gdb, gdb->last, gdb->last_bytes);
        break;
    case TERN_RSP_BREAK:
        on_break(gdb);
        break;
    default:
        break;
    }
}

size_t tern_gdb_input(struct tern_gdb *gdb, const uint8_t *bytes, size_t count)
{
    size_t taken = 0;

    while (taken < count && !gdb->over &&
           gdb->out_bytes + 1 + sizeof gdb->last <= sizeof gdb->out)
        on_event(gdb, tern_rsp_take(&gdb->in, bytes[taken++]));
    return taken;
}

void tern_gdb_poll(struct tern_gdb *gdb)
{
    enum tern_hart_state state;

    if (!gdb->open || !gdb->running ||
        gdb->out_bytes + sizeof gdb->last > sizeof gdb->out)
        return;
    state = tern_hart_poll(gdb->hart);
    if (state != TERN_HART_BREAK && state != TERN_HART_STANDING)
        return;
    gdb->running = false;
    gdb->signal = SIGNAL_TRAP;
    gdb->answer_count = 0;
    say_stop(gdb);
    send_answer(gdb);
}

void tern_gdb_sent(struct tern_gdb *gdb, size_t bytes)
{
    gdb->out_bytes -= bytes;
    memmove(gdb->out, gdb->out + bytes, gdb->out_bytes);
}

/* ---- sessions ---- */

void tern_gdb_init(struct tern_gdb *gdb, struct tern_hart *hart, unsigned node)
{
    memset(gdb, 0, sizeof *gdb);
    gdb->hart = hart;
    gdb->node = node;
}

bool tern_gdb_begin(struct tern_gdb *gdb)
{
    if (!tern_hart_halt(gdb->hart)) {
        tern_hart_release(gdb->hart);
        return false;
    }
    tern_gdb_init(gdb, gdb->hart, gdb->node);
    gdb->signal = SIGNAL_TRAP;
    gdb->open = true;
    return true;
}

void tern_gdb_end(struct tern_gdb *gdb)
{
    if (gdb->open)
        tern_hart_release(gdb->hart);
    gdb->open = false;
    gdb->running = false;
    gdb->out_bytes = 0;
}
