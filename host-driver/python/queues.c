/* SPDX-License-Identifier: Apache-2.0 */
/* tern.CompletionQueue, tern.ReceiveQueue, tern.Completion. */
#include "tern_py.h"

enum { SLICE_MS = 100, POLL_MOST = 64 };

/* ---- use by one thread */

struct tern_cq *py_cq_free(struct py_cq *cq)
{
    if (cq->busy)
        (void)py_raise(TERN_ST_QUEUE_BUSY);
    else if (!cq->owner->device)
        (void)py_raise(TERN_ST_DISCONNECTED);
    else if (!cq->cq)
        (void)py_raise(TERN_ST_BAD_QUEUE);
    else
        return cq->cq;
    return NULL;
}

PyThreadState *py_cq_enter(struct py_cq *cq)
{
    cq->busy = true;
    cq->owner->waiting++;
    return PyEval_SaveThread();
}

void py_cq_leave(struct py_cq *cq, PyThreadState *state)
{
    PyEval_RestoreThread(state);
    cq->owner->waiting--;
    cq->busy = false;
}

/* ---- completions */

static PyStructSequence_Field completion_fields[] = {
    {"status", "tern.ST_*"},
    {"opcode", "of the operation, or that of an arrived message"},
    {"flags", NULL},
    {"index", NULL},
    {"queue", NULL},
    {"node", "source of a message"},
    {"fault", "which side refused: 0 none, 1 origin, 2 target, 3 network"},
    {"length", "bytes moved"},
    {"imm", "immediate data of a message"},
    {"value", "old word of an atomic operation; queue of a message's sender"},
    {"context", "that of the post"},
    {"data", "bytes of a message, else None"},
    {NULL, NULL}};
static PyStructSequence_Desc completion_desc = {
    .name = "tern.Completion", .doc = "The end of an operation, or a message.",
    .fields = completion_fields, .n_in_sequence = 12};
static PyTypeObject *completion_type;

bool py_completion_ready(PyObject *module)
{
    completion_type = PyStructSequence_NewType(&completion_desc);
    return completion_type &&
           PyModule_AddObjectRef(module, "Completion", (PyObject *)completion_type) == 0;
}

/* Copies the bytes of a message, and gives its entry back. */
static PyObject *take_data(struct py_cq *cq, const struct tern_completion *done)
{
    PyObject *data;

    if (!done->data)
        return Py_NewRef(Py_None);
    data = PyBytes_FromStringAndSize(done->data, (Py_ssize_t)done->length);
    for (struct py_rq *rq = cq->receivers; rq; rq = rq->next) {
        if (rq->rq && tern_rq_number(rq->rq) == done->queue)
            (void)tern_rq_release(rq->rq, 1);
    }
    return data;
}

PyObject *py_completion_make(struct py_cq *cq, const struct tern_completion *done)
{
    const uint64_t numbers[] = {(uint64_t)done->status, done->opcode, done->flags, done->index,
                                done->queue, done->node, done->fault, done->length, done->imm,
                                done->value, done->context};
    const unsigned count = sizeof(numbers) / sizeof(numbers[0]);
    PyObject *self = PyStructSequence_New(completion_type);
    PyObject *data = take_data(cq, done);

    if (!self || !data) {
        Py_XDECREF(self);
        Py_XDECREF(data);
        return NULL;
    }
    for (unsigned i = 0; i < count; i++) {
        PyObject *number = PyLong_FromUnsignedLongLong(numbers[i]);

        if (!number) {
            Py_DECREF(data);
            Py_DECREF(self);
            return NULL;
        }
        PyStructSequence_SetItem(self, i, number);
    }
    PyStructSequence_SetItem(self, count, data);
    return self;
}

/* ---- completion queues */

PyObject *py_cq_create(struct py_device *device, PyObject *args, PyObject *names)
{
    static char *words[] = {"log2_entries", NULL};
    struct py_cq *self;
    unsigned log2_entries = 8;
    int status;

    if (!PyArg_ParseTupleAndKeywords(args, names, "|I", words, &log2_entries))
        return NULL;
    if (!py_device_open(device))
        return NULL;
    self = PyObject_New(struct py_cq, &py_cq_type);
    if (!self)
        return NULL;
    Py_INCREF(device);
    self->owner = device;
    self->receivers = NULL;
    self->busy = false;
    status = tern_cq_create(device->device, log2_entries, 0, &self->cq);
    if (status) {
        self->cq = NULL;
        Py_DECREF(self);
        return py_raise(status);
    }
    return (PyObject *)self;
}

