/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's end of the host link for its bench: tern-bridge's code above a memory of the bench in
 * place of clients.
 */
#include "hlink_host.h"

#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "faults.h"
#include "phy.h"
#include "uart.h"

enum {
    WORK_CYCLES = 100,
    ETHER_US = 250, /* steps of RGMII in a microsecond */
    ACCESSES = 65536,
    LINE_PIECE = 256,
    VECTOR = 5,
    CLOCK_PIN = 32,
    STRANGER_EVERY = 8, /* frames */
    OTHER_READS = 4     /* of the other node's registers, under way */
};

static const uint64_t of_other = 1ull << 40; /* in cookies of the other node's reads */

struct tern_nic {
    uint8_t *memory;
    uint32_t bytes;
};

/* Register accesses in order: those that the host pushed, and the node's part in them. */
struct access {
    struct tern_bar_access pushed;
    uint64_t answer;
    bool taken, answered;
};

static struct {
    struct tern_board_host board;
    struct tern_nic nic;
    struct board_uart uart;
    struct board_faults down, up;
    struct board_phy phy;
    struct board_wire wire_down, wire_up;
    /* another node on the line, channel 0; the first one is channel 1 then */
    bool shared, other_sends;
    struct tern_board_host other;
    unsigned other_pushed, other_answered;
    bool strange;
    unsigned frames, strangers;
    struct access access[ACCESSES];
    unsigned pushed, taken, answered, answers_wanted, wrong, interrupts;
    uint64_t cycle, cycles_us, random;
} host;

/* ---- in place of sim/host/nic.c ---- */

struct tern_nic *tern_nic_new(const struct tern_nic_config *config)
{
    (void)config;
    return &host.nic;
}

void tern_nic_free(struct tern_nic *nic)
{
    (void)nic;
}

void tern_nic_work(struct tern_nic *nic, uint64_t cycle)
{
    (void)nic;
    (void)cycle;
}

bool tern_nic_busy(const struct tern_nic *nic)
{
    (void)nic;
    return false;
}

void tern_nic_interrupt(struct tern_nic *nic, unsigned function, unsigned vector)
{
    (void)nic;
    host.interrupts += function == 0 && vector == VECTOR;
}

enum tern_dma_result tern_nic_transfer(struct tern_nic *nic, struct tern_dma_op *op)
{
    if (op->address + op->bytes > nic->bytes)
        return TERN_DMA_FAULT;
    if (op->write)
        memcpy(nic->memory + op->address, op->data, op->bytes);
    else
        memcpy(op->data, nic->memory + op->address, op->bytes);
    return TERN_DMA_OK;
}

void tern_nic_read_done(struct tern_nic *nic, uint64_t cookie, uint64_t data)
{
    struct access *access = &host.access[cookie % ACCESSES];

    (void)nic;
    if (cookie & of_other) {
        uint64_t address = 8 * (cookie & ~of_other);

        host.wrong += data != ~address || (cookie & ~of_other) != host.other_answered;
        host.other_answered++;
        return;
    }
    host.wrong += cookie >= host.pushed || !access->taken || access->answered ||
                  access->answer != data;
    access->answered = true;
    host.answered++;
}

/* ---- called by the bench ---- */

static unsigned draw(unsigned count)
{
    host.random = host.random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((host.random >> 33) % count);
}

static void begin_ether(uint64_t seed, unsigned faults)
{
    static const uint8_t own[TERN_PACKET_ADDRESS] = {0x02, 1, 2, 3, 4, 5};

    host.cycles_us = ETHER_US;
    host.strange = faults > 0;
    board_wire_init(&host.wire_down, seed, faults, faults, faults, faults);
    board_wire_init(&host.wire_up, seed + 1, faults, faults, faults, faults);
    board_phy_init(&host.phy, &host.wire_down, &host.wire_up);
    tern_line_ether(&host.board.line, own);
}

