/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: vfio-user messages, and the descriptors that come with them.
 *
 * Steps are messages of client A: valid, invalid, truncated, too long, in pieces of any size, with
 * too many, too few or wrong descriptors; answers to the NIC's own requests; or the end of the
 * connection. If the first step says so, A uses a socket that the server reads; otherwise the
 * target passes bytes directly. The NIC is a soft node whose functions already have queues, so that
 * a register write makes it request memory. Client B is attached, too, and must be served whatever
 * happens.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "client.h"
#include "connection.h"
#include "laws.h"

enum { HEAD = 24, BODY = 40, RECORD = HEAD + BODY, RESET_LIMIT = 1000000, DMA_LIMIT = 20000 };

enum { RAW_BYTES = 1, RAW_BODY = 2, RAW_FLAGS = 4, RAW_COMMAND = 8, RAW_FIELDS = 16, CUT_OFF = 32 };

enum { ACT_SAY, ACT_WORK, ACT_ANSWER, ACT_LEAVE, ACT_BYTES, ACTS };

enum { SQ = 132 }; /* of function 1, checked in begin() */

enum {
    TURNS = 64, /* within which a client gets its answer, whatever others do */
    END_TURNS = 4000 /* a net */
};

enum { FD_EVENT, FD_SEALED, FD_UNSEALED, FD_PIPE, FD_KINDS };

struct run {
    struct world *world;
    struct tern_nic *nic;
    struct tern_client *a, *b;
    bool by_socket; /* A is a client of a server; otherwise bytes are passed directly */
    struct connection wire;
    uint64_t cycle;
    unsigned asked, answered; /* of A: messages that need a reply; replies */
    bool cut;                 /* A's bytes are no valid sequence of messages any more */
    struct vu_header request; /* of the NIC, not answered yet; bytes 0: none */
};

static int fds[FD_KINDS];
static int lowest; /* lowest free descriptor at the start of an execution */

/* ---- the chip's side of the NIC ---- */

static struct tern_nic *the_nic;

static enum tern_dma_result transfer(void *ctx, struct tern_dma_op *op)
{
    (void)ctx;
    return tern_nic_transfer(the_nic, op);
}

static unsigned transfer_all(void *ctx, struct tern_dma_op *const *ops, unsigned count,
                             uint32_t *faults)
{
    (void)ctx;
    return tern_nic_transfer_all(the_nic, ops, count, faults);
}

static void interrupt(void *ctx, unsigned function, unsigned vector)
{
    (void)ctx;
    tern_nic_interrupt(the_nic, function, vector);
}

static void bar_answer(void *ctx, uint64_t cookie, uint64_t data)
{
    (void)ctx;
    tern_nic_read_done(the_nic, cookie, data);
}

static size_t room(void *ctx)
{
    return soft_bar_room(ctx);
}

static void push(void *ctx, const struct tern_bar_access *access)
{
    soft_bar_push(ctx, access);
}

/* ---- receiving as A ---- */

static void heard(struct run *run, const struct vu_header *header)
{
    if ((header->flags & VU_FLAG_TYPE) == VU_FLAG_REPLY)
        run->answered++;
    else
        run->request = *header;
}

/* Takes whole messages from the output, which must be valid. */
static void listen_to(struct run *run)
{
    size_t count;
    const uint8_t *out = tern_client_output(run->a, &count);
    size_t at = 0;

    while (count - at >= sizeof(struct vu_header)) {
        struct vu_header header;

        memcpy(&header, out + at, sizeof header);
        if (header.bytes < sizeof header || header.bytes > count - at)
            fuzz_fail("a message of %u bytes, of which %zu came", header.bytes, count - at);
        heard(run, &header);
        at += header.bytes;
    }
    if (at != count)
        fuzz_fail("half a message is left");
    tern_client_output_taken(run->a, count);
}

/* The server drops a client that has closed its connection, or sent invalid bytes. */
static void turn_of_server(struct run *run)
{
    struct vu_header header;

    connection_turn(&run->wire);
    run->a = run->wire.client;
    while (run->wire.far >= 0 && connection_hear(&run->wire, &header))
        heard(run, &header);
}

