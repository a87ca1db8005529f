/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands of librdmacm, in the layout of linux/rdma/rdma_user_cm.h. Addresses are 10.x.y.(z+1)
 * for node x.y.z, and 127.0.0.1 for the first node of the program.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "cm.h"

enum { UD_QKEY = 0x01234567, FIRST_PORT = 32768, PORTS = 28000, MAX_IDS = 65536 };

pthread_mutex_t cm_lock = PTHREAD_MUTEX_INITIALIZER;
struct verbs_table cm_ids = {.most = MAX_IDS};

/* ---- the program's NICs */

static struct verbs_nic *nic_of_node(uint16_t node)
{
    char path[512], buffer[512];
    struct verbs_nic *nic = NULL;
    const struct dirent *entry;
    DIR *folder;

    snprintf(path, sizeof(path), "/sys/class/infiniband");
    folder = opendir(sysview_path(path, buffer, sizeof(buffer)));
    while (folder && !nic && (entry = readdir(folder))) {
        uint8_t gid[16];
        char file[1024], text[64] = "", wanted[64];
        FILE *in;

        if (entry->d_name[0] == '.')
            continue;
        snprintf(file, sizeof(file), "%s/%s/ports/1/gids/1", buffer, entry->d_name);
        in = fopen(file, "re");
        if (!in)
            continue;
        if (!fgets(text, sizeof(text), in))
            text[0] = 0;
        fclose(in);
        gid_of_node(node, gid);
        snprintf(wanted, sizeof(wanted), "0000:0000:0000:0000:0000:ffff:%02x%02x:%02x%02x\n",
                 gid[12], gid[13], gid[14], gid[15]);
        if (!strcmp(text, wanted))
            nic = nic_get(entry->d_name);
    }
    if (folder)
        closedir(folder);
    return nic;
}

/* The NIC with the lowest number. */
static struct verbs_nic *first_nic(void)
{
    char path[512], buffer[512], name[32];
    const struct dirent *entry;
    int lowest = -1;
    DIR *folder;

    snprintf(path, sizeof(path), "/sys/class/infiniband");
    folder = opendir(sysview_path(path, buffer, sizeof(buffer)));
    while (folder && (entry = readdir(folder))) {
        int number;

        if (sscanf(entry->d_name, "tern%d", &number) == 1 && (lowest < 0 || number < lowest))
            lowest = number;
    }
    if (folder)
        closedir(folder);
    snprintf(name, sizeof(name), "tern%d", lowest);
    return lowest < 0 ? NULL : nic_get(name);
}

/*
 * Makes every NIC visible to the program take calls: a listener at any address can be reached
 * through all of them.
 */
static int listen_everywhere(void)
{
    char path[512], buffer[512];
    const struct dirent *entry;
    int error = 0;
    DIR *folder;

    snprintf(path, sizeof(path), "/sys/class/infiniband");
    folder = opendir(sysview_path(path, buffer, sizeof(buffer)));
    while (folder && !error && (entry = readdir(folder))) {
        struct verbs_nic *nic = strncmp(entry->d_name, "tern", 4) ? NULL : nic_get(entry->d_name);

        if (!nic)
            continue;
        nic_lock(nic);
        error = cm_box(nic, true) ? ENOMEM : 0;
        nic_unlock(nic);
    }
    if (folder)
        closedir(folder);
    return error;
}

/* ---- addresses */