void hlink_begin(int seed, int faults, int baud, int clock, int memory)
{
    memset(&host, 0, sizeof host);
    host.random = (uint64_t)seed;
    host.nic.memory = calloc(1, (size_t)memory);
    host.nic.bytes = (uint32_t)memory;
    host.cycles_us = (uint64_t)clock / 1000000;
    board_uart_init(&host.uart, (unsigned)baud, (unsigned)clock);
    board_faults_init(&host.down, (uint64_t)seed, (unsigned)faults, (unsigned)faults,
                      (unsigned)faults);
    board_faults_init(&host.up, (uint64_t)seed + 1, (unsigned)faults, (unsigned)faults,
                      (unsigned)faults);
    tern_board_host_init(&host.board, (uint32_t)seed, 0);
    if (baud == 0)
        begin_ether((uint64_t)seed, (unsigned)faults);
    tern_board_host_open(&host.board);
}

void hlink_share(void)
{
    host.shared = true;
    host.board.line.channel = 1;
    tern_board_host_init(&host.other, ~host.board.line.session, 0);
    tern_board_host_open(&host.other);
}

int hlink_other(void)
{
    return (int)host.other_answered;
}

/* Does what is due; the line brings and takes nothing meanwhile. */
static void work_between(void)
{
    tern_board_host_work(&host.board, host.cycle / host.cycles_us);
    host.wrong += host.board.overrun || tern_line_dead(&host.board.line);
    if (!host.shared)
        return;
    while (host.other_pushed - host.other_answered < OTHER_READS &&
           host.other_pushed < UINT16_MAX / 8) {
        struct tern_bar_access access = {.cookie = of_other | host.other_pushed,
                                         .address = 8 * host.other_pushed,
                                         .enables = 0xff};

        tern_board_host_port(&host.other)->push(&host.other, &access);
        host.other_pushed++;
    }
    tern_board_host_work(&host.other, host.cycle / host.cycles_us);
    host.wrong += host.other.overrun || tern_line_dead(&host.other.line);
}

static void work(void)
{
    uint8_t bytes[LINE_PIECE];
    size_t count = board_faults_take(&host.up, bytes, sizeof bytes);
    struct tern_line *line = host.other_sends ? &host.other.line : &host.board.line;
    const uint8_t *from;

    tern_line_input(&host.board.line, bytes, count);
    if (host.shared)
        tern_line_input(&host.other.line, bytes, count);
    work_between();
    /* A node's output ends with a frame: the other one's turn. */
    if (host.shared && line->out_bytes == 0) {
        host.other_sends = !host.other_sends;
        line = host.other_sends ? &host.other.line : &host.board.line;
    }
    from = tern_line_output(line, &count);
    if (count > LINE_PIECE)
        count = LINE_PIECE;
    if (board_faults_room(&host.down) < count || board_uart_room(&host.uart) < 4 * LINE_PIECE)
        return;
    for (size_t i = 0; i < count; i++)
        board_faults_byte(&host.down, from[i]);
    tern_line_output_taken(line, count);
    board_uart_queue(&host.uart, &host.down);
}

int hlink_level(int level)
{
    uint8_t byte;

    if (host.nic.memory == NULL)
        return 1;
    if (board_uart_receive(&host.uart, level, &byte))
        board_faults_byte(&host.up, byte);
    if (host.cycle++ % WORK_CYCLES == 0)
        work();
    return board_uart_send(&host.uart);
}

/*
 * Changes a frame of the host link, all but its number, and the CRC with it; then makes it one of
 * another session, another type, or for another receiver.
 */
static void make_strange(uint8_t *packet, size_t bytes)
{
    static const unsigned places[] = {4, 13, 14}; /* receiver, type, session */
    uint32_t words[TERN_FRAME_WORDS], crc;
    size_t count = packet[TERN_PACKET_HEAD + 3];

    for (size_t i = TERN_PACKET_HEAD + 8; i < TERN_PACKET_HEAD + 4 * count && i < bytes; i++)
        packet[i] ^= 0x55;
    memcpy(words, packet + TERN_PACKET_HEAD, 4 * count);
    crc = tern_frame_crc(words, count);
    memcpy(packet + TERN_PACKET_HEAD + 4 * count, &crc, sizeof crc);
    packet[places[host.strangers++ % 3]] ^= 0x10;
}

static bool is_turn_of_strangers(const uint8_t *packet)
{
    unsigned kind = packet[TERN_PACKET_HEAD] & 15;

    return host.strange && kind >= TERN_HLINK_KIND_NUMBERED && host.frames++ % STRANGER_EVERY == 0;
}

