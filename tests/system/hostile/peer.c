/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: hostile_peer [--batches N] [--seed S]
 *
 * Puts a hostile end point in the place of one NIC of a ring of five. It keeps to the link
 * protocol, but sends packets with contents that no NIC would send. Three victims on other nodes
 * continuously put and add to each other's memory. The program checks that the NIC answers each bad
 * packet with the status in its row of the table of packets, or not at all if the row says so. No
 * byte outside the memory of the end point may change, and no bad packet may end another node's
 * operation. All NICs must work at the end. $TIER selects the tier.
 *
 * All nodes run in this process, which advances time: a seed gives the same run every time.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "end_point.h"
#include "hostile.h"
#include "numbers.h"
#include "rig_sim.h"
#include "rig_tier.h"

enum {
    RING = 5, /* victims on 0, 1 and 2; node 4 is unused */
    PEER = 3,
    LEFT = 1, /* its ports: to node 2; and through node 4 to node 0 */
    RIGHT = 0,
    STEP_CYCLES = 64,
    STRAIGHT_CYCLES = 40000, /* any answer has come by then */
    SILENT_CYCLES = 4000,    /* after so long without an answer, none will come */
    WAIT_CYCLES = 20000000,  /* a net */
    HEADER_WORDS = TERN_PKT_HEADER_BYTES / 4,
    PAYLOAD_MAX = 512,
    ANSWERS = 1024,
    SILENT = -1,
    FLOOD = 100 /* packets: many times the receive slots */
};

static struct tern_sim *sim;
static struct end_point end;
static struct scene scene;
static struct holder holders[NODES];
static struct seat seats[NODES];
static uint64_t deadline, seed = 1, random_state;
static unsigned batches;

/* The answers, by the operation that they name. */
static struct {
    bool came;
    uint8_t status;
    uint16_t from;
} answers[ANSWERS];

/* Operation id of the last packet to the end point. */
static uint32_t seen_opid;
static bool seen;

/* ---- the ring ---- */

static int progress(void *arg)
{
    (void)arg;
    tern_sim_run(sim, STEP_CYCLES);
    for (unsigned n = 0; n < NODES; n++)
        if (holders[n].device)
            tern_serve(holders[n].device);
    return tern_sim_cycle(sim) > deadline;
}

static void allow_time(uint64_t cycles)
{
    deadline = tern_sim_cycle(sim) + cycles;
}

static void run(uint64_t cycles)
{
    allow_time(cycles);
    while (!progress(NULL))
        ;
}

static void took(void *ctx, unsigned port, const uint8_t *packet, size_t bytes)
{
    uint32_t w[HEADER_WORDS];
    uint32_t opid;

    (void)ctx;
    (void)port;
    (void)bytes;
    memcpy(w, packet, sizeof(w));
    opid = (uint32_t)TERN_GET(PKT, opid, w);
    if (TERN_GET(PKT, type, w) == TERN_PTYPE_PUT) {
        seen_opid = opid;
        seen = true;
    }
    if (TERN_GET(PKT, type, w) != TERN_PTYPE_ACK || opid >= ANSWERS)
        return;
    answers[opid].came = true;
    answers[opid].status = (uint8_t)TERN_GET(PKT, key, w);
    answers[opid].from = (uint16_t)TERN_GET(PKT, src, w);
}

static void give_up(const char *why, const char *what)
{
    printf("Bail out! %s: %s\n", why, what);
    exit(EXIT_FAILURE);
}

static void make_ring(void)
{
    struct tern_sim_config config = tern_sim_config_default();
    struct tern_stand_in stand_in;

    config.dims[0] = RING;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    sim = rig_sim_create(&config);
    if (!end_point_init(&end, PEER))
        give_up("no ring", "no room for an end point");
    end.took = took;
    stand_in = end_point_stand_in(&end);
    tern_sim_stand_in(sim, PEER, &stand_in);
}

static void seat_victims(void)
{
    struct tern_device *device;
    int status;

    for (unsigned n = 0; n < NODES; n++) {
        seats[n] = (struct seat){.scene = &scene, .node = n};
        allow_time(WAIT_CYCLES);
        status = tern_open_fd(tern_sim_connect(sim, n), progress, NULL, &device);
        if (status)
            give_up("no victim", tern_strerror(status));
        holders[n].device = device;
        holder_begin(&holders[n], &seats[n], device);
    }
}

/*
 * Every victim makes a lap: its put and its addition succeed; false if some victim found an error.
 */
static bool laps(void)
{
    for (unsigned n = 0; n < NODES; n++) {
        allow_time(WAIT_CYCLES);
        holder_lap(&holders[n]);
    }
    return !atomic_load(&scene.wrong);
}

/* ---- packets ---- */

struct packet {
    uint32_t w[HEADER_WORDS];
    uint8_t payload[PAYLOAD_MAX];
    unsigned seal;
    bool raw_words; /* take lengths from the header, not from the real packet */
};

static uint64_t addr_of(struct tern_rptr pointer)
{
    return TERN_GET(RPTR, addr, pointer.w);
}

static uint32_t key_of(struct tern_rptr pointer)
{
    return (uint32_t)TERN_GET(RPTR, key, pointer.w);
}

static size_t bytes_of(uint32_t payload)
{
    return TERN_PKT_HEADER_BYTES + (payload + 7) / 8 * 8 + TERN_PKT_TRAILER_BYTES;
}

static void name(struct packet *p, unsigned type, unsigned vn, uint32_t length)
{
    TERN_SET(PKT, type, p->w, type);
    TERN_SET(PKT, vn, p->w, vn);
    TERN_SET(PKT, length, p->w, length);
}

