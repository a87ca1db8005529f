/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of one NIC: their assignment to clients, and their resets. */
#include "nic.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "client.h"
#include "tern_abi.h"

enum { POLL_CYCLES = 256, MAX_FUNCTIONS = 256 };

enum function_state { FUNCTION_FREE, FUNCTION_USED, FUNCTION_RESETTING };

/*
 * Steps of a reset. The firmware counts its resets, and only a new count shows that this one is
 * done: the state alone could be an old one.
 */
enum reset_step {
    RESET_ASK_STATE,  /* read STATUS: without firmware there is no reset */
    RESET_AWAIT_STATE,
    RESET_ASK_COUNT,  /* read the old FN_STATUS */
    RESET_AWAIT_COUNT,
    RESET_ORDER,      /* write FN_CTRL */
    RESET_ASK_DONE,   /* read FN_STATUS until it changes */
    RESET_AWAIT_DONE
};

enum { FN_CTRL_RESET = 2 };

struct function {
    enum function_state state;
    struct tern_client *client; /* NULL: it has left */
    enum reset_step step;
    uint32_t old_count;
    uint32_t serial; /* of the reset: identifies stale answers */
    uint64_t deadline, poll_at;
};

struct tern_nic {
    struct tern_nic_config config;
    struct tern_nic_counts counts;
    struct tern_client *clients;
    struct function functions[MAX_FUNCTIONS];
    unsigned resetting; /* number of functions being reset */
    uint64_t cycle;
    uint32_t next_serial;
    uint32_t fw_status; /* last value read for tern_nic_ask_status() */
    bool asked;         /* ... a read is in flight */
};

/* The purpose of a BAR read, in its cookie. */
enum { COOKIE_RESET = 1, COOKIE_STATUS = 2 };

static uint64_t cookie_of(uint32_t serial, unsigned function, bool reset)
{
    return (uint64_t)serial << 32 | (uint64_t)function << 8 | (reset ? COOKIE_RESET : 0);
}

struct tern_nic *tern_nic_new(const struct tern_nic_config *config)
{
    struct tern_nic *nic = calloc(1, sizeof *nic);

    if (nic == NULL)
        return NULL;
    nic->config = *config;
    if (nic->config.functions > MAX_FUNCTIONS)
        nic->config.functions = MAX_FUNCTIONS;
    return nic;
}

static void client_free(struct tern_client *client)
{
    tern_client_fini(client);
    free(client);
}

void tern_nic_free(struct tern_nic *nic)
{
    if (nic == NULL)
        return;
    while (nic->clients != NULL) {
        struct tern_client *client = nic->clients;

        nic->clients = client->next;
        client_free(client);
    }
    free(nic);
}

const struct tern_nic_counts *tern_nic_count(const struct tern_nic *nic)
{
    return &nic->counts;
}

struct tern_client *tern_nic_clients(const struct tern_nic *nic)
{
    return nic->clients;
}

/* ---- BAR ---- */

size_t tern_nic_bar_room(const struct tern_nic *nic)
{
    return nic->config.bar.room(nic->config.bar.ctx);
}

void tern_nic_bar_push(struct tern_nic *nic, struct tern_client *client, bool write,
                       uint32_t address, uint8_t enables, uint64_t data)
{
    struct tern_bar_access access = {
        .cookie = cookie_of(client->serial, (unsigned)client->function, false),
        .data = data,
        .address = address,
        .function = (uint8_t)client->function,
        .enables = enables,
        .write = write};

    nic->config.bar.push(nic->config.bar.ctx, &access);
}

/* Pushes an access to a 32-bit register, in its half of a beat. */
static void reset_push(struct tern_nic *nic, unsigned number, bool write, uint32_t address,
                       uint32_t value)
{
    unsigned shift = address % 8 ? 32 : 0;
    struct tern_bar_access access = {
        .cookie = cookie_of(nic->functions[number].serial, number, true),
        .data = (uint64_t)value << shift,
        .address = address & ~7u,
        .function = (uint8_t)number,
        .enables = shift ? 0xf0 : 0x0f,
        .write = write};

    nic->config.bar.push(nic->config.bar.ctx, &access);
}

/* ---- resets ---- */

static void reset_begin(struct tern_nic *nic, struct function *function)
{
    if (function->state != FUNCTION_RESETTING)
        nic->resetting++;
    function->state = FUNCTION_RESETTING;
    function->step = RESET_ASK_STATE;
    function->serial = ++nic->next_serial;
    function->deadline = nic->cycle + nic->config.reset_limit;
    function->poll_at = nic->cycle;
}