/* Node and port of an address; false if it belongs to no node. */
static bool address_read(const void *from, uint16_t *node, uint16_t *port, bool *is_any,
                         bool *is_loopback)
{
    const struct sockaddr_in *in = from;
    const struct sockaddr_in6 *in6 = from;
    uint8_t gid[16] = {[10] = 0xff, [11] = 0xff}, again[16];

    *is_any = *is_loopback = false;
    if (in->sin_family == AF_INET) {
        memcpy(gid + 12, &in->sin_addr, 4);
        *port = ntohs(in->sin_port);
    } else if (in6->sin6_family == AF_INET6) {
        memcpy(gid, &in6->sin6_addr, 16);
        *port = ntohs(in6->sin6_port);
        if (IN6_IS_ADDR_UNSPECIFIED(&in6->sin6_addr))
            memset(gid + 10, 0xff, 2);
        else if (IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr))
            memcpy(gid, (uint8_t[16]){[10] = 0xff, 0xff, 127, 0, 0, 1}, 16);
    } else {
        return false;
    }
    *is_any = !memcmp(gid + 12, "\0\0\0\0", 4);
    *is_loopback = gid[12] == 127;
    if (*is_any || *is_loopback)
        return true;
    *node = (uint16_t)((gid[13] & 31) | (gid[14] & 31) << 5 | ((gid[15] - 1) & 31) << 10);
    gid_of_node(*node, again);
    return !memcmp(gid, again, 16);
}

static void address_write(uint16_t node, uint16_t port, bool is_any, struct sockaddr_in6 *to)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(port)};
    uint8_t gid[16];

    gid_of_node(node, gid);
    if (!is_any)
        memcpy(&in.sin_addr, gid + 12, 4);
    memset(to, 0, sizeof(*to));
    memcpy(to, &in, sizeof(in));
}

/* ---- events */

static void queue_event(struct cm_channel *channel, struct cm_event *event)
{
    *channel->last = event;
    channel->last = &event->next;
    (void)eventfd_write(channel->fd, 1);
}

void cm_fill_route(const struct cm_id *id, struct ib_uverbs_ah_attr *attr)
{
    memset(attr, 0, sizeof(*attr));
    gid_of_node(id->peer_node, attr->grh.dgid);
    attr->grh.sgid_index = 1;
    attr->grh.hop_limit = 64;
    attr->is_global = 1;
    attr->port_num = 1;
}

static void fill_param(const struct cm_id *id, struct cm_event *event,
                       const struct rdma_ucm_conn_param *param)
{
    struct rdma_ucm_ud_param *ud = &event->resp.param.ud;

    if (id->qp_type != QPT_UD) {
        event->resp.param.conn = *param;
        return;
    }
    ud->qp_num = param->qp_num;
    ud->qkey = param->qkey ? param->qkey : UD_QKEY;
    cm_fill_route(id, &ud->ah_attr);
    ud->private_data_len = param->private_data_len;
    memcpy(ud->private_data, param->private_data, sizeof(ud->private_data));
}

void cm_raise(struct cm_id *id, unsigned type, int status, const struct rdma_ucm_conn_param *param)
{
    struct cm_event *event = calloc(1, sizeof(*event));

    if (!event)
        return;
    event->id = id;
    event->resp.uid = id->uid;
    event->resp.id = id->handle;
    event->resp.event = type;
    event->resp.status = (uint32_t)status;
    if (param)
        fill_param(id, event, param);
    queue_event(id->channel, event);
}

/* The two sides see a connection in opposite directions: the two numbers of reads are exchanged. */
void cm_raise_request(struct cm_id *listener, struct cm_id *fresh)
{
    struct cm_event *event = calloc(1, sizeof(*event));
    struct rdma_ucm_conn_param param = fresh->peer;

    if (!event)
        return;
    param.responder_resources = fresh->peer.initiator_depth;
    param.initiator_depth = fresh->peer.responder_resources;
    event->id = listener;
    event->resp.uid = listener->uid;
    event->resp.id = fresh->handle;
    event->resp.event = CM_CONNECT_REQUEST;
    fill_param(fresh, event, &param);
    queue_event(listener->channel, event);
}

/* Moves the unread events of `id` to another channel, or drops them. */
static void take_events(struct cm_id *id, struct cm_channel *to)
{
    struct cm_channel *from = id->channel;
    struct cm_event **link = &from->first, *event;
    uint64_t count;

    while ((event = *link)) {
        if (event->id != id) {
            link = &event->next;
            continue;
        }
        *link = event->next;
        (void)!real_read(from->fd, &count, sizeof(count)); /* there is an event: the read does not
                                                            * wait */
        if (to) {
            event->next = NULL;
            queue_event(to, event);
        } else {
            free(event);
        }
    }
    from->last = link;
}