static void point(struct packet *p, struct tern_rptr to)
{
    TERN_SET(PKT, addr, p->w, addr_of(to));
    TERN_SET(PKT, key, p->w, key_of(to));
}

static void common(struct packet *p, const struct facts *whom, uint16_t opid)
{
    *p = (struct packet){.seal = TERN_SEAL_ALL};
    memset(p->payload, 0xa5, sizeof(p->payload));
    TERN_SET(PKT, dst, p->w, whom->node);
    TERN_SET(PKT, src, p->w, PEER);
    TERN_SET(PKT, version, p->w, TERN_PKT_VERSION);
    TERN_SET(PKT, flags, p->w, TERN_PFLAG_LAST | TERN_PFLAG_ACK_REQ);
    TERN_SET(PKT, opid, p->w, opid);
    TERN_SET(PKT, number, p->w, TERN_PKT_UNNUMBERED);
}

/* Through port LEFT the route goes down. */
static void send(struct packet *p, unsigned port)
{
    uint8_t bytes[TERN_WIRE_PACKET_MAX] = {0};
    uint32_t length = (uint32_t)TERN_GET(PKT, length, p->w);
    size_t count = bytes_of(length > PAYLOAD_MAX ? PAYLOAD_MAX : length);

    if (p->raw_words)
        count = 8 * (size_t)TERN_GET(PKT, words, p->w);
    TERN_SET(PKT, words, p->w, count / 8);
    if (!TERN_GET(PKT, deposit, p->w))
        TERN_SET(PKT, box, p->w, port == LEFT);
    memcpy(bytes, p->w, sizeof(p->w));
    if (length != 0 && count > sizeof(p->w) + TERN_PKT_TRAILER_BYTES)
        memcpy(bytes + sizeof(p->w), p->payload, length < PAYLOAD_MAX ? length : PAYLOAD_MAX);
    while (!end_point_send(&end, port, bytes, count, p->seal))
        run(STEP_CYCLES);
}

/* ---- forged packets ---- */

struct forged {
    const char *name;
    void (*forge)(struct packet *p, const struct facts *whom);
    int status; /* of the answer, or SILENT */
    int counts; /* statistic of the target that must increase, or -1 */
};

static void put(struct packet *p, const struct facts *whom)
{
    name(p, TERN_PTYPE_PUT, TERN_VN_DATA, 64);
    point(p, whom->given);
}

static void put_to_source(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    point(p, whom->source);
}

static void put_to_values(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    point(p, whom->values);
}

static void put_released(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    point(p, whom->target);
    TERN_SET(PKT, key, p->w, whom->released_key);
}

static void put_other_tag(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    TERN_SET(PKT, key, p->w, key_of(whom->given) ^ 0x80000000u);
}

static void put_other_index(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    TERN_SET(PKT, key, p->w, key_of(whom->given) - 1);
}

static void put_index_beyond(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    TERN_SET(PKT, key, p->w, key_of(whom->given) | 0xffff);
}

static void put_without_key(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    TERN_SET(PKT, key, p->w, TERN_KEY_NONE);
}

static void put_at(struct packet *p, const struct facts *whom, uint64_t offset)
{
    put(p, whom);
    TERN_SET(PKT, addr, p->w, addr_of(whom->given) + offset);
}

static void put_before(struct packet *p, const struct facts *whom)
{
    put_at(p, whom, UINT64_MAX);
}

static void put_behind(struct packet *p, const struct facts *whom)
{
    put_at(p, whom, given_part.bytes - 63);
}

static void put_round_the_end(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    TERN_SET(PKT, addr, p->w, UINT64_MAX - 31);
}

static void put_offset(struct packet *p, const struct facts *whom, uint64_t offset)
{
    put(p, whom);
    TERN_SET(PKT, flags, p->w, TERN_GET(PKT, flags, p->w) | TERN_PFLAG_OFFSET);
    TERN_SET(PKT, addr, p->w, offset);
}

static void put_offset_behind(struct packet *p, const struct facts *whom)
{
    put_offset(p, whom, given_part.bytes - 63);
}

static void put_offset_round(struct packet *p, const struct facts *whom)
{
    put_offset(p, whom, UINT64_MAX - 15);
}

static void put_other_life(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    TERN_SET(PKT, incarnation, p->w, 77);
}

/* The packet names another node as origin, so the answer goes to a node that did not ask. */
static void put_in_the_name_of_another(struct packet *p, const struct facts *whom)
{
    put_other_tag(p, whom);
    TERN_SET(PKT, src, p->w, whom->node);
}

/* The packet names an origin outside the ring: the answer has no route. */
static void put_from_outside(struct packet *p, const struct facts *whom)
{
    put_other_tag(p, whom);
    TERN_SET(PKT, src, p->w, 0x7fff);
}

static void put_from_a_step_outside(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    TERN_SET(PKT, src, p->w, RING);
}

static void message_from_outside(struct packet *p, const struct facts *whom);

static void put_too_short(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    TERN_SET(PKT, words, p->w, 5);
    p->raw_words = true;
}

static void put_too_long(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    TERN_SET(PKT, words, p->w, 69);
    p->raw_words = true;
}

static void put_longest(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    TERN_SET(PKT, length, p->w, 2047);
}

static void put_damaged(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    p->seal &= ~(unsigned)TERN_SEAL_END;
}

static void put_as_request(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    TERN_SET(PKT, vn, p->w, TERN_VN_REQUEST);
}

static void other_version(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    TERN_SET(PKT, version, p->w, 9);
}

