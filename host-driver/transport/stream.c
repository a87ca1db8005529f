/* SPDX-License-Identifier: Apache-2.0 */
/* The socket of a vfio-user client: see stream.h. */
#define _GNU_SOURCE
#include "stream.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tern_abi.h"

void vfu_stream_fail(struct tern_transport *transport, int status)
{
    int expected = 0;

    if (!atomic_compare_exchange_strong(&transport->state, &expected, status))
        return;
    shutdown(transport->fd, SHUT_RDWR);
    pthread_mutex_lock(&transport->lock);
    pthread_cond_broadcast(&transport->replied);
    pthread_mutex_unlock(&transport->lock);
    if (transport->host.lost)
        transport->host.lost(transport->host.arg);
}

/* Waits until the socket accepts more bytes, or some time has passed. */
static int wait_writable(struct tern_transport *transport)
{
    struct pollfd poll_fd = {.fd = transport->fd, .events = POLLOUT};

    if (transport->host.progress)
        return transport->host.progress(transport->host.progress_arg) ? -TERN_ST_WAIT_EXPIRED : 0;
    poll(&poll_fd, 1, 1000);
    return atomic_load(&transport->state);
}

/* Removes `bytes` from the front of the parts. */
static void advance(struct msghdr *message, size_t bytes)
{
    while (message->msg_iovlen > 0 && bytes >= message->msg_iov->iov_len) {
        bytes -= message->msg_iov->iov_len;
        message->msg_iov++;
        message->msg_iovlen--;
    }
    if (message->msg_iovlen > 0) {
        message->msg_iov->iov_base = (uint8_t *)message->msg_iov->iov_base + bytes;
        message->msg_iov->iov_len -= bytes;
    }
}

/* Sends all parts; the descriptor goes with the first byte. The caller holds send_lock. */
static int send_all(struct tern_transport *transport, struct msghdr *message)
{
    while (message->msg_iovlen > 0) {
        ssize_t sent = sendmsg(transport->fd, message, MSG_NOSIGNAL | MSG_DONTWAIT);
        int status = 0;

        if (sent >= 0) {
            advance(message, (size_t)sent);
            message->msg_control = NULL;
            message->msg_controllen = 0;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            status = wait_writable(transport);
        } else if (errno != EINTR) {
            status = -TERN_ST_DISCONNECTED;
        }
        if (status)
            return status;
    }
    return 0;
}

static int send_message(struct tern_transport *transport, const struct vfu_request *request,
                        uint16_t id, uint32_t flags, uint32_t error)
{
    struct vfu_header header = {
        .id = id,
        .command = request->command,
        .size = (uint32_t)(sizeof(header) + request->body_bytes + request->data_bytes),
        .flags = flags,
        .error = error,
    };
    struct iovec parts[3] = {
        {&header, sizeof(header)},
        {(void *)(uintptr_t)request->body, request->body_bytes},
        {(void *)(uintptr_t)request->data, request->data_bytes},
    };
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 3};
    int status;

    if (request->fd >= 0) {
        control.align.cmsg_len = CMSG_LEN(sizeof(int));
        control.align.cmsg_level = SOL_SOCKET;
        control.align.cmsg_type = SCM_RIGHTS;
        memcpy(CMSG_DATA(&control.align), &request->fd, sizeof(int));
        message.msg_control = &control;
        message.msg_controllen = sizeof(control.bytes);
    }
    status = atomic_load(&transport->state);
    if (!status) {
        pthread_mutex_lock(&transport->send_lock);
        status = send_all(transport, &message);
        pthread_mutex_unlock(&transport->send_lock);
    }
    if (status) /* part of the message may be sent, so the stream is unusable */
        vfu_stream_fail(transport, status);
    return status;
}

int vfu_stream_post(struct tern_transport *transport, const struct vfu_request *request)
{
    uint16_t id;

    pthread_mutex_lock(&transport->lock);
    id = transport->next_id++;
    pthread_mutex_unlock(&transport->lock);
    return send_message(transport, request, id, VFU_FLAG_NO_REPLY, 0);
}

/* Wakes a simulator that sleeps beside writes that were posted. */
static void wake(struct tern_transport *transport)
{
    const struct vfu_request request = {.command = TERN_BELLS_COMMAND, .fd = -1};

    if (vfu_bells_should_wake(&transport->bells))
        vfu_stream_post(transport, &request);
}