static void work(struct run *run, unsigned turns)
{
    for (unsigned i = 0; i < turns; i++) {
        unsigned cost;

        if (run->wire.server != NULL)
            turn_of_server(run);
        tern_nic_work(run->nic, run->cycle);
        cost = soft_node_turn(run->world->node[0], run->world->net, run->cycle);
        cost += soft_node_turn(run->world->node[1], run->world->net, run->cycle);
        run->cycle += cost > 0 ? cost : 300;
        if (run->a != NULL && !run->by_socket)
            listen_to(run);
    }
}

/* ---- sending as A ---- */

static uint16_t command_of(const uint8_t *step)
{
    static const uint16_t commands[] = {
        VU_VERSION,         VU_DMA_MAP,      VU_DMA_MAP,  VU_DMA_UNMAP,   VU_GET_INFO,
        VU_GET_REGION_INFO, VU_GET_IRQ_INFO, VU_SET_IRQS, VU_REGION_READ, VU_REGION_WRITE,
        VU_REGION_WRITE,    VU_RESET};

    return commands[step[2] % (sizeof commands / sizeof commands[0])];
}

static size_t wanted_body(uint16_t command)
{
    switch (command) {
    case VU_VERSION:
        return sizeof(struct vu_version);
    case VU_DMA_MAP:
        return sizeof(struct vu_dma_map);
    case VU_DMA_UNMAP:
        return sizeof(struct vu_dma_unmap);
    case VU_GET_INFO:
    case VU_GET_IRQ_INFO:
        return sizeof(struct vu_device_info);
    case VU_GET_REGION_INFO:
        return sizeof(struct vu_region_info);
    case VU_SET_IRQS:
        return sizeof(struct vu_irq_set);
    default:
        return command == VU_RESET ? 0 : sizeof(struct vu_region_access);
    }
}

/* Fills in plausible fields, from the contents of the body. */
static size_t fix_fields(const uint8_t *step, uint16_t command, uint8_t *body)
{
    /* The queue of function 1 for descriptors. */
    const uint32_t window = TERN_BAR_DB + SQ * TERN_BAR_DB_STRIDE;
    const uint32_t places[] = {window, TERN_REG_FN_CTRL, TERN_REG_STATUS, window + TERN_DB_INDEX};
    struct vu_region_access access;
    struct vu_dma_map map;
    struct vu_irq_set set;

    switch (command) {
    case VU_VERSION:
        memset(body, 0, sizeof(struct vu_version));
        return 0;
    case VU_DMA_MAP:
    case VU_DMA_UNMAP:
        memcpy(&map, body, sizeof map);
        map.argsz = sizeof map;
        map.flags = command == VU_DMA_MAP ? 1 + map.flags % 3 : map.flags & VU_UNMAP_ALL;
        map.offset = map.offset & 0x1000;
        map.address = WORLD_BASE + (map.address & 0x7000);
        map.bytes = 0x1000 + (map.bytes & 0x3000);
        if (command == VU_DMA_UNMAP)
            map.offset = map.address, map.address = map.bytes; /* this message has no offset */
        memcpy(body, &map, sizeof map);
        return 0;
    case VU_SET_IRQS:
        memcpy(&set, body, sizeof set);
        set = (struct vu_irq_set){.argsz = sizeof set,
                                  .flags = VU_IRQ_ACTION_TRIGGER |
                                           (set.flags & 1 ? VU_IRQ_DATA_EVENTFD : VU_IRQ_DATA_NONE),
                                  .index = VU_IRQ_MSIX,
                                  .start = set.start % 64,
                                  .count = step[3] % (VU_FDS_MAX + 1)};
        memcpy(body, &set, sizeof set);
        return 0;
    case VU_REGION_READ:
    case VU_REGION_WRITE:
        memcpy(&access, body, sizeof access);
        access.region = access.region & 1 ? VU_REGION_CONFIG : VU_REGION_BAR0;
        if (access.region == VU_REGION_BAR0)
            access.offset = places[access.offset % 4] +
                            (access.offset & 0x300 ? 0 : access.offset >> 8 & 0x7c);
        else
            access.offset = access.offset & 0xff;
        access.bytes = 4 + (access.bytes & 0x1fc);
        memcpy(body, &access, sizeof access);
        return command == VU_REGION_WRITE ? access.bytes : 0;
    default:
        memset(body, 0, 4);
        body[0] = 64;
        body[8] &= 7;
        return 0;
    }
}