static void unknown_data(struct packet *p, const struct facts *whom)
{
    put(p, whom);
    TERN_SET(PKT, type, p->w, 0x7f);
}

static void unknown_request(struct packet *p, const struct facts *whom)
{
    (void)whom;
    name(p, TERN_PKT_TYPE_FW_LAST, TERN_VN_REQUEST, 32);
}

/* ---- broadcasts without an origin ---- */

static void deposit(struct packet *p, const struct facts *whom, uint32_t key)
{
    put(p, whom);
    TERN_SET(PKT, flags, p->w, TERN_GET(PKT, flags, p->w) | TERN_PFLAG_DEPOSIT | TERN_PFLAG_OFFSET);
    TERN_SET(PKT, deposit, p->w, 1);
    TERN_SET(PKT, dst, p->w, whom->node);
    TERN_SET(PKT, box, p->w, whom->node);
    TERN_SET(PKT, addr, p->w, 0);
    TERN_SET(PKT, key, p->w, key);
}

static void deposit_unknown(struct packet *p, const struct facts *whom)
{
    deposit(p, whom, key_of(whom->given) ^ 0x10000);
}

static void deposit_to_source(struct packet *p, const struct facts *whom)
{
    deposit(p, whom, key_of(whom->source));
}

static void deposit_by_group(struct packet *p, const struct facts *whom)
{
    deposit(p, whom, whom->group);
}

static void deposit_bit_alone(struct packet *p, const struct facts *whom)
{
    deposit(p, whom, key_of(whom->given));
    TERN_SET(PKT, flags, p->w, TERN_GET(PKT, flags, p->w) & ~(unsigned)TERN_PFLAG_DEPOSIT);
}

static void deposit_flag_alone(struct packet *p, const struct facts *whom)
{
    deposit(p, whom, key_of(whom->given));
    TERN_SET(PKT, deposit, p->w, 0);
}

/* ---- requests ---- */

static void message(struct packet *p, const struct facts *whom, uint32_t queue, uint32_t length)
{
    (void)whom;
    name(p, TERN_PTYPE_SEND, TERN_VN_REQUEST, length);
    TERN_SET(PKT, addr, p->w, (uint64_t)queue << 32);
}

static void message_to_fifo(struct packet *p, const struct facts *whom)
{
    message(p, whom, whom->rq, 32);
}

static void message_too_long(struct packet *p, const struct facts *whom)
{
    message(p, whom, whom->rq, 65);
}

static void message_to_cq(struct packet *p, const struct facts *whom)
{
    message(p, whom, whom->cq, 32);
}

static void message_to_sq(struct packet *p, const struct facts *whom)
{
    message(p, whom, whom->sq, 32);
}

static void message_to_admin(struct packet *p, const struct facts *whom)
{
    message(p, whom, 0, 32);
}

static void message_to_nobody(struct packet *p, const struct facts *whom)
{
    message(p, whom, 0xffff, 32);
}

static void message_from_outside(struct packet *p, const struct facts *whom)
{
    message_to_nobody(p, whom);
    TERN_SET(PKT, src, p->w, 0x8000 | RING << 5);
}

static void check_in(struct packet *p, const struct facts *whom, uint32_t pass, uint32_t epoch)
{
    name(p, TERN_PTYPE_CHECKIN, TERN_VN_REQUEST, 8);
    TERN_SET(PKT, addr, p->w, (uint64_t)epoch << 32 | whom->area);
    TERN_SET(PKT, key, p->w, pass);
}

static void check_in_unasked(struct packet *p, const struct facts *whom)
{
    check_in(p, whom, whom->pass + 1, whom->epoch);
}

static void check_in_early(struct packet *p, const struct facts *whom)
{
    check_in(p, whom, whom->pass, whom->epoch - 1u);
}

static void check_in_long(struct packet *p, const struct facts *whom)
{
    check_in(p, whom, whom->pass, whom->epoch);
    TERN_SET(PKT, length, p->w, 16);
}

static void check_in_to_tree(struct packet *p, const struct facts *whom)
{
    check_in(p, whom, whom->pass, whom->epoch);
    TERN_SET(PKT, addr, p->w, (uint64_t)whom->epoch << 32 | TERN_CHECKIN_TREE);
}

static void check_in_nowhere(struct packet *p, const struct facts *whom)
{
    check_in(p, whom, whom->pass, whom->epoch);
    TERN_SET(PKT, addr, p->w, (uint64_t)whom->epoch << 32 | TERN_CHECKIN_AREAS);
}

/* ---- words ---- */

static void atomic(struct packet *p, struct tern_rptr word, unsigned type)
{
    uint64_t operands[4] = {0, 0, 1, UINT64_MAX};

    name(p, type, TERN_VN_REQUEST, TERN_ATO_BYTES);
    point(p, word);
    memcpy(p->payload, operands, sizeof(operands));
}

static void add(struct packet *p, const struct facts *whom)
{
    atomic(p, whom->given, TERN_PTYPE_ADD);
}

static void add_to_source(struct packet *p, const struct facts *whom)
{
    atomic(p, whom->source, TERN_PTYPE_ADD);
}

static void swap_values(struct packet *p, const struct facts *whom)
{
    atomic(p, whom->values, TERN_PTYPE_CAS);
}

static void add_behind(struct packet *p, const struct facts *whom)
{
    atomic(p, tern_rptr_add(whom->given, given_part.bytes), TERN_PTYPE_ADD);
}

static void add_between(struct packet *p, const struct facts *whom)
{
    atomic(p, tern_rptr_add(whom->given, 4), TERN_PTYPE_ADD);
}