static void reset_end(struct tern_nic *nic, struct function *function, bool confirmed)
{
    nic->counts.resets++;
    if (!confirmed)
        nic->counts.resets_unconfirmed++;
    nic->resetting--;
    function->serial = 0;
    function->state = function->client != NULL ? FUNCTION_USED : FUNCTION_FREE;
}

static void reset_work(struct tern_nic *nic, unsigned number)
{
    struct function *function = &nic->functions[number];

    if (nic->cycle >= function->deadline) {
        reset_end(nic, function, false);
        return;
    }
    if (nic->cycle < function->poll_at || tern_nic_bar_room(nic) == 0)
        return;
    switch (function->step) {
    case RESET_ASK_STATE:
        reset_push(nic, number, false, TERN_REG_STATUS, 0);
        function->step = RESET_AWAIT_STATE;
        break;
    case RESET_ASK_COUNT:
        reset_push(nic, number, false, TERN_REG_FN_STATUS, 0);
        function->step = RESET_AWAIT_COUNT;
        break;
    case RESET_ORDER:
        reset_push(nic, number, true, TERN_REG_FN_CTRL, FN_CTRL_RESET);
        function->step = RESET_ASK_DONE;
        function->poll_at = nic->cycle + POLL_CYCLES;
        break;
    case RESET_ASK_DONE:
        reset_push(nic, number, false, TERN_REG_FN_STATUS, 0);
        function->step = RESET_AWAIT_DONE;
        break;
    default:
        break; /* an answer is outstanding */
    }
}

/* Returns the reset count of FN_STATUS: state in 7:0, resets in 31:16. */
static uint32_t resets_done(uint32_t fn_status)
{
    return fn_status >> 16;
}

static void reset_answered(struct tern_nic *nic, struct function *function, uint64_t data)
{
    uint32_t fn_status = (uint32_t)(data >> (TERN_REG_FN_STATUS % 8 * 8));
    uint32_t fw_state = (uint32_t)(data >> (TERN_REG_STATUS % 8 * 8)) & 0xff;

    switch (function->step) {
    case RESET_AWAIT_STATE:
        if (fw_state == TERN_FWSTATE_READY)
            function->step = RESET_ASK_COUNT;
        else
            reset_end(nic, function, true); /* a booting firmware resets all functions */
        break;
    case RESET_AWAIT_COUNT:
        function->old_count = resets_done(fn_status);
        function->step = RESET_ORDER;
        break;
    case RESET_AWAIT_DONE:
        if ((fn_status & 0xff) == TERN_FNSTATE_OFF &&
            resets_done(fn_status) != function->old_count) {
            reset_end(nic, function, true);
            break;
        }
        function->step = RESET_ASK_DONE;
        function->poll_at = nic->cycle + POLL_CYCLES;
        break;
    default:
        break;
    }
}

void tern_nic_reset(struct tern_nic *nic, struct tern_client *client)
{
    reset_begin(nic, &nic->functions[client->function]);
}

bool tern_nic_resetting(const struct tern_nic *nic, const struct tern_client *client)
{
    return nic->functions[client->function].state == FUNCTION_RESETTING;
}

/* ---- the state of the firmware ---- */

void tern_nic_ask_status(struct tern_nic *nic)
{
    const struct tern_bar_access access = {.cookie = COOKIE_STATUS,
                                           .address = TERN_REG_STATUS & ~7u,
                                           .enables = TERN_REG_STATUS % 8 ? 0xf0 : 0x0f};

    if (nic->asked || tern_nic_bar_room(nic) == 0)
        return;
    nic->asked = true;
    nic->config.bar.push(nic->config.bar.ctx, &access);
}

uint32_t tern_nic_status(const struct tern_nic *nic)
{
    return nic->fw_status;
}

void tern_nic_read_done(struct tern_nic *nic, uint64_t cookie, uint64_t data)
{
    struct function *function = &nic->functions[cookie >> 8 & 0xff];
    uint32_t serial = (uint32_t)(cookie >> 32);

    if (cookie & COOKIE_STATUS) {
        nic->fw_status = (uint32_t)(data >> (TERN_REG_STATUS % 8 * 8));
        nic->asked = false;
        return;
    }
    if (cookie & COOKIE_RESET) {
        if (function->state == FUNCTION_RESETTING && function->serial == serial)
            reset_answered(nic, function, data);
    } else if (function->client != NULL && function->client->serial == serial) {
        tern_client_read_done(function->client, data);
    }
}

/* ---- clients ---- */

struct tern_client *tern_nic_attach(struct tern_nic *nic, pid_t peer)
{
    struct tern_client *client = malloc(sizeof *client);
    struct tern_client **link = &nic->clients;

    if (client == NULL)
        return NULL;
    tern_client_init(client, nic, peer);
    client->serial = ++nic->next_serial;
    while (*link != NULL)
        link = &(*link)->next;
    *link = client;
    nic->counts.attached++;
    return client;
}