/* Lets the simulator free an entry. */
static int wait_entry(struct tern_transport *transport)
{
    const struct timespec pause = {.tv_nsec = 100000};

    if (transport->host.progress)
        return transport->host.progress(transport->host.progress_arg) ? -TERN_ST_WAIT_EXPIRED : 0;
    wake(transport);
    nanosleep(&pause, NULL);
    return atomic_load(&transport->state);
}

int vfu_stream_ring(struct tern_transport *transport, uint32_t offset, const void *data,
                    uint32_t bytes)
{
    int status = atomic_load(&transport->state);

    while (!status && !vfu_bells_post(&transport->bells, offset, data, bytes))
        status = wait_entry(transport);
    return status;
}

static void call_add(struct tern_transport *transport, struct vfu_call *call)
{
    pthread_mutex_lock(&transport->lock);
    call->id = transport->next_id++;
    call->next = transport->calls;
    transport->calls = call;
    pthread_mutex_unlock(&transport->lock);
}

static void call_remove(struct tern_transport *transport, struct vfu_call *call)
{
    struct vfu_call **link;

    pthread_mutex_lock(&transport->lock);
    for (link = &transport->calls; *link; link = &(*link)->next)
        if (*link == call) {
            *link = call->next;
            break;
        }
    pthread_mutex_unlock(&transport->lock);
}

static int wait_threaded(struct tern_transport *transport, struct vfu_call *call)
{
    pthread_mutex_lock(&transport->lock);
    while (!call->done && !atomic_load(&transport->state))
        pthread_cond_wait(&transport->replied, &transport->lock);
    pthread_mutex_unlock(&transport->lock);
    return call->done ? 0 : atomic_load(&transport->state);
}

static int wait_inline(struct tern_transport *transport, struct vfu_call *call)
{
    for (;;) {
        int status = vfu_stream_turn(transport);

        if (call->done)
            return 0;
        if (status)
            return status;
    }
}

int vfu_stream_call(struct tern_transport *transport, const struct vfu_request *request,
                    void *reply, size_t room, size_t *got)
{
    struct vfu_call call = {.reply = reply, .room = room};
    int status;

    call_add(transport, &call);
    status = send_message(transport, request, call.id, 0, 0);
    if (!status)
        status = transport->threaded ? wait_threaded(transport, &call)
                                     : wait_inline(transport, &call);
    call_remove(transport, &call);
    if (status)
        return status;
    if (call.error) {
        errno = (int)call.error;
        return -TERN_ST_SYSTEM;
    }
    if (got)
        *got = call.got;
    return 0;
}

static void take_reply(struct tern_transport *transport, const struct vfu_header *header,
                       const uint8_t *body, size_t bytes)
{
    struct vfu_call *call;

    pthread_mutex_lock(&transport->lock);
    for (call = transport->calls; call && call->id != header->id; call = call->next)
        ;
    if (call) {
        call->got = bytes < call->room ? bytes : call->room;
        if (call->got)
            memcpy(call->reply, body, call->got);
        if (header->flags & VFU_FLAG_ERROR)
            call->error = header->error ? header->error : EIO;
        call->done = true;
        pthread_cond_broadcast(&transport->replied);
    }
    pthread_mutex_unlock(&transport->lock);
}

/* Serves the NIC's read or write of host memory by message. */
static void serve_dma(struct tern_transport *transport, const struct vfu_header *header,
                      uint8_t *body, size_t bytes)
{
    bool write = header->command == VFU_DMA_WRITE;
    struct vfu_request answer = {.command = header->command, .fd = -1};
    struct vfu_dma_access access;
    int error = EINVAL;

    if (bytes >= sizeof(access)) {
        memcpy(&access, body, sizeof(access));
        if (access.count <= VFU_DATA_MAX && (!write || bytes - sizeof(access) >= access.count))
            error = transport->host.access(transport->host.arg, access.addr,
                                           write ? body + sizeof(access) : transport->answer,
                                           access.count, write);
    }
    if (!error) {
        answer.body = &access;
        answer.body_bytes = sizeof(access);
        answer.data = write ? NULL : transport->answer;
        answer.data_bytes = write ? 0 : access.count;
    }
    if (!(header->flags & VFU_FLAG_NO_REPLY))
        send_message(transport, &answer, header->id,
                     VFU_FLAG_REPLY | (error ? VFU_FLAG_ERROR : 0), (uint32_t)error);
}