static void add_released(struct packet *p, const struct facts *whom)
{
    atomic(p, whom->target, TERN_PTYPE_ADD);
    TERN_SET(PKT, key, p->w, whom->released_key);
}

static void add_other_life(struct packet *p, const struct facts *whom)
{
    add(p, whom);
    TERN_SET(PKT, incarnation, p->w, 77);
}

static void swap_without_operands(struct packet *p, const struct facts *whom)
{
    atomic(p, whom->given, TERN_PTYPE_CAS);
    TERN_SET(PKT, length, p->w, 8);
}

/* ---- gets ---- */

/* The payload is words 8 and up of a descriptor. */
static void fetch(struct packet *p, const struct facts *whom, uint32_t queue, unsigned opcode)
{
    uint32_t w[16] = {0};

    TERN_SET(GET, opcode, w, opcode);
    TERN_SET(GET, node, w, PEER);
    TERN_SET(GET, length, w, 64);
    TERN_SET(GET, local_addr, w, addr_of(whom->source));
    TERN_SET(GET, local_key, w, key_of(whom->source));
    name(p, TERN_PTYPE_GET, TERN_VN_REQUEST, 32);
    TERN_SET(PKT, addr, p->w, (uint64_t)queue << 32 | TERN_AREA_NONE);
    memcpy(p->payload, w + 8, 32);
}

static void get_by_fifo(struct packet *p, const struct facts *whom)
{
    fetch(p, whom, whom->fifo, TERN_OP_PUT);
}

static void get_by_sq(struct packet *p, const struct facts *whom)
{
    fetch(p, whom, whom->sq, TERN_OP_PUT);
}

static void get_something_else(struct packet *p, const struct facts *whom)
{
    fetch(p, whom, whom->fifo, TERN_OP_CAS);
}

/* A node that cannot access the memory cannot affect the area. */
static void get_that_ends_an_area(struct packet *p, const struct facts *whom)
{
    uint32_t w[16] = {0};

    fetch(p, whom, whom->fifo, TERN_OP_BCAST);
    TERN_SET(PKT, addr, p->w,
             (uint64_t)whom->fifo << 32 | (uint32_t)whom->epoch << 16 | whom->area);
    memcpy(w + 8, p->payload, 32);
    TERN_SET(GET, local_key, w, key_of(whom->source) ^ 0x10000);
    memcpy(p->payload, w + 8, 32);
}

static void relay(struct packet *p, const struct facts *whom)
{
    fetch(p, whom, whom->fifo, TERN_OP_PUT);
    TERN_SET(PKT, type, p->w, TERN_PTYPE_RELAY);
}

static void request(struct packet *p, const struct facts *whom)
{
    fetch(p, whom, whom->fifo, TERN_OP_PUT);
    TERN_SET(PKT, type, p->w, TERN_PTYPE_RTS);
}

/* ---- acks ---- */

static void ack(struct packet *p, const struct facts *whom)
{
    (void)whom;
    name(p, TERN_PTYPE_ACK, TERN_VN_ACK, 0);
    TERN_SET(PKT, flags, p->w, TERN_PFLAG_LAST);
    TERN_SET(PKT, key, p->w, TERN_ST_OK);
    TERN_SET(PKT, opid, p->w, 5);
}

static void ack_of_no_entry(struct packet *p, const struct facts *whom)
{
    ack(p, whom);
    TERN_SET(PKT, opid, p->w, 0xc8);
}

static void ack_with_a_word(struct packet *p, const struct facts *whom)
{
    ack(p, whom);
    TERN_SET(PKT, flags, p->w, TERN_PFLAG_LAST | TERN_PFLAG_IMM);
    TERN_SET(PKT, addr, p->w, UINT64_MAX);
}

static void nak(struct packet *p, const struct facts *whom)
{
    ack(p, whom);
    TERN_SET(PKT, key, p->w, TERN_ST_BAD_KEY);
}

static void ack_with_payload(struct packet *p, const struct facts *whom)
{
    ack(p, whom);
    TERN_SET(PKT, vn, p->w, TERN_VN_DATA);
}