void tern_nic_detach(struct tern_nic *nic, struct tern_client *client)
{
    struct tern_client **link = &nic->clients;

    while (*link != client)
        link = &(*link)->next;
    *link = client->next;
    nic->counts.detached++;
    if (client->function != TERN_CLIENT_NO_FUNCTION) {
        struct function *function = &nic->functions[client->function];

        function->client = NULL;
        reset_begin(nic, function);
    }
    client_free(client);
}

/*
 * Returns the lowest function that is free now or after its reset, so that a client that returns
 * gets its old number. -1: all are taken.
 */
static int lowest_function(const struct tern_nic *nic)
{
    for (unsigned f = 0; f < nic->config.functions; f++) {
        const struct function *function = &nic->functions[f];

        if (function->state == FUNCTION_FREE ||
            (function->state == FUNCTION_RESETTING && function->client == NULL))
            return (int)f;
    }
    return -1;
}

/* Gives a function to a client that has sent a message and has none. */
static void give_function(struct tern_nic *nic, struct tern_client *client)
{
    int number = lowest_function(nic);

    if (number < 0) {
        nic->counts.refused++;
        tern_client_fail(client, &client->first->header, EUSERS);
        client->closing = true;
        return;
    }
    if (nic->functions[number].state == FUNCTION_RESETTING)
        return;
    nic->functions[number].state = FUNCTION_USED;
    nic->functions[number].client = client;
    client->function = number;
}

void tern_nic_work(struct tern_nic *nic, uint64_t cycle)
{
    nic->cycle = cycle;
    for (unsigned f = 0; nic->resetting > 0 && f < nic->config.functions; f++) {
        if (nic->functions[f].state == FUNCTION_RESETTING)
            reset_work(nic, f);
    }
    for (struct tern_client *client = nic->clients; client != NULL; client = client->next) {
        if (client->closing || !tern_client_has_work(client))
            continue;
        if (client->function == TERN_CLIENT_NO_FUNCTION)
            give_function(nic, client);
        if (client->function != TERN_CLIENT_NO_FUNCTION)
            tern_client_work(client);
    }
}

bool tern_nic_busy(const struct tern_nic *nic)
{
    if (nic->resetting > 0)
        return true;
    for (struct tern_client *client = nic->clients; client != NULL; client = client->next) {
        if (tern_client_has_work(client) || client->waiting != NULL)
            return true;
    }
    return false;
}

/* ---- accesses of the chip to the host ---- */

enum tern_dma_result tern_nic_transfer(struct tern_nic *nic, struct tern_dma_op *op)
{
    const struct function *function = &nic->functions[op->function];

    if (function->state == FUNCTION_USED)
        return tern_client_transfer(function->client, op, nic->cycle, nic->config.dma_limit);
    if (op->message == TERN_MESSAGE_SENT)
        tern_client_forget(op);
    if (function->state == FUNCTION_RESETTING && op->write)
        return TERN_DMA_OK; /* drop it: the function's last writes have no memory */
    return TERN_DMA_FAULT;
}

void tern_nic_forget(struct tern_nic *nic, struct tern_dma_op *op)
{
    (void)nic;
    if (op->message == TERN_MESSAGE_SENT)
        tern_client_forget(op);
}

unsigned tern_nic_transfer_all(struct tern_nic *nic, struct tern_dma_op *const *ops,
                               unsigned count, uint32_t *faults)
{
    const struct function *function = &nic->functions[ops[0]->function];

    *faults = 0;
    for (unsigned i = 0; i < count; i++) {
        enum tern_dma_result result;

        if (function->state == FUNCTION_USED && ops[i]->moved == 0)
            tern_client_transfer_ahead(function->client, ops + i, count - i);
        result = tern_nic_transfer(nic, ops[i]);
        if (result == TERN_DMA_PENDING)
            return i;
        *faults |= (uint32_t)(result == TERN_DMA_FAULT) << i;
    }
    return count;
}

void tern_nic_interrupt(struct tern_nic *nic, unsigned function, unsigned vector)
{
    const struct tern_client *client =
        function < nic->config.functions ? nic->functions[function].client : NULL;
    uint64_t one = 1;
    struct pollfd fd;

    if (client == NULL || vector >= TERN_CLIENT_VECTORS || client->vectors[vector] < 0)
        return;
    fd = (struct pollfd){.fd = client->vectors[vector], .events = POLLOUT};
    /* A full counter already signals the event. */
    if (poll(&fd, 1, 0) == 1 && (fd.revents & POLLOUT) != 0 &&
        write(fd.fd, &one, sizeof one) != sizeof one)
        return;
}