/* Composes a message; returns its length. */
static size_t compose(struct run *run, const uint8_t *step, uint8_t *bytes, size_t most)
{
    struct vu_header header;
    uint8_t *body = bytes + sizeof header;
    size_t count;

    memcpy(&header, step + 8, sizeof header);
    memset(body, step[7], most - sizeof header);
    memcpy(body, step + HEAD, BODY);
    if (!(step[1] & RAW_COMMAND))
        header.command = command_of(step);
    if (!(step[1] & RAW_FLAGS))
        header.flags = header.flags & 1 ? VU_FLAG_NO_REPLY : 0;
    count = wanted_body(header.command);
    if (!(step[1] & RAW_FIELDS))
        count += fix_fields(step, header.command, body);
    if (step[1] & RAW_BODY)
        count = (size_t)(step[6] | step[7] << 8) % (most - sizeof header);
    if (!(step[1] & RAW_BYTES))
        header.bytes = (uint32_t)(sizeof header + count);
    else
        run->cut = true;
    memcpy(bytes, &header, sizeof header);
    if ((header.flags & VU_FLAG_TYPE) != VU_FLAG_REPLY && !(header.flags & VU_FLAG_NO_REPLY))
        run->asked++;
    return sizeof header + count;
}

/*
 * Passes bytes to the client as the server does: no piece crosses the end of a header or a body,
 * and file descriptors come with the first byte; or passes everything at once.
 */
static void hand_over(struct run *run, const uint8_t *step, const uint8_t *bytes, size_t count,
                      int *sent, unsigned fd_count)
{
    size_t piece = step[5] == 0 ? SIZE_MAX : step[5];
    bool at_once = step[4] & 0x80; /* which the client must accept, too */

    for (size_t at = 0; at < count || fd_count > 0;) {
        size_t wanted = tern_client_wanted(run->a);
        size_t n = count - at < piece ? count - at : piece;

        if (!at_once)
            n = n < wanted ? n : wanted;
        if (n == 0)
            break;
        tern_client_input(run->a, bytes + at, n, sent, fd_count);
        fd_count = 0;
        at += n;
    }
    while (fd_count > 0)
        close(sent[--fd_count]);
}

/* Descriptors may come with any piece; the server may run between pieces. */
static void send_over(struct run *run, const uint8_t *step, const uint8_t *bytes, size_t count,
                      int *sent, unsigned fd_count)
{
    size_t piece = step[5] == 0 ? SIZE_MAX : step[5];
    size_t with = step[4] >> 4 & 3, number = 0;

    for (size_t at = 0; at < count; number++) {
        size_t n = count - at < piece ? count - at : piece;
        bool last = at + n == count;
        bool now = number == with || (last && number < with);

        if (!connection_say(&run->wire, bytes + at, n, sent, now ? fd_count : 0))
            run->cut = true;
        if (!(step[4] & 0x80) && (number & 7) == 0)
            turn_of_server(run);
        at += n;
    }
    while (fd_count > 0)
        close(sent[--fd_count]);
}

static void deliver(struct run *run, const uint8_t *step, const uint8_t *bytes, size_t count)
{
    int sent[VU_FDS_MAX + 4];
    unsigned fd_count = step[3] % (VU_FDS_MAX + (run->by_socket ? 5u : 1u));

    for (unsigned i = 0; i < fd_count; i++)
        sent[i] = fcntl(fds[(step[4] + (step[4] >> 4) * i) % FD_KINDS], F_DUPFD_CLOEXEC, lowest);
    if (run->by_socket)
        send_over(run, step, bytes, count, sent, fd_count);
    else
        hand_over(run, step, bytes, count, sent, fd_count);
}

static void say(struct run *run, const uint8_t *step)
{
    static uint8_t bytes[sizeof(struct vu_header) + 1024];
    size_t count = compose(run, step, bytes, sizeof bytes);

    if (step[1] & CUT_OFF) {
        count = count * step[6] / 256;
        run->cut = true;
    }
    deliver(run, step, bytes, count);
}