static void send_packet(const uint8_t *packet, size_t bytes)
{
    uint8_t frame[BOARD_FRAME_BYTES];

    memcpy(frame, packet, bytes);
    if (is_turn_of_strangers(packet)) {
        make_strange(frame, bytes);
        board_fcs_add(frame, bytes);
        board_wire_put(&host.wire_down, frame, bytes + BOARD_FCS_BYTES);
        memcpy(frame, packet, bytes);
    }
    board_fcs_add(frame, bytes);
    board_wire_put(&host.wire_down, frame, bytes + BOARD_FCS_BYTES);
}

static void receive_packet(struct board_frame *frame)
{
    size_t bytes = frame->count - BOARD_FCS_BYTES;
    struct board_frame strange = *frame;

    if (!board_fcs_holds(frame->bytes, frame->count))
        return;
    if (is_turn_of_strangers(frame->bytes)) {
        make_strange(strange.bytes, bytes);
        tern_line_packet(&host.board.line, strange.bytes, bytes);
    }
    tern_line_packet(&host.board.line, frame->bytes, bytes);
}

static void work_ether(void)
{
    struct board_frame frame;

    while (board_wire_take(&host.wire_up, &frame))
        receive_packet(&frame);
    work_between();
    while (board_wire_room(&host.wire_down) > 1) {
        size_t count;
        const uint8_t *from = tern_line_output(&host.board.line, &count);

        if (count == 0)
            break;
        send_packet(from, count);
        tern_line_output_taken(&host.board.line, count);
    }
}

int hlink_rgmii(int pins)
{
    bool clock;
    unsigned in;

    if (host.nic.memory == NULL) { /* the clock runs before the session begins */
        host.phy.clock = !host.phy.clock;
        return host.phy.clock ? CLOCK_PIN : 0;
    }
    board_phy_receive(&host.phy, (pins & CLOCK_PIN) != 0, (unsigned)pins);
    if (host.cycle++ % ETHER_US == 0)
        work_ether();
    host.wrong += host.phy.wrong > 0;
    in = board_phy_send(&host.phy, &clock);
    return (int)(in | (clock ? CLOCK_PIN : 0));
}

long long hlink_register(int write, int fn, int addr, int be, long long data)
{
    struct access *access = &host.access[host.taken % ACCESSES];
    const struct tern_bar_access *pushed = &access->pushed;

    host.wrong += host.taken >= host.pushed || pushed->write != (write != 0) ||
                  pushed->function != fn || pushed->address != (uint32_t)addr ||
                  pushed->enables != be || (write && pushed->data != (uint64_t)data);
    host.taken++;
    access->taken = true;
    access->answer = (uint64_t)draw(1 << 30) << 32 | draw(1 << 30);
    return (long long)access->answer;
}

static struct tern_bar_access random_access(void)
{
    struct tern_bar_access access = {.cookie = host.pushed,
                                     .address = draw(4096) * 8,
                                     .function = (uint8_t)draw(4),
                                     .enables = 0xff,
                                     .write = draw(4) != 0};

    if (draw(4) == 0)
        access.enables = draw(2) ? 0x0f : 0xf0;
    if (access.write)
        access.data = (uint64_t)draw(1 << 30) << 32 | draw(1 << 30);
    return access;
}

int hlink_registers(int more)
{
    const struct tern_bar_port *port = tern_board_host_port(&host.board);
    unsigned reads = 0;

    for (; more > 0; more--) {
        struct tern_bar_access access = random_access();
        unsigned row = access.write && access.enables == 0xff ? 1 + draw(10) : 1;

        for (; row > 0 && port->room(port->ctx) > 0; row--) {
            access.cookie = host.pushed;
            host.access[host.pushed++ % ACCESSES].pushed = access;
            host.answers_wanted += !access.write;
            port->push(port->ctx, &access);
            access.address += 8;
            access.data += 0x7e7d;
        }
    }
    reads = host.answers_wanted - host.answered;
    return (int)(host.pushed - host.taken + reads);
}

int hlink_wrong(void)
{
    return (int)host.wrong;
}

int hlink_faults(void)
{
    return (int)(host.down.faults + host.up.faults + host.wire_down.faults + host.wire_up.faults);
}

int hlink_interrupts(void)
{
    return (int)host.interrupts;
}

int hlink_again(void)
{
    return (int)host.board.line.counts.again;
}

int hlink_strangers(void)
{
    return (int)host.strangers;
}