static int destroy_cq(struct py_cq *self)
{
    int status = self->cq && self->owner->device ? tern_cq_destroy(self->cq) : 0;

    if (!status)
        self->cq = NULL;
    return status;
}

static PyObject *cq_destroy(PyObject *object, PyObject *unused)
{
    struct py_cq *self = (struct py_cq *)(void *)object;

    (void)unused;
    return py_cq_free(self) ? py_none_or(destroy_cq(self)) : NULL;
}

static void cq_dealloc(PyObject *object)
{
    struct py_cq *self = (struct py_cq *)(void *)object;

    (void)destroy_cq(self);
    Py_DECREF(self->owner);
    PyObject_Free(self);
}

static PyObject *cq_poll(PyObject *object, PyObject *args)
{
    struct py_cq *self = (struct py_cq *)(void *)object;
    struct tern_completion done[POLL_MOST];
    PyThreadState *state;
    PyObject *list;
    int most = POLL_MOST, count;

    if (!PyArg_ParseTuple(args, "|i", &most) || !py_cq_free(self))
        return NULL;
    if (most < 1)
        return py_raise(TERN_ST_BAD_ARGUMENT);
    state = py_cq_enter(self);
    count = tern_cq_poll(self->cq, done, most < POLL_MOST ? most : POLL_MOST);
    py_cq_leave(self, state);
    if (count < 0)
        return py_raise(count);
    list = PyList_New(count);
    for (int i = 0; list && i < count; i++) {
        PyObject *item = py_completion_make(self, &done[i]);

        if (!item)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, item);
    }
    return list;
}

/* Waits in slices, so that a signal such as that of the keyboard is seen. */
static int next_completion(struct py_cq *self, struct tern_completion *done, long timeout_ms)
{
    for (;;) {
        long slice = timeout_ms < 0 || timeout_ms > SLICE_MS ? SLICE_MS : timeout_ms;
        PyThreadState *state = py_cq_enter(self);
        int status = tern_cq_next(self->cq, done, (int)slice);

        py_cq_leave(self, state);
        if (status != -TERN_ST_WAIT_EXPIRED)
            return status;
        if (PyErr_CheckSignals())
            return -TERN_ST_SYSTEM;
        if (timeout_ms >= 0 && (timeout_ms -= slice) <= 0)
            return status;
    }
}

static PyObject *cq_next(PyObject *object, PyObject *args, PyObject *names)
{
    static char *words[] = {"timeout", NULL};
    struct py_cq *self = (struct py_cq *)(void *)object;
    struct tern_completion done;
    PyObject *timeout = Py_None;
    double seconds = -1;
    int status;

    if (!PyArg_ParseTupleAndKeywords(args, names, "|O", words, &timeout))
        return NULL;
    if (timeout != Py_None) {
        seconds = PyFloat_AsDouble(timeout);
        if (PyErr_Occurred())
            return NULL;
        if (!(seconds >= 0 && seconds < 1e9))
            return py_raise(TERN_ST_BAD_ARGUMENT);
    }
    if (!py_cq_free(self))
        return NULL;
    status = next_completion(self, &done, seconds < 0 ? -1 : (long)(seconds * 1000));
    if (PyErr_Occurred())
        return NULL;
    return status ? py_raise(status) : py_completion_make(self, &done);
}

static PyObject *cq_fileno(PyObject *object, PyObject *unused)
{
    struct py_cq *self = (struct py_cq *)(void *)object;

    (void)unused;
    return py_cq_free(self) ? PyLong_FromLong(tern_cq_fd(self->cq)) : NULL;
}

static PyObject *cq_sq(PyObject *self, PyObject *args, PyObject *names)
{
    return py_sq_create((struct py_cq *)(void *)self, args, names);
}

static PyObject *cq_rq(PyObject *self, PyObject *args, PyObject *names)
{
    return py_rq_create((struct py_cq *)(void *)self, args, names);
}