/* Answers a request of the NIC, correctly or not. */
static void answer(struct run *run, const uint8_t *step)
{
    static uint8_t bytes[sizeof(struct vu_header) + sizeof(struct vu_dma_access) + 4096];
    struct vu_header header = run->request;
    struct vu_dma_access access = {.address = WORLD_BASE, .bytes = 64};
    size_t data = header.command == VU_DMA_READ ? 64 : 0;

    memcpy(&access.bytes, step + HEAD, sizeof access.bytes);
    access.bytes = step[1] & 1 ? access.bytes : 64u * (1 + step[2] % 4u);
    data = step[1] & 2 ? (size_t)(step[6] | step[7] << 8) % 4096
                       : (size_t)(access.bytes % 4097) * (data > 0);
    header.bytes = (uint32_t)(sizeof header + sizeof access + data);
    header.flags = VU_FLAG_REPLY | (step[1] & 4 ? VU_FLAG_ERROR : 0);
    if (step[1] & 8)
        header.id = (uint16_t)(step[6] | step[7] << 8);
    memcpy(bytes, &header, sizeof header);
    memcpy(bytes + sizeof header, &access, sizeof access);
    memset(bytes + sizeof header + sizeof access, step[7], data);
    deliver(run, step, bytes, header.bytes);
}

static void leave(struct run *run)
{
    if (run->by_socket)
        connection_leave(&run->wire);
    else
        tern_nic_detach(run->nic, run->a);
    run->a = NULL;
}

static void act(struct run *run, const uint8_t *step)
{
    if (run->a != NULL && run->a->closing && run->by_socket)
        turn_of_server(run);
    if (run->a != NULL && run->a->closing)
        leave(run);
    if (run->a == NULL)
        return;
    switch (step[0] % ACTS) {
    case ACT_SAY:
        say(run, step);
        break;
    case ACT_ANSWER:
        answer(run, step);
        break;
    case ACT_LEAVE:
        if ((step[1] & 7) == 0)
            leave(run);
        break;
    case ACT_BYTES:
        run->cut = true;
        deliver(run, step, step + 8, step[6] % (RECORD - 8u));
        break;
    default:
        work(run, 1 + step[1] % 8u);
    }
    if (step[0] % ACTS == ACT_SAY && step[2] & 0x80)
        work(run, 2);
}

/* ---- the bystander ---- */

static void tell_b(struct run *run, uint16_t command, const void *body, size_t bytes)
{
    struct vu_header header = {
        .id = 9, .command = command, .bytes = (uint32_t)(sizeof header + bytes)};

    tern_client_input(run->b, &header, sizeof header, NULL, 0);
    tern_client_input(run->b, body, bytes, NULL, 0);
}

/* B reads a register and must get the answer within a bound. */
static void judge_b(struct run *run)
{
    struct vu_region_access access = {
        .offset = TERN_REG_MAGIC, .region = VU_REGION_BAR0, .bytes = 4};
    uint32_t magic = 0;
    size_t count;
    const uint8_t *out;

    tell_b(run, VU_REGION_READ, &access, sizeof access);
    for (unsigned i = 0; i < TURNS && (run->b->first != NULL || i == 0); i++)
        work(run, 1);
    out = tern_client_output(run->b, &count);
    if (count >= sizeof magic)
        memcpy(&magic, out + count - sizeof magic, sizeof magic);
    if (run->b->closing || magic != TERN_ABI_MAGIC)
        fuzz_fail("the other client is not served: %zu bytes, %x", count, magic);
}

/* ---- an execution ---- */

static void make_fds(void)
{
    int pipes[2];

    fds[FD_EVENT] = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    fds[FD_SEALED] = memfd_create("sealed", MFD_ALLOW_SEALING | MFD_CLOEXEC);
    fds[FD_UNSEALED] = memfd_create("unsealed", MFD_ALLOW_SEALING | MFD_CLOEXEC);
    if (ftruncate(fds[FD_SEALED], 0x4000) != 0 || ftruncate(fds[FD_UNSEALED], 0x4000) != 0 ||
        fcntl(fds[FD_SEALED], F_ADD_SEALS, F_SEAL_SHRINK) != 0 || pipe2(pipes, O_CLOEXEC) != 0)
        fuzz_fail("no descriptors: %s", strerror(errno));
    fds[FD_PIPE] = pipes[1];
}