static void take_message(struct tern_transport *transport, uint8_t *bytes, size_t size)
{
    struct vfu_header header;

    memcpy(&header, bytes, sizeof(header));
    bytes += sizeof(header);
    size -= sizeof(header);
    if (header.flags & VFU_FLAG_REPLY)
        take_reply(transport, &header, bytes, size);
    else if (header.command == VFU_DMA_READ || header.command == VFU_DMA_WRITE)
        serve_dma(transport, &header, bytes, size);
    else
        vfu_stream_fail(transport, -TERN_ST_PROTOCOL);
}

static void take_messages(struct tern_transport *transport)
{
    size_t used = 0;

    for (;;) {
        long size = vfu_message_size(transport->received + used, transport->have - used);

        if (size < 0)
            vfu_stream_fail(transport, -TERN_ST_PROTOCOL);
        if (size <= 0)
            break;
        take_message(transport, transport->received + used, (size_t)size);
        used += (size_t)size;
    }
    transport->have -= used;
    memmove(transport->received, transport->received + used, transport->have);
}

static void pump(struct tern_transport *transport)
{
    while (!atomic_load(&transport->state)) {
        ssize_t got = recv(transport->fd, transport->received + transport->have,
                           sizeof(transport->received) - transport->have, MSG_DONTWAIT);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        if (got <= 0) {
            vfu_stream_fail(transport, -TERN_ST_DISCONNECTED);
            return;
        }
        transport->have += (size_t)got;
        take_messages(transport);
    }
}

/*
 * Recursion: when the socket cannot accept a reply, the wait advances the simulator, which may call
 * this function again.
 */
void vfu_stream_pump(struct tern_transport *transport)
{
    if (transport->pumping)
        return;
    transport->pumping = true;
    pump(transport);
    transport->pumping = false;
}

static void *serve(void *arg)
{
    struct tern_transport *transport = arg;
    struct pollfd fds[2] = {
        {.fd = transport->fd, .events = POLLIN},
        {.fd = transport->wake_fd, .events = POLLIN},
    };

    while (!atomic_load(&transport->state)) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            break;
        if (fds[1].revents)
            break;
        vfu_stream_pump(transport);
    }
    return NULL;
}

static void make_locks(struct tern_transport *transport)
{
    pthread_mutex_init(&transport->send_lock, NULL);
    pthread_mutex_init(&transport->lock, NULL);
    pthread_cond_init(&transport->replied, NULL);
}

int vfu_stream_start(struct tern_transport *transport)
{
    make_locks(transport);
    transport->wake_fd = -1;
    if (transport->host.progress)
        return 0;
    transport->wake_fd = eventfd(0, EFD_CLOEXEC);
    if (transport->wake_fd < 0)
        return -TERN_ST_SYSTEM;
    if (pthread_create(&transport->thread, NULL, serve, transport))
        return -TERN_ST_NO_MEMORY;
    transport->threaded = true;
    return 0;
}

void vfu_stream_stop(struct tern_transport *transport)
{
    if (transport->threaded) {
        eventfd_write(transport->wake_fd, 1);
        pthread_join(transport->thread, NULL);
    }
    if (transport->wake_fd >= 0)
        close(transport->wake_fd);
    close(transport->fd);
    vfu_bells_free(&transport->bells);
    pthread_cond_destroy(&transport->replied);
    pthread_mutex_destroy(&transport->lock);
    pthread_mutex_destroy(&transport->send_lock);
}

int vfu_stream_turn(struct tern_transport *transport)
{
    if (!transport->threaded) {
        vfu_stream_pump(transport);
        if (!atomic_load(&transport->state) &&
            transport->host.progress(transport->host.progress_arg))
            return -TERN_ST_WAIT_EXPIRED;
        vfu_stream_pump(transport);
    } else {
        wake(transport);
    }
    return atomic_load(&transport->state);
}

/* Makes the locks anew in a forked child: a thread of the parent may hold the old ones. */
void vfu_stream_disown(struct tern_transport *transport, int status)
{
    make_locks(transport);
    transport->threaded = false;
    transport->pumping = false;
    transport->bells.base = NULL; /* the memory is not the child's */
    atomic_store(&transport->state, status);
}