static PyMethodDef cq_methods[] = {
    {"poll", cq_poll, METH_VARARGS, "poll(most=64): a list of up to `most` completions."},
    {"next", (PyCFunction)(void (*)(void))cq_next, METH_VARARGS | METH_KEYWORDS,
     "next(timeout=None): waits for a completion, for that many seconds; WAIT_EXPIRED."},
    {"fileno", cq_fileno, METH_NOARGS, "A descriptor that is readable when completions come."},
    {"sq", (PyCFunction)(void (*)(void))cq_sq, METH_VARARGS | METH_KEYWORDS,
     "sq(log2_entries=6): a send queue that reports here."},
    {"rq", (PyCFunction)(void (*)(void))cq_rq, METH_VARARGS | METH_KEYWORDS,
     "rq(log2_entries=6, log2_bytes=8, number=None): a queue for messages."},
    {"destroy", cq_destroy, METH_NOARGS, "Frees the queue; QUEUE_BUSY while others use it."},
    {NULL, NULL, 0, NULL}};

PyTypeObject py_cq_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "tern.CompletionQueue",
    .tp_doc = "Completions; made by Device.cq().  One thread at a time: QUEUE_BUSY otherwise.",
    .tp_basicsize = sizeof(struct py_cq),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = cq_dealloc,
    .tp_methods = cq_methods,
};

/* ---- receive queues */

PyObject *py_rq_create(struct py_cq *cq, PyObject *args, PyObject *names)
{
    static char *words[] = {"log2_entries", "log2_bytes", "number", NULL};
    unsigned log2_entries = 6, log2_bytes = 8;
    PyObject *number = Py_None;
    unsigned long wanted = TERN_QUEUE_ANY;
    struct py_rq *self;
    int status;

    if (!PyArg_ParseTupleAndKeywords(args, names, "|IIO", words, &log2_entries, &log2_bytes,
                                     &number))
        return NULL;
    if (number != Py_None)
        wanted = PyLong_AsUnsignedLong(number);
    if (PyErr_Occurred() || !py_cq_free(cq))
        return NULL;
    if (wanted > UINT16_MAX)
        return py_raise(TERN_ST_BAD_ARGUMENT);
    self = PyObject_New(struct py_rq, &py_rq_type);
    if (!self)
        return NULL;
    Py_INCREF(cq);
    self->reports = cq;
    self->next = cq->receivers;
    cq->receivers = self;
    status = tern_rq_create(cq->cq, log2_entries, log2_bytes, (uint16_t)wanted, &self->rq);
    if (status) {
        self->rq = NULL;
        Py_DECREF(self);
        return py_raise(status);
    }
    return (PyObject *)self;
}

static PyObject *rq_destroy(PyObject *object, PyObject *unused)
{
    struct py_rq *self = (struct py_rq *)(void *)object;
    int status = 0;

    (void)unused;
    if (!py_cq_free(self->reports))
        return NULL;
    if (self->rq)
        status = tern_rq_destroy(self->rq);
    if (!status)
        self->rq = NULL;
    return py_none_or(status);
}

static void rq_dealloc(PyObject *object)
{
    struct py_rq *self = (struct py_rq *)(void *)object;
    struct py_rq **link = &self->reports->receivers;

    while (*link != self)
        link = &(*link)->next;
    *link = self->next;
    if (self->rq && self->reports->owner->device)
        (void)tern_rq_destroy(self->rq);
    Py_DECREF(self->reports);
    PyObject_Free(self);
}

static PyObject *rq_number(PyObject *object, void *unused)
{
    struct py_rq *self = (struct py_rq *)(void *)object;

    (void)unused;
    if (!py_cq_free(self->reports))
        return NULL;
    return self->rq ? PyLong_FromLong(tern_rq_number(self->rq)) : py_raise(TERN_ST_BAD_QUEUE);
}

static PyMethodDef rq_methods[] = {
    {"destroy", rq_destroy, METH_NOARGS, "Frees the queue; its messages are lost."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef rq_fields[] = {
    {"number", rq_number, NULL, "the number that senders name", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

PyTypeObject py_rq_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "tern.ReceiveQueue",
    .tp_doc = "A queue for messages, which are completions; made by CompletionQueue.rq().",
    .tp_basicsize = sizeof(struct py_rq),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = rq_dealloc,
    .tp_methods = rq_methods,
    .tp_getset = rq_fields,
};