static void begin(struct run *run)
{
    struct vu_version version = {0};
    struct soft_node *node = run->world->node[0];
    struct tern_nic_config config = {.bar = {.ctx = node, .room = room, .push = push},
                                     .functions = WORLD_FUNCTIONS,
                                     .reset_limit = RESET_LIMIT,
                                     .dma_limit = DMA_LIMIT};

    if (run->world->fn[0][1].sq != SQ)
        fuzz_fail("the queue of function 1 has another number");
    if (fds[0] == 0)
        make_fds();
    lowest = dup(fds[0]);
    close(lowest);
    node->config.host = (struct tern_host){.transfer = transfer,
                                           .transfer_all = transfer_all,
                                           .interrupt = interrupt,
                                           .bar_answer = bar_answer};
    run->cycle = run->world->cycle;
    run->nic = the_nic = tern_nic_new(&config);
    run->b = tern_nic_attach(run->nic, 0); /* attached to function 0, which may hold the core */
    tell_b(run, VU_VERSION, &version, sizeof version);
    work(run, 1);
    if (!run->by_socket) {
        run->a = tern_nic_attach(run->nic, 0);
        return;
    }
    connection_begin(&run->wire, run->nic);
    run->a = run->wire.client;
}

/* All clients have gone: everything they held must be free. */
static void end(struct run *run)
{
    int next;

    if (run->a != NULL)
        leave(run);
    if (run->by_socket)
        connection_end(&run->wire);
    tern_nic_detach(run->nic, run->b);
    for (unsigned i = 0; i < END_TURNS; i++) {
        uint64_t timer = soft_node_timer(run->world->node[0]);

        if (!tern_nic_busy(run->nic) && world_unfinished(run->world) == NULL)
            break;
        work(run, 1);
        if (run->world->node[0]->cost == 0 && timer > run->cycle && timer != SOFT_NEVER)
            run->cycle = timer;
    }
    if (tern_nic_busy(run->nic) || world_unfinished(run->world) != NULL)
        fuzz_fail("clients have gone, and there is still %s",
                  tern_nic_busy(run->nic) ? "a reset" : world_unfinished(run->world));
    if (!run->cut && tern_nic_count(run->nic)->resets_unconfirmed != 0)
        fuzz_fail("a function was not reset in time");
    world_judge_tables(run->world, 0);
    tern_nic_free(run->nic);
    next = dup(fds[0]);
    close(next);
    if (next != lowest)
        fuzz_fail("descriptor %d was not closed", lowest);
}

/* Checks that A's valid messages were served, with a reply to each that needs one. */
static void judge_a(struct run *run)
{
    for (unsigned i = 0; i < TURNS && run->a != NULL && !run->a->closing &&
                         (run->a->first != NULL ||
                          (run->by_socket && !connection_is_read(&run->wire)));
         i++)
        work(run, 1);
    if (run->by_socket)
        turn_of_server(run);
    if (!run->cut && run->a != NULL && !run->a->closing && run->a->first == NULL &&
        run->answered != run->asked)
        fuzz_fail("%u messages, %u replies", run->asked, run->answered);
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct run run = {.world = world_begin()};
    size_t steps = size / RECORD;

    run.by_socket = size > 0 && data[0] & 0x80;
    begin(&run);
    for (size_t i = 0; i < steps && i < fuzz_target.most; i++)
        act(&run, data + i * RECORD);
    if (run.a != NULL && run.a->waiting == NULL)
        judge_a(&run);
    judge_b(&run);
    end(&run);
    return 0;
}

static void fresh(struct fuzz_random *random, uint8_t *step)
{
    static const uint8_t acts[] = {ACT_SAY, ACT_SAY,  ACT_SAY,    ACT_SAY,   ACT_SAY,
                                   ACT_SAY, ACT_WORK, ACT_ANSWER, ACT_LEAVE, ACT_BYTES};

    for (unsigned i = 0; i < RECORD; i++)
        step[i] = (uint8_t)fuzz_random(random);
    step[0] = acts[fuzz_below(random, sizeof acts)];
    if (fuzz_below(random, 8) == 0)
        step[0] = (uint8_t)(step[0] + 26 * ACTS); /* the same act; by socket, if it is the first */
    step[1] = step[3] = step[5] = 0;
    if (fuzz_below(random, 4) == 0)
        step[1] = (uint8_t)(1u << fuzz_below(random, 6));
    if (fuzz_below(random, 4) == 0)
        step[3] = (uint8_t)fuzz_below(random, 3);
    if (fuzz_below(random, 8) == 0)
        step[5] = (uint8_t)fuzz_below(random, 32);
}

const struct fuzz_target fuzz_target = {"messages", RECORD, 16, fresh};