static const struct forged table[] = {
    {"is done: a put to what was given", put, TERN_ST_OK, TERN_STAT_rx_put_packets},
    {"is done: an addition to what was given", add, TERN_ST_OK, TERN_STAT_rx_fw_packets},
    {"is done: a message", message_to_fifo, TERN_ST_OK, TERN_STAT_fw_recvs},
    {"a put to memory that is read only", put_to_source, TERN_ST_BAD_RIGHTS, TERN_STAT_rx_refused},
    {"a put to memory that its NIC alone writes", put_to_values, TERN_ST_BAD_RIGHTS,
     TERN_STAT_rx_refused},
    {"a put by a key that was released", put_released, TERN_ST_BAD_KEY, TERN_STAT_rx_refused},
    {"a put by a key with another tag", put_other_tag, TERN_ST_BAD_KEY, TERN_STAT_rx_refused},
    {"a put by the tag of another region", put_other_index, TERN_ST_BAD_KEY, TERN_STAT_rx_refused},
    {"a put by an index beyond the table", put_index_beyond, TERN_ST_BAD_KEY, TERN_STAT_rx_refused},
    {"a put by no key", put_without_key, TERN_ST_BAD_KEY, TERN_STAT_rx_refused},
    {"a put that begins a byte before its region", put_before, TERN_ST_BAD_RANGE,
     TERN_STAT_rx_refused},
    {"a put that ends a byte behind its region", put_behind, TERN_ST_BAD_RANGE,
     TERN_STAT_rx_refused},
    {"a put round the end of all addresses", put_round_the_end, TERN_ST_BAD_RANGE,
     TERN_STAT_rx_refused},
    {"a put by offset that ends a byte behind", put_offset_behind, TERN_ST_BAD_RANGE,
     TERN_STAT_rx_refused},
    {"a put by an offset that wraps", put_offset_round, TERN_ST_BAD_RANGE, TERN_STAT_rx_refused},
    {"a put to another life of the NIC", put_other_life, TERN_ST_STALE_NODE, TERN_STAT_rx_refused},
    {"a put in the name of its target", put_in_the_name_of_another, SILENT,
     TERN_STAT_rx_stale_acks},
    {"a put from outside the torus", put_from_outside, SILENT, TERN_STAT_rx_bad_dst},
    {"a put from a step outside the torus", put_from_a_step_outside, SILENT, TERN_STAT_rx_bad_dst},
    {"a message from outside the torus", message_from_outside, SILENT, TERN_STAT_rx_bad_dst},
    {"a put shorter than it says", put_too_short, SILENT, TERN_STAT_rx_bad_length},
    {"a put longer than it says", put_too_long, SILENT, TERN_STAT_rx_bad_length},
    {"a put that says it is longer than can be", put_longest, SILENT, TERN_STAT_rx_bad_length},
    {"a put with a wrong end-to-end CRC", put_damaged, SILENT, TERN_STAT_rx_bad_crc},
    {"a put as a request", put_as_request, SILENT, TERN_STAT_rx_bad_type},
    {"a packet of another version", other_version, SILENT, TERN_STAT_rx_bad_type},
    {"data of no known type", unknown_data, SILENT, TERN_STAT_rx_bad_type},
    {"a request of no known type", unknown_request, TERN_ST_BAD_OPCODE, TERN_STAT_rx_fw_packets},
    {"a broadcast to a group it is not in", deposit_unknown, SILENT, TERN_STAT_rx_not_member},
    {"a broadcast to memory that is read only", deposit_to_source, TERN_ST_BAD_RIGHTS,
     TERN_STAT_rx_refused},
    {"a broadcast into an arena whose window is shut", deposit_by_group, TERN_ST_BAD_RIGHTS,
     TERN_STAT_rx_refused},
    {"a broadcast that only routers know of", deposit_bit_alone, SILENT, TERN_STAT_rx_bad_dst},
    {"a broadcast that routers do not know of", deposit_flag_alone, SILENT, TERN_STAT_rx_bad_dst},
    {"a message too long", message_too_long, TERN_ST_MSG_TOO_LONG, TERN_STAT_rx_fw_packets},
    {"a message into a completion queue", message_to_cq, TERN_ST_BAD_TYPE, TERN_STAT_rx_fw_packets},
    {"a message into a send queue", message_to_sq, TERN_ST_BAD_TYPE, TERN_STAT_rx_fw_packets},
    {"a message into an admin queue", message_to_admin, TERN_ST_BAD_TYPE, TERN_STAT_rx_fw_packets},
    {"a message into no queue", message_to_nobody, TERN_ST_BAD_QUEUE, TERN_STAT_rx_fw_packets},
    {"a check-in without the word", check_in_unasked, TERN_ST_BAD_KEY, TERN_STAT_fw_checkins},
    {"a check-in of an older epoch", check_in_early, TERN_ST_STALE_EPOCH, TERN_STAT_fw_checkins},
    {"a check-in of two values", check_in_long, TERN_ST_BAD_LENGTH, TERN_STAT_fw_checkins},
    {"a check-in to a request that nobody made", check_in_to_tree, TERN_ST_RNR,
     TERN_STAT_fw_checkins},
    {"a check-in to no area", check_in_nowhere, TERN_ST_BAD_AREA, TERN_STAT_fw_checkins},
    {"an addition to memory that is read only", add_to_source, TERN_ST_BAD_RIGHTS,
     TERN_STAT_key_refusals},
    {"a swap in memory that its NIC alone writes", swap_values, TERN_ST_BAD_RIGHTS,
     TERN_STAT_key_refusals},
    {"an addition behind its region", add_behind, TERN_ST_BAD_RANGE, TERN_STAT_key_refusals},
    {"an addition between two words", add_between, TERN_ST_BAD_ALIGN, -1},
    {"an addition by a released key", add_released, TERN_ST_BAD_KEY, TERN_STAT_key_refusals},
    {"an addition to another life of the NIC", add_other_life, TERN_ST_STALE_NODE, -1},
    {"a swap without its operands", swap_without_operands, TERN_ST_BAD_LENGTH, -1},
    {"a get of what others may not read", get_by_fifo, TERN_ST_BAD_RIGHTS, TERN_STAT_rx_fw_packets},
    {"a get of a broadcast from no memory, for another's area", get_that_ends_an_area,
     TERN_ST_BAD_KEY, TERN_STAT_rx_fw_packets},
    {"a get by a queue that serves none", get_by_sq, TERN_ST_BAD_TYPE, TERN_STAT_rx_fw_packets},
    {"a get of an atomic operation", get_something_else, TERN_ST_BAD_OPCODE,
     TERN_STAT_rx_fw_packets},
    {"a relayed request of half its length", relay, TERN_ST_BAD_LENGTH, TERN_STAT_rx_fw_packets},
    {"a request to a group it is not in", request, SILENT, TERN_STAT_rx_fw_packets},
    {"an ack that nobody waits for", ack, SILENT, TERN_STAT_rx_stale_acks},
    {"an ack of no entry", ack_of_no_entry, SILENT, TERN_STAT_rx_stale_acks},
    {"an ack that brings a word nobody wants", ack_with_a_word, SILENT, TERN_STAT_rx_stale_acks},
    {"a refusal that nobody waits for", nak, SILENT, TERN_STAT_rx_stale_acks},
    {"an ack as data", ack_with_payload, SILENT, TERN_STAT_rx_bad_type},
};

