/* SPDX-License-Identifier: Apache-2.0 */
/* tern.Device. */
#include "tern_py.h"

struct tern_device *py_device_open(struct py_device *device)
{
    if (!device->device)
        (void)py_raise(TERN_ST_DISCONNECTED);
    return device->device;
}

static PyObject *device_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    static char *words[] = {"uri", NULL};
    struct py_device *self;
    const char *uri;
    int status;

    if (!PyArg_ParseTupleAndKeywords(args, names, "s", words, &uri))
        return NULL;
    self = (struct py_device *)(void *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    status = tern_open(uri, &self->device);
    Py_END_ALLOW_THREADS
    if (status) {
        self->device = NULL;
        Py_DECREF(self);
        return py_raise(status);
    }
    return (PyObject *)self;
}

static void close_device(struct py_device *self)
{
    struct tern_device *device = self->device;

    self->device = NULL;
    Py_BEGIN_ALLOW_THREADS
    tern_close(device);
    Py_END_ALLOW_THREADS
}

static void device_dealloc(PyObject *object)
{
    close_device((struct py_device *)(void *)object);
    Py_TYPE(object)->tp_free(object);
}

static PyObject *device_close(PyObject *object, PyObject *unused)
{
    struct py_device *self = (struct py_device *)(void *)object;

    (void)unused;
    if (self->waiting)
        return py_raise(TERN_ST_QUEUE_BUSY);
    close_device(self);
    Py_RETURN_NONE;
}

static PyObject *device_enter(PyObject *self, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(self);
}

static PyObject *device_exit(PyObject *self, PyObject *unused)
{
    return device_close(self, unused);
}

static PyObject *device_info(PyObject *object, PyObject *unused)
{
    struct py_device *self = (struct py_device *)(void *)object;
    struct tern_info info;
    int status;

    (void)unused;
    if (!py_device_open(self))
        return NULL;
    status = tern_query(self->device, &info);
    if (status)
        return py_raise(status);
    return Py_BuildValue("{s:I,s:I,s:i,s:i,s:I,s:I,s:I,s:I,s:I,s:O}", "abi_version",
                         info.abi_version, "fw_version", info.fw_version, "node", (int)info.node,
                         "function", (int)info.function, "regions", info.regions, "queues",
                         info.queues, "max_payload", info.max_payload, "put_bytes_max",
                         info.put_bytes_max, "host_latency", info.host_latency, "modelled",
                         info.modelled ? Py_True : Py_False);
}

static PyObject *device_stats(PyObject *object, PyObject *unused)
{
    struct py_device *self = (struct py_device *)(void *)object;
    uint64_t values[TERN_STAT_COUNT];
    PyObject *dict;
    int status;

    (void)unused;
    if (!py_device_open(self))
        return NULL;
    status = tern_stats(self->device, values);
    if (status)
        return py_raise(status);
    dict = PyDict_New();
    for (unsigned i = 0; dict && i < TERN_STAT_COUNT; i++) {
        PyObject *value = tern_stat_name(i) ? PyLong_FromUnsignedLongLong(values[i]) : NULL;

        if (value && PyDict_SetItemString(dict, tern_stat_name(i), value))
            Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return PyErr_Occurred() ? NULL : dict;
}

static PyObject *device_cycles(PyObject *object, PyObject *unused)
{
    struct py_device *self = (struct py_device *)(void *)object;
    uint64_t cycles;
    int status;

    (void)unused;
    if (!py_device_open(self))
        return NULL;
    status = tern_cycles(self->device, &cycles);
    return status ? py_raise(status) : PyLong_FromUnsignedLongLong(cycles);
}

static PyObject *device_register(PyObject *self, PyObject *args, PyObject *names)
{
    return py_region_register((struct py_device *)(void *)self, args, names);
}

static PyObject *device_cq(PyObject *self, PyObject *args, PyObject *names)
{
    return py_cq_create((struct py_device *)(void *)self, args, names);
}

static PyMethodDef device_methods[] = {
    {"register", (PyCFunction)(void (*)(void))device_register, METH_VARARGS | METH_KEYWORDS,
     "register(memory, rights=LOCAL_READ | REMOTE_WRITE): a Region of any object with a buffer."},
    {"cq", (PyCFunction)(void (*)(void))device_cq, METH_VARARGS | METH_KEYWORDS,
     "cq(log2_entries=8): a completion queue."},
    {"info", device_info, METH_NOARGS, "The identity of the NIC, as a dict."},
    {"stats", device_stats, METH_NOARGS, "All statistics, as a dict."},
    {"cycles", device_cycles, METH_NOARGS, "Clock cycles of the NIC since power-on."},
    {"close", device_close, METH_NOARGS,
     "Closes the NIC with all its objects; QUEUE_BUSY while a thread waits."},
    {"__enter__", device_enter, METH_NOARGS, NULL},
    {"__exit__", device_exit, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

PyTypeObject py_device_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "tern.Device",
    .tp_doc = "A NIC; see tern.open().",
    .tp_basicsize = sizeof(struct py_device),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = device_new,
    .tp_dealloc = device_dealloc,
    .tp_methods = device_methods,
};