/* ---- ids */

struct cm_id *cm_id_new(struct cm_channel *channel, uint64_t uid, uint16_t space, uint8_t qp_type)
{
    struct cm_id *id = calloc(1, sizeof(*id));

    if (id && table_add(&cm_ids, id, &id->handle)) {
        free(id);
        return NULL;
    }
    if (!id)
        return NULL;
    id->channel = channel;
    id->uid = uid;
    id->space = space;
    id->qp_type = qp_type ? qp_type : space == RDMA_PS_UDP ? QPT_UD : QPT_RC;
    return id;
}

static void say_goodbye(struct cm_id *id)
{
    if (id->qp_type == QPT_UD || !id->nic)
        return;
    if (id->state == CM_CONNECTED || id->state == CM_CONNECTING)
        cm_send(id, CM_DREQ, 0);
    else if (id->state == CM_ANSWERING)
        cm_send(id, CM_REJ, CM_CONSUMER);
}

static void id_destroy(struct cm_id *id)
{
    say_goodbye(id);
    if (id->state == CM_LISTENING)
        cm_listener_ends(id);
    take_events(id, NULL);
    for (uint32_t at = 1; at <= cm_ids.room; at++) {
        struct cm_id *other = table_get(&cm_ids, at);

        if (other && other->listener == id)
            other->listener = NULL;
    }
    table_remove(&cm_ids, id->handle);
    free(id);
}

static bool port_is_taken(const struct cm_id *id, uint16_t port)
{
    for (uint32_t at = 1; at <= cm_ids.room; at++) {
        const struct cm_id *other = table_get(&cm_ids, at);

        if (other && other != id && other->port == port && other->space == id->space &&
            !other->is_passive && (other->state == CM_BOUND || other->state == CM_LISTENING) &&
            !(id->reuses && other->reuses))
            return true;
    }
    return false;
}

static uint16_t free_port(const struct cm_id *id)
{
    static unsigned next;
    unsigned start = (unsigned)getpid() * 31u;
    uint16_t port;

    do {
        port = (uint16_t)(FIRST_PORT + (start + next++) % PORTS);
    } while (port_is_taken(id, port));
    return port;
}

/* ---- commands */

/* A command in progress, and the NICs that have messages to send after it. */
struct call {
    struct cm_channel *channel;
    const uint8_t *body;
    size_t bytes, room;
    struct verbs_nic *flush;
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

#define BODY(type, name) \
    struct type name; \
    memset(&name, 0, sizeof(name)); \
    memcpy(&name, call->body, least(sizeof(name), call->bytes))

static void answer(const struct call *call, uint64_t to, const void *from, size_t bytes)
{
    if (to)
        memcpy((void *)(uintptr_t)to, from, least(bytes, call->room));
}

static struct cm_id *find(struct call *call, uint32_t handle)
{
    struct cm_id *id = table_get(&cm_ids, handle);

