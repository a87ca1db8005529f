/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of rdma_cm to ports without a listener, and processes that listen, through the commands
 * of linux/rdma/rdma_user_cm.h.
 * Run by `tern run` with two nodes: the listener is at 10.0.0.1, the caller at 10.1.0.1.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <rdma/rdma_user_cm.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Numbers of events as rdma/rdma_cma.h has them. */
enum { ADDR_RESOLVED = 0, ROUTE_RESOLVED = 2, CONNECT_REQUEST = 4, REJECTED = 8, NO_EVENT = -1 };

enum {
    PORT = 7171,
    OTHER_PORT = 7172,
    QP_TYPE_RC = 2,
    INVALID_SERVICE_ID = 8, /* status of REJECTED */
    GAP_MS = 200,           /* without a listener; the test passes for any value */
    LIMIT_MS = 60000,
    LISTENERS = 16 /* of a node */
};

static bool command(int channel, uint32_t number, void *body, size_t bytes, size_t room)
{
    struct rdma_ucm_cmd_hdr head = {.cmd = number, .in = (uint16_t)bytes, .out = (uint16_t)room};
    uint8_t all[sizeof(head) + 512];

    memcpy(all, &head, sizeof(head));
    memcpy(all + sizeof(head), body, bytes);
    return write(channel, all, sizeof(head) + bytes) == (ssize_t)(sizeof(head) + bytes);
}

#define COMMAND(channel, number, body, room) \
    command(channel, RDMA_USER_CM_CMD_##number, &(body), sizeof(body), room)

static struct sockaddr_in6 address(const char *text, uint16_t port)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 padded = {0};

    inet_pton(AF_INET, text, &in.sin_addr);
    memcpy(&padded, &in, sizeof(in));
    return padded;
}

/* Takes the next event within `limit_ms`; NO_EVENT if there is none. */
static int event(int channel, int limit_ms, uint32_t *status)
{
    struct pollfd ready = {.fd = channel, .events = POLLIN};
    struct rdma_ucm_event_resp resp = {0};
    struct rdma_ucm_get_event get = {.response = (uintptr_t)&resp};

    if (poll(&ready, 1, limit_ms) != 1 || !COMMAND(channel, GET_EVENT, get, sizeof(resp)))
        return NO_EVENT;
    *status = resp.status;
    return (int)resp.event;
}

static uint32_t create(int channel)
{
    struct rdma_ucm_create_id_resp resp = {0};
    struct rdma_ucm_create_id create = {
        .response = (uintptr_t)&resp, .ps = RDMA_PS_TCP, .qp_type = QP_TYPE_RC};

    return COMMAND(channel, CREATE_ID, create, sizeof(resp)) ? resp.id : 0;
}

static void destroy(int channel, uint32_t id)
{
    struct rdma_ucm_destroy_id_resp resp;
    struct rdma_ucm_destroy_id destroy = {.response = (uintptr_t)&resp, .id = id};

    (void)COMMAND(channel, DESTROY_ID, destroy, sizeof(resp));
}

/* Listens at PORT; the id, or 0. */
static uint32_t listen_there(int channel)
{
    uint32_t id = create(channel);
    struct rdma_ucm_bind_ip bind = {.id = id, .addr = address("10.0.0.1", PORT)};
    struct rdma_ucm_listen listen = {.id = id, .backlog = 1};

    return id && COMMAND(channel, BIND_IP, bind, 0) && COMMAND(channel, LISTEN, listen, 0) ? id : 0;
}

/* Calls `port`; the id, or 0. */
static uint32_t call(int channel, uint16_t port)
{
    uint32_t id = create(channel), status = 0;
    struct rdma_ucm_resolve_ip resolve = {.id = id,
                                          .src_addr = address("10.1.0.1", 0),
                                          .dst_addr = address("10.0.0.1", port),
                                          .timeout_ms = LIMIT_MS};
    struct rdma_ucm_resolve_route route = {.id = id, .timeout_ms = LIMIT_MS};
    struct rdma_ucm_connect connect = {.id = id, .conn_param = {.valid = 1}};

    return id && COMMAND(channel, RESOLVE_IP, resolve, 0) &&
                   event(channel, LIMIT_MS, &status) == ADDR_RESOLVED &&
                   COMMAND(channel, RESOLVE_ROUTE, route, 0) &&
                   event(channel, LIMIT_MS, &status) == ROUTE_RESOLVED &&
                   COMMAND(channel, CONNECT, connect, 0)
               ? id
               : 0;
}

static int number, failed;

static void tap(bool is_good, const char *name)
{
    printf("%sok %d - %s\n", is_good ? "" : "not ", ++number, name);
    failed |= !is_good;
}

/* ---- several processes that listen at one node */

struct neighbour {
    pid_t pid;
    int to; /* it ends when this is closed */
};

/* Starts a process that listens at PORT; whether it does. */
static bool start_neighbour(struct neighbour *neighbour)
{
    int to[2], from[2];
    char does = 0;

    if (pipe(to) || pipe(from))
        return false;
    *neighbour = (struct neighbour){fork(), to[1]};
    if (!neighbour->pid) {
        int channel = open("/dev/infiniband/rdma_cm", O_RDWR | O_CLOEXEC);

        close(to[1]);
        does = listen_there(channel) != 0;
        (void)!write(from[1], &does, 1);
        (void)!read(to[0], &does, 1);
        _exit(0);
    }
    close(to[0]);
    close(from[1]);
    (void)!read(from[0], &does, 1);
    close(from[0]);
    return does;
}

/* This process has listened and keeps its place. */
static void neighbours(void)
{
    struct neighbour all[LISTENERS];
    unsigned listen = 0, count;

    for (count = 0; count < LISTENERS; count++) {
        if (!start_neighbour(&all[count]))
            break;
        listen++;
    }
    tap(listen >= 2, "two processes of a node may listen at the same port");
    tap(listen == LISTENERS - 1, "16 processes of a node may listen, and one more may not");
    for (unsigned at = 0; at < LISTENERS && at <= count; at++) {
        close(all[at].to);
        kill(all[at].pid, SIGKILL);
        waitpid(all[at].pid, NULL, 0);
    }
}

int main(void)
{
    int server = open("/dev/infiniband/rdma_cm", O_RDWR | O_CLOEXEC);
    int client = open("/dev/infiniband/rdma_cm", O_RDWR | O_CLOEXEC);
    uint32_t listener = listen_there(server), caller = call(client, OTHER_PORT), status = 0;
    bool is_good = listener && caller && event(client, LIMIT_MS, &status) == REJECTED;

    tap(is_good && status == INVALID_SERVICE_ID,
        "a call to a port where no process listened is refused");
    destroy(client, caller);
    destroy(server, listener);

    caller = call(client, PORT);
    is_good = caller && event(client, GAP_MS, &status) == NO_EVENT;
    listener = listen_there(server);
    tap(is_good && listener && event(server, LIMIT_MS, &status) == CONNECT_REQUEST,
        "a call waits for the next listener at its port");
    destroy(server, listener);
    destroy(client, caller);

    /* The listener's node keeps answering that it may listen again: the call still ends. */
    caller = call(client, PORT);
    tap(caller && event(client, LIMIT_MS, &status) == REJECTED && status == INVALID_SERVICE_ID,
        "a call ends when no next listener comes");
    destroy(client, caller);
    listener = listen_there(server);
    tap(listener && !listen_there(server), "a process may listen at a port once");
    neighbours();
    printf("1..%d\n", number);
    return failed;
}