static uint64_t count_of(unsigned victim, int row)
{
    uint64_t stats[TERN_STAT_COUNT] = {0};
    int status;

    if (row < 0)
        return 0;
    allow_time(WAIT_CYCLES);
    status = tern_stats(holders[victim].device, stats);
    if (status)
        give_up("statistics", tern_strerror(status));
    return stats[row];
}

/* Returns the status of the answer to `opid`, or SILENT. */
static int answer_to(uint16_t opid, bool silent)
{
    allow_time(silent ? SILENT_CYCLES : STRAIGHT_CYCLES);
    while (!answers[opid].came && !progress(NULL))
        ;
    return answers[opid].came ? answers[opid].status : SILENT;
}

static void try_packet(const struct forged *forged, unsigned victim, unsigned port, uint16_t opid)
{
    const struct facts *whom = &scene.facts[victim];
    uint64_t before = count_of(victim, forged->counts);
    struct packet p;
    bool counted, on;
    int got;

    common(&p, whom, opid);
    forged->forge(&p, whom);
    answers[opid].came = false;
    send(&p, port);
    got = answer_to(opid, forged->status == SILENT);
    counted = forged->counts < 0 || count_of(victim, forged->counts) > before;
    on = opid % (rig_tier_is_soft() ? 1 : 6) != 0 || laps();
    tap(got == forged->status && counted && on &&
            (got == SILENT || answers[opid].from == whom->node),
        "%s%s, node %u", forged->status == TERN_ST_OK ? "" : "it is refused ", forged->name,
        victim);
    if (got != forged->status || !counted)
        tap_note("answer %d, wanted %d, counted %d", got, forged->status, counted);
}

/* Tries all packets on the neighbour, and on a node behind a router. */
static void try_all(void)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        try_packet(&table[i], 2, LEFT, (uint16_t)(256 + i));
    if (rig_tier_is_soft())
        for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
            try_packet(&table[i], 0, RIGHT, (uint16_t)(512 + i));
}

/* ---- an operation that waits for an answer of the end point ---- */

static bool has_ended(unsigned victim)
{
    struct tern_completion done;

    allow_time(WAIT_CYCLES);
    return tern_cq_poll(holders[victim].cq, &done, 1) != 0;
}

static void send_ack(unsigned victim, uint32_t opid, uint16_t source)
{
    struct packet p;

    common(&p, &scene.facts[victim], 0);
    ack(&p, &scene.facts[victim]);
    TERN_SET(PKT, opid, p.w, opid);
    TERN_SET(PKT, src, p.w, source);
    send(&p, LEFT);
}

/*
 * Forged acks: they end an operation only with its generation; the NIC does not check their origin.
 */
static void acks_of_a_live_operation(void)
{
    struct holder *v = &holders[2];
    struct tern_rptr nowhere = scene.facts[2].given;
    bool early = false;

    TERN_SET(RPTR, node, nowhere.w, PEER);
    seen = false;
    allow_time(WAIT_CYCLES);
    if (tern_put_inline(v->sq, nowhere, "hostile", 8, TERN_DFLAG_SIGNAL, 4711))
        give_up("put", "to the end point");
    allow_time(STRAIGHT_CYCLES);
    while (!seen && !progress(NULL))
        ;
    for (uint32_t g = 1; g < (rig_tier_is_soft() ? 256 : 32); g++)
        send_ack(2, (seen_opid + (g << 8)) & 0xffff, (uint16_t)(g % RING));
    for (uint32_t e = 1; e < 32; e++)
        send_ack(2, (seen_opid & 0xff00) | ((seen_opid + e) & 0x1f), PEER);
    while (!end_point_idle(&end))
        run(STEP_CYCLES);
    run(SILENT_CYCLES / 2);
    early = has_ended(2);
    send_ack(2, seen_opid, PEER);
    allow_time(WAIT_CYCLES);
    tap(seen && !early && rig_wait(v->cq).context == 4711 && laps(),
        "an operation ends by its own number and generation alone");
}

/* ---- many at once ---- */

/*
 * Sends more requests than there are receive slots, with packets for no node in between: the
 * victims' operations go on.
 */
static void flood(void)
{
    uint64_t before = count_of(2, TERN_STAT_rx_fw_packets);
    struct packet p;
    bool on = true;

    for (unsigned i = 0; i < FLOOD; i++) {
        common(&p, &scene.facts[2], TERN_OP_NONE);
        if (i % 3 == 0)
            check_in_unasked(&p, &scene.facts[2]);
        else
            message(&p, &scene.facts[2], i % 3 == 1 ? 0xffff : scene.facts[2].rq, 32);
        TERN_SET(PKT, opid, p.w, TERN_OP_NONE);
        send(&p, LEFT);
        if (i % 25 == 24)
            on = laps() && on;
    }
    while (!end_point_idle(&end))
        run(STEP_CYCLES);
    on = laps() && on;
    tap(on && count_of(2, TERN_STAT_rx_fw_packets) - before >= FLOOD,
        "requests without end leave the victims theirs");
}

/* ---- rules of the link that the end point breaks ---- */

static unsigned told; /* log lines that report it */

static void read_line(void *rule, const char *text)
{
    told += strstr(text, "rule broken by its peer") != NULL &&
            text[strlen(text) - 1] == *(const char *)rule;
}

