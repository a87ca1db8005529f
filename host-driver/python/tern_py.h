/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The module `tern` for CPython: objects around those of libtern.
 *
 * Each object refers to the one that it was made from, so a device outlives its queues.  An object
 * whose C part is gone (released, destroyed, or closed with its device) has a null pointer and
 * raises the status of its kind.
 */
#ifndef TERN_PY_H
#define TERN_PY_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <tern/call.h>
#include <tern/read.h>
#include <tern/table.h>

/* ---- objects */

struct py_device {
    PyObject_HEAD
    struct tern_device *device; /* NULL: closed */
    unsigned waiting;           /* threads that are inside the library without the lock */
};

struct py_region {
    PyObject_HEAD
    struct py_device *owner;
    struct tern_region *region; /* NULL: released; looked at together with the device */
    Py_buffer memory;
};

struct py_pointer {
    PyObject_HEAD
    struct tern_rptr pointer;
};

struct py_cq {
    PyObject_HEAD
    struct py_device *owner;
    struct tern_cq *cq;
    struct py_rq *receivers; /* give entries back when their messages were copied */
    bool busy;               /* a thread is inside the library with it */
};

struct py_sq {
    PyObject_HEAD
    struct py_cq *reports;
    struct tern_sq *sq;
};

struct py_rq {
    PyObject_HEAD
    struct py_cq *reports;
    struct tern_rq *rq;
    struct py_rq *next;
};

extern PyTypeObject py_device_type, py_region_type, py_pointer_type, py_cq_type, py_sq_type,
    py_rq_type, py_table_type, py_calls_type, py_prepared_type;

/* Counts releases of regions, for tables that name regions. */
extern unsigned py_releases;

/* ---- errors */

/* The exception tern.Error; made when the module is loaded. */
extern PyObject *py_error;

/* Makes the exception; false with an error set. */
bool py_error_make(void);

/* Raises tern.Error of a status, negated or not.  Returns NULL. */
PyObject *py_raise(int status);

/* Raises with the number of the request that was refused. */
PyObject *py_raise_request(int status, Py_ssize_t request);

/* None, or raises a negated status. */
PyObject *py_none_or(int status);

/* ---- what is there: NULL or false with an error set */

struct tern_device *py_device_open(struct py_device *device);
bool py_region_there(const struct py_region *region);
struct tern_sq *py_sq_free(struct py_sq *sq);   /* no other thread is using its queues */
struct tern_cq *py_cq_free(struct py_cq *cq);

/* Begins and ends a call without the lock: the queue is in use by this thread. */
PyThreadState *py_cq_enter(struct py_cq *cq);
void py_cq_leave(struct py_cq *cq, PyThreadState *state);

/* ---- conversions */

PyObject *py_pointer_make(struct tern_rptr pointer);

/* The address of `bytes` at `offset` in a region; NULL with BAD_RANGE raised. */
void *py_region_at(const struct py_region *region, uint64_t offset, uint64_t bytes);

/* An integer from -2^63 to 2^64-1 modulo 2^64; false with an error set. */
bool py_u64(PyObject *number, uint64_t *value);

/* TERN_DFLAG_* of the usual arguments. */
unsigned py_flags(int signal, int fence);

/* ---- completions */

/* Makes the type tern.Completion; false with an error set. */
bool py_completion_ready(PyObject *module);

PyObject *py_completion_make(struct py_cq *cq, const struct tern_completion *done);

/* ---- makers, called by methods of the object that owns */

PyObject *py_region_register(struct py_device *device, PyObject *args, PyObject *names);
PyObject *py_cq_create(struct py_device *device, PyObject *args, PyObject *names);
PyObject *py_sq_create(struct py_cq *cq, PyObject *args, PyObject *names);
PyObject *py_rq_create(struct py_cq *cq, PyObject *args, PyObject *names);

#endif
