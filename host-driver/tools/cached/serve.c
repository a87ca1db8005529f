/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets of clients: one request after the other of each, in turns. */
#define _GNU_SOURCE
#include <event2/bufferevent.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cached.h"
#include "tool.h"

enum {
    TURN = 32,             /* requests of a connection before the others have theirs */
    ANSWERS_MAX = 4 << 20, /* bytes that wait for a client that does not read */
    BACKLOG = 1024,
};

struct connection {
    struct cached *cached;
    struct bufferevent *events;
    size_t swallow;
    bool closing, held; /* held: it has to read its answers first */
};

static void end(struct connection *c)
{
    c->cached->figures.connections_now--;
    bufferevent_free(c->events);
    free(c);
}

/* ---- requests */

/* Drops bytes of a value that is not wanted; true: there are more to come. */
static bool swallow(struct connection *c, struct evbuffer *in)
{
    size_t bytes = evbuffer_get_length(in);

    if (bytes > c->swallow)
        bytes = c->swallow;
    evbuffer_drain(in, bytes);
    c->swallow -= bytes;
    return c->swallow != 0;
}

/* Carries out one request; false: there is none that is complete. */
static bool one(struct connection *c, struct evbuffer *in, struct evbuffer *out)
{
    size_t bytes = evbuffer_get_length(in), before = evbuffer_get_length(out);
    const char *at = (const char *)evbuffer_pullup(in, -1);
    struct proto_request request;

    proto_parse(at ? at : "", at ? bytes : 0, c->cached->store.value_max, &request);
    if (request.verb == PROTO_NOTHING)
        return false;
    command_run(c->cached, &request, out);
    evbuffer_drain(in, request.bytes);
    c->swallow = request.swallow;
    c->closing = request.close;
    c->cached->figures.bytes_read += request.bytes;
    c->cached->figures.bytes_written += evbuffer_get_length(out) - before;
    return true;
}

static void hold(struct connection *c, bool held)
{
    c->held = held;
    if (held)
        bufferevent_disable(c->events, EV_READ);
    else
        bufferevent_enable(c->events, EV_READ);
}

static void on_read(struct bufferevent *events, void *arg)
{
    struct connection *c = arg;
    struct evbuffer *in = bufferevent_get_input(events), *out = bufferevent_get_output(events);
    unsigned turn = 0;

    while (turn < TURN && !c->closing && !swallow(c, in) && one(c, in, out)) {
        turn++;
        if (evbuffer_get_length(out) > ANSWERS_MAX) {
            hold(c, true);
            return;
        }
    }
    if (c->closing) {
        bufferevent_disable(events, EV_READ);
        if (evbuffer_get_length(out) == 0)
            end(c);
    } else if (turn == TURN) {
        bufferevent_trigger(events, EV_READ, BEV_TRIG_DEFER_CALLBACKS);
    }
}

/* All answers are written. */
static void on_written(struct bufferevent *events, void *arg)
{
    struct connection *c = arg;

    if (c->closing) {
        end(c);
    } else if (c->held) {
        hold(c, false);
        on_read(events, c);
    }
}

static void on_event(struct bufferevent *events, short what, void *arg)
{
    (void)events;
    if (what & (BEV_EVENT_EOF | BEV_EVENT_ERROR))
        end(arg);
}

/* ---- connections */

static void refuse(struct cached *cached, evutil_socket_t fd)
{
    static const char text[] = "ERROR Too many open connections\r\n";

    cached->figures.refused++;
    (void)!write(fd, text, sizeof(text) - 1);
    (void)evutil_closesocket(fd);
}

static void on_accept(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *address,
                      int bytes, void *arg)
{
    struct cached *cached = arg;
    struct connection *c;

    (void)listener;
    (void)address;
    (void)bytes;
    if (cached->figures.connections_now >= cached->connections_max) {
        refuse(cached, fd);
        return;
    }
    c = calloc(1, sizeof(*c));
    if (c)
        c->events = bufferevent_socket_new(cached->base, fd, BEV_OPT_CLOSE_ON_FREE);
    if (!c || !c->events) {
        refuse(cached, fd);
        free(c);
        return;
    }
    c->cached = cached;
    cached->figures.connections++;
    cached->figures.connections_now++;
    bufferevent_setcb(c->events, on_read, on_written, on_event, c);
    bufferevent_enable(c->events, EV_READ | EV_WRITE);
}

/* Mostly: no file descriptor is free. The open connections continue. */
static void on_accept_error(struct evconnlistener *listener, void *arg)
{
    struct cached *cached = arg;

    (void)listener;
    cached->figures.refused++;
}

static int listen_at(struct cached *cached, const struct sockaddr *address, socklen_t bytes,
                     const char *name)
{
    struct evconnlistener *listener = evconnlistener_new_bind(
        cached->base, on_accept, cached, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_REUSEABLE, BACKLOG,
        address, (int)bytes);

    if (!listener)
        return tool_fail(-TERN_ST_SYSTEM, "cannot listen at %s", name);
    evconnlistener_set_error_cb(listener, on_accept_error);
    return 0;
}

int serve_tcp(struct cached *cached, const char *address, unsigned port)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found;
    char text[8];
    int status;

    snprintf(text, sizeof(text), "%u", port);
    if (getaddrinfo(address, text, &hints, &found))
        return tool_fail(0, "%s is no address", address);
    status = listen_at(cached, found->ai_addr, found->ai_addrlen, address);
    freeaddrinfo(found);
    return status;
}

int serve_unix(struct cached *cached, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (strlen(path) >= sizeof(address.sun_path))
        return tool_fail(-TERN_ST_BAD_SIZE, "cannot listen at %s", path);
    strcpy(address.sun_path, path);
    (void)unlink(path);
    return listen_at(cached, (const struct sockaddr *)&address, sizeof(address), path);
}

/* ---- metrics */

static void on_metrics(struct evhttp_request *request, void *arg)
{
    struct evbuffer *out = evhttp_request_get_output_buffer(request);

    evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type",
                      "text/plain; version=0.0.4");
    stats_metrics(arg, out);
    evhttp_send_reply(request, HTTP_OK, "OK", NULL);
}

int serve_metrics(struct cached *cached, const char *address, unsigned port)
{
    struct evhttp *http = evhttp_new(cached->base);

    if (!http || evhttp_bind_socket(http, address, (uint16_t)port))
        return tool_fail(-TERN_ST_SYSTEM, "cannot serve metrics at port %u", port);
    evhttp_set_allowed_methods(http, EVHTTP_REQ_GET);
    return evhttp_set_cb(http, "/metrics", on_metrics, cached) ? EXIT_BAD : 0;
}