/* Counts the log lines of `device` for a link that went down for the rule `rule`. */
static unsigned lines_of(struct tern_device *device, unsigned rule)
{
    char digit = (char)('0' + rule);

    told = 0;
    allow_time(WAIT_CYCLES);
    (void)tern_log_read(device, read_line, &digit);
    return told;
}

static uint64_t downs_of(struct tern_device *device)
{
    uint64_t stats[TERN_STAT_COUNT] = {0};

    allow_time(WAIT_CYCLES);
    if (tern_stats(device, stats))
        give_up("statistics", "of a link");
    return stats[TERN_STAT_link_downs];
}

/*
 * Checks that the link goes down once for `rule`, is logged, and comes up again; the victims go on.
 */
static void judge_link(const char *text, struct tern_device *device, uint64_t downs, unsigned rule)
{
    uint64_t after;
    unsigned lines;

    run(STRAIGHT_CYCLES);
    after = downs_of(device);
    lines = lines_of(device, rule);
    tap(after == downs + 1 && lines == 1 && laps(), "%s takes the link down, which says why, on %s",
        text, rig_tier());
    if (after != downs + 1 || lines != 1)
        tap_note("down %" PRIu64 " times, told %u times", after - downs, lines);
}

/*
 * The firmware serves requests more slowly than they arrive, so the whole buffer of their channel
 * fills.
 */
static void send_without_credit(void)
{
    struct tern_device *device = holders[2].device;
    uint64_t downs = downs_of(device);
    struct packet p;

    (void)lines_of(device, 0); /* skips older lines */
    end.no_credit = true;
    for (unsigned i = 0; i < FLOOD && downs_of(device) == downs; i += FLOOD / 4) {
        for (unsigned k = 0; k < FLOOD / 4; k++) {
            common(&p, &scene.facts[2], TERN_OP_NONE);
            message(&p, &scene.facts[2], 0xffff, 32);
            send(&p, LEFT);
        }
        run(SILENT_CYCLES / 4);
    }
    end.no_credit = false;
    end_point_forget(&end, LEFT);
    judge_link("a packet without credit", device, downs, TERN_LINK_BROKE_CREDIT);
}

/*
 * Sends to node 0 through node 4, whose link to it crosses the dateline, a packet marked as if it
 * had already crossed it.
 */
static void send_across_twice(void)
{
    struct tern_device *device;
    struct packet p;
    uint64_t downs;
    int status;

    allow_time(WAIT_CYCLES);
    status = tern_open_fd(tern_sim_connect(sim, RING - 1), progress, NULL, &device);
    if (status)
        give_up("no neighbour", tern_strerror(status));
    (void)lines_of(device, 0);
    downs = downs_of(device);
    common(&p, &scene.facts[0], TERN_OP_NONE);
    message(&p, &scene.facts[0], 0xffff, 32);
    TERN_SET(PKT, dateline, p.w, 1);
    send(&p, RIGHT);
    judge_link("a packet in the channel of what has crossed the dateline, before it", device, downs,
               TERN_LINK_BROKE_DATELINE);
    allow_time(WAIT_CYCLES);
    tern_close(device);
}

static void break_rules(void)
{
    if (!rig_tier_is_soft()) /* the soft tier's wires have no credit that a sender can exceed */
        send_without_credit();
    send_across_twice();
}

/* ---- random packets ---- */

static uint32_t below(uint32_t bound)
{
    return random_below(&random_state, bound);
}

static bool one_in(uint32_t count)
{
    return below(count) == 0;
}

/* Tells whether the key gives access to memory of others. */
static bool is_rightful(uint32_t key)
{
    for (unsigned n = 0; n < NODES; n++)
        if (key == key_of(scene.facts[n].target) || key == scene.facts[n].pass ||
            key == scene.facts[n].group)
            return true;
    return false;
}

static uint32_t any_key(const struct facts *whom)
{
    const uint32_t keys[] = {key_of(whom->given),  key_of(whom->given),  key_of(whom->source),
                             key_of(whom->target), key_of(whom->values), key_of(whom->room),
                             whom->released_key,   whom->pass,           whom->group};
    uint32_t key;

    do {
        key = keys[below(sizeof(keys) / sizeof(keys[0]))];
        if (one_in(4))
            key += below(17) - 8;
        if (one_in(4))
            key ^= 0x10000u << below(16);
        if (one_in(20))
            key = (uint32_t)random_next(&random_state);
    } while (is_rightful(key));
    return key;
}

static uint64_t any_address(const struct facts *whom)
{
    const uint64_t starts[] = {addr_of(whom->given),
                               addr_of(whom->given) + given_part.bytes,
                               addr_of(whom->source),
                               addr_of(whom->target),
                               addr_of(whom->values),
                               whom->memory,
                               0,
                               UINT64_MAX};
    uint64_t at = starts[below(sizeof(starts) / sizeof(starts[0]))];

    if (one_in(3))
        return at + below(3000);
    if (one_in(3))
        return at - below(80);
    return one_in(8) ? random_next(&random_state) : at;
}