    if (id && id->channel != call->channel)
        return NULL;
    if (id)
        call->flush = id->nic;
    return id;
}

static int create_id(struct call *call)
{
    BODY(rdma_ucm_create_id, command);
    struct rdma_ucm_create_id_resp resp;
    struct cm_id *id = cm_id_new(call->channel, command.uid, command.ps, command.qp_type);

    if (!id)
        return ENOMEM;
    resp.id = id->handle;
    answer(call, command.response, &resp, sizeof(resp));
    return 0;
}

static int destroy_id(struct call *call)
{
    BODY(rdma_ucm_destroy_id, command);
    struct cm_id *id = find(call, command.id);
    struct rdma_ucm_destroy_id_resp resp;

    if (!id)
        return EINVAL;
    resp.events_reported = id->events;
    id_destroy(id);
    answer(call, command.response, &resp, sizeof(resp));
    return 0;
}

static int bind_port(struct cm_id *id, uint16_t port)
{
    if (port && port_is_taken(id, port))
        return EADDRINUSE;
    id->port = port ? port : free_port(id);
    id->state = CM_BOUND;
    return 0;
}

static int bind_address(struct cm_id *id, const void *address)
{
    bool is_any, is_loopback;
    uint16_t node = 0, port = 0;

    if (id->state != CM_IDLE)
        return EINVAL;
    if (!address_read(address, &node, &port, &is_any, &is_loopback))
        return EADDRNOTAVAIL;
    if (!is_any) {
        id->nic = is_loopback ? first_nic() : nic_of_node(node);
        if (!id->nic)
            return EADDRNOTAVAIL;
    }
    id->is_any = is_any;
    return bind_port(id, port);
}

static int bind_ip(struct call *call)
{
    BODY(rdma_ucm_bind_ip, command);
    struct cm_id *id = find(call, command.id);

    return id ? bind_address(id, &command.addr) : EINVAL;
}

static int need_box(struct verbs_nic *nic, bool listens)
{
    int status;

    /* Order of locks: everything needed from the NIC is fetched first. */
    pthread_mutex_unlock(&cm_lock);
    nic_lock(nic);
    status = nic->dead ? -TERN_ST_DISCONNECTED : cm_box(nic, listens);
    nic_unlock(nic);
    pthread_mutex_lock(&cm_lock);
    return status ? ENOMEM : 0;
}

static int resolve(struct call *call, uint32_t handle, const void *source, const void *target)
{
    struct cm_id *id = find(call, handle);
    bool is_any, is_loopback, found;
    uint16_t node = 0, port = 0;
    int error = 0;

    if (!id)
        return EINVAL;
    if (id->state == CM_IDLE && ((const struct sockaddr *)source)->sa_family)
        error = bind_address(id, source);
    if (!error && id->state == CM_IDLE)
        error = bind_port(id, 0);
    if (error)
        return error;
    found = address_read(target, &node, &port, &is_any, &is_loopback);
    if (!id->nic)
        id->nic = first_nic();
    if (!id->nic)
        return ENODEV;
    if (is_loopback || is_any)
        node = id->nic->node;
    error = need_box(id->nic, false);
    if (error)
        return error;
    id->is_any = false;
    id->peer_node = node;
    id->peer_port = port;
    call->flush = id->nic;
    if (found && gid_to_node(id->nic,
                             (uint8_t[16]){[10] = 0xff,
                                           0xff,
                                           10,
                                           (uint8_t)(node & 31),
                                           (uint8_t)(node >> 5 & 31),
                                           (uint8_t)((node >> 10 & 31) + 1)},
                             &node))
        cm_raise(id, CM_ADDR_RESOLVED, 0, NULL);
    else
        cm_raise(id, CM_ADDR_ERROR, -ENETUNREACH, NULL);
    return 0;
}

static int resolve_ip(struct call *call)
{
    BODY(rdma_ucm_resolve_ip, command);

    return resolve(call, command.id, &command.src_addr, &command.dst_addr);
}

static int resolve_route(struct call *call)
{
    BODY(rdma_ucm_resolve_route, command);
    struct cm_id *id = find(call, command.id);

    if (!id || !id->nic)
        return EINVAL;
    cm_raise(id, CM_ROUTE_RESOLVED, 0, NULL);
    return 0;
}

static uint64_t guid_of(uint16_t node)
{
    uint8_t gid[16], bytes[8] = {0x02, 0x7e, 0x52, 0xff};
    uint64_t guid;

    gid_of_node(node, gid);
    memcpy(bytes + 4, gid + 12, 4);
    memcpy(&guid, bytes, sizeof(guid));
    return guid;
}

static int query_route(struct call *call)
{
    BODY(rdma_ucm_query, command); /* as far as it goes, the same as QUERY_ROUTE */
    struct rdma_ucm_query_route_resp resp = {0};
    const struct cm_id *id = find(call, command.id);

    if (!id)
        return EINVAL;
    address_write(id->nic ? id->nic->node : 0, id->port, !id->nic, &resp.src_addr);
    if (id->peer_port || id->is_passive)
        address_write(id->peer_node, id->peer_port, false, &resp.dst_addr);
    if (id->nic) {
        resp.node_guid = guid_of(id->nic->node);
        resp.port_num = 1;
        resp.ibdev_index = UINT32_MAX; /* unknown: the GUID identifies the device */
        resp.num_paths = 1;
        resp.ib_route[0].pkey = 0xffff;
        resp.ib_route[0].reversible = 1;
        resp.ib_route[0].numb_path = 1;
        resp.ib_route[0].mtu = 5;
        resp.ib_route[0].mtu_selector = resp.ib_route[0].rate_selector = 2;
        resp.ib_route[0].rate = 16;
        resp.ib_route[0].packet_life_time = 14;
        resp.ib_route[0].hop_limit = 64;
        gid_of_node(id->nic->node, resp.ib_route[0].sgid);
        gid_of_node(id->peer_node, resp.ib_route[0].dgid);
    }
    answer(call, command.response, &resp, sizeof(resp));
    return 0;
}

static int connect_id(struct call *call)
{
    BODY(rdma_ucm_connect, command);
    struct cm_id *id = find(call, command.id);

    if (!id || !id->nic || id->state != CM_BOUND)
        return EINVAL;
    id->own = command.conn_param;
    cm_call(id);
    return 0;
}

static int listen_id(struct call *call)
{
    BODY(rdma_ucm_listen, command);
    struct cm_id *id = find(call, command.id);
    int error;

    if (!id || (id->state != CM_BOUND && id->state != CM_IDLE))
        return EINVAL;
    if (id->state == CM_IDLE) {
        id->is_any = true;
        error = bind_port(id, 0);
        if (error)
            return error;
    }
    if (id->nic) {
        error = need_box(id->nic, true);
    } else {
        pthread_mutex_unlock(&cm_lock);
        error = listen_everywhere();
        pthread_mutex_lock(&cm_lock);
    }
    if (!error)
        id->state = CM_LISTENING;
    return error;
}

static int accept_id(struct call *call)
{
    BODY(rdma_ucm_accept, command);
    struct cm_id *id = find(call, command.id);

    if (!id)
        return EINVAL;
    if (command.conn_param.valid) {
        if (id->state != CM_ANSWERING)
            return EINVAL;
        id->uid = command.uid;
        id->own = command.conn_param;
        id->state = id->qp_type == QPT_UD ? CM_CONNECTED : CM_CONNECTING;
        cm_send(id, CM_REP, 0);
        return 0;
    }
    if (id->state != CM_CONNECTING)
        return EINVAL;
    id->state = CM_CONNECTED;
    cm_send(id, CM_RTU, 0);
    return 0;
}

static int reject_id(struct call *call)
{
    BODY(rdma_ucm_reject, command);
    struct cm_id *id = find(call, command.id);

    if (!id || id->state != CM_ANSWERING)
        return EINVAL;
    memset(&id->own, 0, sizeof(id->own));
    id->own.private_data_len = command.private_data_len;
    memcpy(id->own.private_data, command.private_data, sizeof(id->own.private_data));
    id->state = CM_ENDED;
    cm_send(id, CM_REJ, command.reason ? command.reason : CM_CONSUMER);
    return 0;
}

static int disconnect_id(struct call *call)
{
    BODY(rdma_ucm_disconnect, command);
    struct cm_id *id = find(call, command.id);

    if (!id || (id->state != CM_CONNECTED && id->state != CM_CONNECTING && id->state != CM_ENDED))
        return EINVAL;
    if (id->state == CM_ENDED)
        return 0;
    cm_send(id, CM_DREQ, 0);
    id->state = CM_ENDED;
    cm_raise(id, CM_DISCONNECTED, 0, NULL);
    return 0;
}

/* Returns the attributes for a queue pair of the connection. */
static int init_qp_attr(struct call *call)
{
    BODY(rdma_ucm_init_qp_attr, command);
    const struct cm_id *id = find(call, command.id);
    struct ib_uverbs_qp_attr a = {0};
    const bool is_rc = id && id->qp_type == QPT_RC;

    if (!id || !id->nic || command.qp_state > QPS_RTS)
        return EINVAL;
    a.qp_state = command.qp_state;
    a.port_num = 1;
    switch (command.qp_state) {
    case QPS_INIT:
        a.qp_access_flags = ACCESS_REMOTE_WRITE | ACCESS_REMOTE_READ | ACCESS_REMOTE_ATOMIC;
        a.qkey = UD_QKEY;
        a.qp_attr_mask = 1u | 1u << 4 | 1u << 5 | (is_rc ? 1u << 3 : 1u << 6);
        break;
    case QPS_RTR:
        a.qp_attr_mask = 1u;
        if (!is_rc)
            break;
        a.qp_attr_mask |= 1u << 7 | 1u << 8 | 1u << 12 | 1u << 15 | 1u << 17 | 1u << 20;
        cm_fill_route(id, &a.ah_attr);
        a.path_mtu = 5;
        a.dest_qp_num = id->peer.qp_num;
        a.max_dest_rd_atomic =
            id->is_passive ? id->peer.initiator_depth : id->own.responder_resources;
        break;
    default:
        a.qp_attr_mask = 1u | 1u << 16;
        if (!is_rc)
            break;
        a.qp_attr_mask |= 1u << 9 | 1u << 10 | 1u << 11 | 1u << 13;
        a.timeout = id->ack_timeout ? id->ack_timeout : 14;
        a.retry_cnt = 7;
        a.rnr_retry = (id->is_passive ? id->peer.rnr_retry_count : id->own.rnr_retry_count) & 7;
        a.max_rd_atomic = id->is_passive ? id->peer.responder_resources : id->own.initiator_depth;
        break;
    }
    if (a.max_rd_atomic > 16)
        a.max_rd_atomic = 16;
    if (a.max_dest_rd_atomic > 16)
        a.max_dest_rd_atomic = 16;
    answer(call, command.response, &a, sizeof(a));
    return 0;
}

static int get_event(struct call *call)
{
    BODY(rdma_ucm_get_event, command);
    struct cm_channel *channel = call->channel;
    struct cm_event *event = NULL;
    uint64_t count;

    while (!event) {
        ssize_t got;

        pthread_mutex_unlock(&cm_lock);
        got = real_read(channel->fd, &count, sizeof(count));
        pthread_mutex_lock(&cm_lock);
        if (got < 0)
            return errno;
        event = channel->first;
    }
    channel->first = event->next;
    if (!channel->first)
        channel->last = &channel->first;
    event->id->events++;
    if (event->resp.event != CM_CONNECT_REQUEST)
        event->resp.uid = event->id->uid;
    answer(call, command.response, &event->resp, sizeof(event->resp));
    free(event);
    return 0;
}

static int set_option(struct call *call)
{
    BODY(rdma_ucm_set_option, command);
    struct cm_id *id = find(call, command.id);
    int value = 0;

    if (!id || command.level != RDMA_OPTION_ID)
        return command.level == RDMA_OPTION_IB ? 0 : EINVAL;
    memcpy(&value, (const void *)(uintptr_t)command.optval, least(sizeof(value), command.optlen));
    switch (command.optname) {
    case RDMA_OPTION_ID_TOS:
        return command.optlen == 1 ? 0 : EINVAL;
    case RDMA_OPTION_ID_ACK_TIMEOUT:
        if (command.optlen != 1 || id->qp_type != QPT_RC || value > 31)
            return EINVAL;
        id->ack_timeout = (uint8_t)value;
        return 0;
    case RDMA_OPTION_ID_REUSEADDR:
        id->reuses = value != 0;
        return command.optlen == sizeof(value) ? 0 : EINVAL;
    case RDMA_OPTION_ID_AFONLY:
        return command.optlen == sizeof(value) ? 0 : EINVAL;
    default:
        return ENOSYS;
    }
}

/* Handles a program that saw data before the event of its connection. */
static int notify(struct call *call)
{
    BODY(rdma_ucm_notify, command);
    struct cm_id *id = find(call, command.id);

    if (!id || command.event != EVENT_COMM_EST)
        return EINVAL;
    if (id->is_passive && id->state == CM_CONNECTING) {
        id->state = CM_CONNECTED;
        cm_raise(id, CM_ESTABLISHED, 0, NULL);
    }
    return 0;
}

static int migrate_id(struct call *call)
{
    BODY(rdma_ucm_migrate_id, command);
    struct cm_id *id = table_get(&cm_ids, command.id);
    struct cm_channel *to = fd_kind((int)call->channel->fd) == FD_CM ? call->channel : NULL;
    struct rdma_ucm_migrate_resp resp;

    /* The command arrives at the new channel; `fd` is the old one. */
    if (!id || !to)
        return EINVAL;
    take_events(id, to);
    id->channel = to;
    resp.events_reported = id->events;
    answer(call, command.response, &resp, sizeof(resp));
    return 0;
}

static int (*const commands[])(struct call *call) = {
    [RDMA_USER_CM_CMD_CREATE_ID] = create_id,
    [RDMA_USER_CM_CMD_DESTROY_ID] = destroy_id,
    [RDMA_USER_CM_CMD_BIND_IP] = bind_ip,
    [RDMA_USER_CM_CMD_RESOLVE_IP] = resolve_ip,
    [RDMA_USER_CM_CMD_RESOLVE_ROUTE] = resolve_route,
    [RDMA_USER_CM_CMD_QUERY_ROUTE] = query_route,
    [RDMA_USER_CM_CMD_CONNECT] = connect_id,
    [RDMA_USER_CM_CMD_LISTEN] = listen_id,
    [RDMA_USER_CM_CMD_ACCEPT] = accept_id,
    [RDMA_USER_CM_CMD_REJECT] = reject_id,
    [RDMA_USER_CM_CMD_DISCONNECT] = disconnect_id,
    [RDMA_USER_CM_CMD_INIT_QP_ATTR] = init_qp_attr,
    [RDMA_USER_CM_CMD_GET_EVENT] = get_event,
    [RDMA_USER_CM_CMD_SET_OPTION] = set_option,
    [RDMA_USER_CM_CMD_NOTIFY] = notify,
    [RDMA_USER_CM_CMD_MIGRATE_ID] = migrate_id,
};

static void flush(struct verbs_nic *nic)
{
    nic_lock(nic);
    cm_flush(nic);
    nic_unlock(nic);
    nic_kick(nic);
}

ssize_t cm_write(struct cm_channel *channel, const void *command, size_t bytes)
{
    struct rdma_ucm_cmd_hdr head;
    struct call call = {.channel = channel, .body = (const uint8_t *)command + sizeof(head)};
    int error = EINVAL;

    if (bytes >= sizeof(head)) {
        memcpy(&head, command, sizeof(head));
        call.bytes = bytes - sizeof(head);
        call.room = head.out;
        error = head.cmd < sizeof(commands) / sizeof(commands[0]) && commands[head.cmd]
                    ? 0
                    : EOPNOTSUPP;
    }
    if (!error) {
        pthread_mutex_lock(&cm_lock);
        error = commands[head.cmd](&call);
        pthread_mutex_unlock(&cm_lock);
        if (call.flush && head.cmd != RDMA_USER_CM_CMD_GET_EVENT)
            flush(call.flush);
    }
    if (!error)
        return (ssize_t)bytes;
    say_refused("rdma_cm", bytes >= sizeof(head) ? head.cmd : 0, error);
    errno = error;
    return -1;
}

/* ---- channels */

struct cm_channel *cm_open(int *fd)
{
    struct cm_channel *channel = calloc(1, sizeof(*channel));

    if (!channel)
        return NULL;
    channel->fd = *fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
    if (*fd < 0) {
        free(channel);
        return NULL;
    }
    channel->last = &channel->first;
    return channel;
}

/* A thread may still sleep in the channel, as in one of a kernel: the channel itself stays. */
void cm_close(struct cm_channel *channel)
{
    pthread_mutex_lock(&cm_lock);
    for (uint32_t at = 1; at <= cm_ids.room; at++) {
        struct cm_id *id = table_get(&cm_ids, at);

        if (id && id->channel == channel)
            id_destroy(id);
    }
    pthread_mutex_unlock(&cm_lock);
}