/* Makes a packet from a row of the table, in most cases with a random change. */
static void any_packet(struct packet *p, const struct facts *whom)
{
    static const unsigned types[] = {TERN_PTYPE_SEND, TERN_PTYPE_CHECKIN, TERN_PTYPE_RTS,
                                     TERN_PTYPE_GET,  TERN_PTYPE_RELAY,   TERN_PTYPE_CAS,
                                     TERN_PTYPE_ADD,  TERN_PTYPE_TAKE};

    common(p, whom, (uint16_t)below(ANSWERS));
    table[below(sizeof(table) / sizeof(table[0]))].forge(p, whom);
    for (unsigned i = 0; i < 32; i++)
        p->payload[i] = one_in(2) ? (uint8_t)below(256) : p->payload[i];
    if (TERN_GET(PKT, vn, p->w) == TERN_VN_REQUEST && one_in(3))
        TERN_SET(PKT, type, p->w, types[below(sizeof(types) / sizeof(types[0]))]);
    if (TERN_GET(PKT, vn, p->w) == TERN_VN_REQUEST && one_in(3))
        TERN_SET(PKT, addr, p->w, random_next(&random_state));
    if (TERN_GET(PKT, vn, p->w) != TERN_VN_ACK && one_in(2)) {
        TERN_SET(PKT, key, p->w, any_key(whom));
        TERN_SET(PKT, addr, p->w, any_address(whom));
    }
    if (one_in(4))
        TERN_SET(PKT, flags, p->w,
                 (TERN_GET(PKT, flags, p->w) & TERN_PFLAG_DEPOSIT) |
                     (below(256) & ~(unsigned)TERN_PFLAG_DEPOSIT));
    if (one_in(8))
        TERN_SET(PKT, incarnation, p->w, below(256));
    if (one_in(8))
        TERN_SET(PKT, src, p->w, one_in(2) ? below(RING) : below(65536));
    if (one_in(8))
        TERN_SET(PKT, number, p->w, below(4));
    /* Boxes of all shapes, with or without the end point. */
    if (TERN_GET(PKT, deposit, p->w) && one_in(2)) {
        TERN_SET(PKT, dst, p->w, below(RING));
        TERN_SET(PKT, box, p->w, below(RING));
    }
    if (one_in(40)) /* the link refuses it */
        p->seal &= ~(unsigned)(one_in(2) ? TERN_SEAL_HEADER : TERN_SEAL_LINK);
    if (one_in(8) && !p->raw_words)
        TERN_SET(PKT, length, p->w, below(PAYLOAD_MAX + 1));
}

/*
 * Excludes packets that have a permitted effect, and answers to check-ins that a victim may wait
 * for.
 */
static bool is_harmless(const struct packet *p)
{
    uint32_t key = (uint32_t)TERN_GET(PKT, key, p->w);
    bool is_ack = TERN_GET(PKT, type, p->w) == TERN_PTYPE_ACK;

    return is_ack || !is_rightful(key) || TERN_GET(PKT, type, p->w) == TERN_PTYPE_SEND;
}

/* Makes an ack name an operation that no victim has in flight. */
static void tame_ack(struct packet *p)
{
    if (TERN_GET(PKT, type, p->w) == TERN_PTYPE_ACK)
        TERN_SET(PKT, opid, p->w, 0x20 + below(0xe0) + below(256) * 256);
}

static bool batch(unsigned packets)
{
    for (unsigned i = 0; i < packets; i++) {
        const struct facts *whom = &scene.facts[below(NODES)];
        struct packet p;

        any_packet(&p, whom);
        if (!is_harmless(&p))
            continue;
        tame_ack(&p);
        send(&p, whom->node == 2 ? LEFT : one_in(2) ? LEFT : RIGHT);
    }
    return laps();
}

static void riot(void)
{
    unsigned done = 0;

    random_state = seed;
    while (done < batches && batch(16))
        done++;
    while (!end_point_idle(&end))
        run(STEP_CYCLES);
    run(STRAIGHT_CYCLES);
    tap_note("%" PRIu64 " packets sent, %" PRIu64 " refused by a link (%" PRIu64
             " before their end), %" PRIu64 " came back; laps of a victim: %" PRIu32,
             end.sent, end.refused, end.early, end.came, (uint32_t)atomic_load(&scene.laps[0]));
    tap(done == batches && laps(),
        "random packets on %s change nothing of the victims, who get on meanwhile", rig_tier());
    if (done != batches)
        tap_note("again: TIER=%s build/tests/hostile/hostile_peer --seed %" PRIu64 " --batches %u",
                 rig_tier(), seed, done + 1);
}

/* ---- the run ---- */

static void judge_all(void)
{
    for (unsigned n = 0; n < NODES; n++) {
        const struct verdict *verdict = &holders[n].verdict;

        allow_time(WAIT_CYCLES);
        holder_judge(&holders[n]);
        tap(verdict->wrong == 0, "victim %u on %s has all that it had, and it serves", n,
            rig_tier());
        if (verdict->wrong)
            tap_note("%s, and %u more", verdict->why, verdict->wrong - 1);
    }
}

static void tear_down(void)
{
    for (unsigned n = 0; n < NODES; n++) {
        tern_close(holders[n].device);
        holders[n].device = NULL;
    }
    tern_sim_destroy(sim);
    end_point_fini(&end);
}

static const struct number numbers[] = {
    {"batches", 'b', "batches of random packets, 16 in each (300 on soft, 6 on rtl)", &batches},
    {0},
};

int main(int argc, char **argv)
{
    batches = rig_tier_is_soft() ? 300 : 6;
    numbers_parse(argc, argv, "A hostile end point in the place of a NIC.", numbers, &seed);
    tap_note("seed %" PRIu64 ", tier %s", seed, rig_tier());
    make_ring();
    seat_victims();
    tap(laps(), "three victims go round beside an end point that does nothing");
    try_all();
    acks_of_a_live_operation();
    flood();
    break_rules();
    riot();
    judge_all();
    tear_down();
    return tap_end();
}
