/* SPDX-License-Identifier: Apache-2.0 */
/* tern.Region: registered memory; tern.Pointer: names a place in it for all nodes. */
#include "tern_py.h"

/* ---- pointers */

PyObject *py_pointer_make(struct tern_rptr pointer)
{
    struct py_pointer *self = PyObject_New(struct py_pointer, &py_pointer_type);

    if (self)
        self->pointer = pointer;
    return (PyObject *)self;
}

static PyObject *pointer_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    struct tern_rptr pointer;
    PyObject *from;

    (void)type;
    if ((names && PyDict_GET_SIZE(names)) || !PyArg_ParseTuple(args, "O", &from))
        return PyErr_Occurred() ? NULL : py_raise(TERN_ST_BAD_ARGUMENT);
    if (PyUnicode_Check(from)) {
        const char *text = PyUnicode_AsUTF8(from), *end;

        if (!text)
            return NULL;
        if (tern_rptr_parse(text, &pointer, &end) || *end)
            return py_raise(TERN_ST_BAD_ARGUMENT);
        return py_pointer_make(pointer);
    }
    if (!PyBytes_Check(from) || PyBytes_GET_SIZE(from) != sizeof(pointer))
        return py_raise(TERN_ST_BAD_ARGUMENT);
    memcpy(&pointer, PyBytes_AS_STRING(from), sizeof(pointer));
    return py_pointer_make(pointer);
}

static struct tern_rptr of(PyObject *self)
{
    return ((const struct py_pointer *)(void *)self)->pointer;
}

static PyObject *pointer_str(PyObject *self)
{
    char text[TERN_RPTR_TEXT];

    return PyUnicode_FromString(tern_rptr_format(of(self), text));
}

static PyObject *pointer_bytes(PyObject *self, PyObject *unused)
{
    struct tern_rptr pointer = of(self);

    (void)unused;
    return PyBytes_FromStringAndSize((const char *)&pointer, sizeof(pointer));
}

static PyObject *pointer_add(PyObject *left, PyObject *right)
{
    uint64_t bytes;

    if (!Py_IS_TYPE(left, &py_pointer_type) || !PyLong_Check(right))
        Py_RETURN_NOTIMPLEMENTED;
    if (!py_u64(right, &bytes))
        return NULL;
    return py_pointer_make(tern_rptr_add(of(left), bytes));
}

static Py_hash_t pointer_hash(PyObject *self)
{
    struct tern_rptr p = of(self);
    uint64_t sum = ((uint64_t)p.w[0] << 32 | p.w[1]) * UINT64_C(0x9e3779b97f4a7c15);

    sum = (sum ^ ((uint64_t)p.w[2] << 32 | p.w[3])) * UINT64_C(0x9e3779b97f4a7c15);
    return (Py_hash_t)(sum >> 1);
}

static PyObject *pointer_compare(PyObject *left, PyObject *right, int how)
{
    struct tern_rptr a, b;
    bool equal;

    if (!Py_IS_TYPE(right, &py_pointer_type) || (how != Py_EQ && how != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    a = of(left);
    b = of(right);
    equal = memcmp(&a, &b, sizeof(a)) == 0;
    return PyBool_FromLong(equal == (how == Py_EQ));
}

static PyObject *pointer_node(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(tern_rptr_node(of(self)));
}

static PyMethodDef pointer_methods[] = {
    {"__bytes__", pointer_bytes, METH_NOARGS, "The 16 bytes in their canonical form."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef pointer_fields[] = {
    {"node", pointer_node, NULL, "the node, packed as by tern.node()", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyNumberMethods pointer_numbers = {.nb_add = pointer_add};

PyTypeObject py_pointer_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "tern.Pointer",
    .tp_doc = "Pointer(text or 16 bytes): names a place in registered memory of any node.\n"
              "pointer + n points n bytes further.",
    .tp_basicsize = sizeof(struct py_pointer),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = pointer_new,
    .tp_str = pointer_str,
    .tp_hash = pointer_hash,
    .tp_richcompare = pointer_compare,
    .tp_methods = pointer_methods,
    .tp_getset = pointer_fields,
    .tp_as_number = &pointer_numbers,
};

/* ---- regions */

unsigned py_releases;

PyObject *py_region_register(struct py_device *device, PyObject *args, PyObject *names)
{
    static char *words[] = {"memory", "rights", NULL};
    const unsigned writes = TERN_RIGHT_LOCAL_WRITE | TERN_RIGHT_REMOTE_WRITE |
                            TERN_RIGHT_REMOTE_ATOMIC;
    struct py_region *self;
    unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE;
    PyObject *memory;
    int status;

    if (!PyArg_ParseTupleAndKeywords(args, names, "O|I", words, &memory, &rights))
        return NULL;
    if (!py_device_open(device))
        return NULL;
    self = PyObject_New(struct py_region, &py_region_type);
    if (!self)
        return NULL;
    self->owner = NULL;
    self->region = NULL;
    if (PyObject_GetBuffer(memory, &self->memory, rights & writes ? PyBUF_WRITABLE
                                                                  : PyBUF_SIMPLE)) {
        self->memory.obj = NULL;
        Py_DECREF(self);
        return NULL;
    }
    status = tern_register(device->device, self->memory.buf, (size_t)self->memory.len, rights,
                           &self->region);
    if (status) {
        self->region = NULL;
        Py_DECREF(self);
        return py_raise(status);
    }
    Py_INCREF(device);
    self->owner = device;
    return (PyObject *)self;
}

bool py_region_there(const struct py_region *region)
{
    if (region->region && region->owner->device)
        return true;
    (void)py_raise(region->owner->device ? TERN_ST_STALE_POINTER : TERN_ST_DISCONNECTED);
    return false;
}

void *py_region_at(const struct py_region *region, uint64_t offset, uint64_t bytes)
{
    uint64_t all = (uint64_t)region->memory.len;

    if (offset > all || bytes > all - offset) {
        (void)py_raise(TERN_ST_BAD_RANGE);
        return NULL;
    }
    return (uint8_t *)region->memory.buf + offset;
}

static int release(struct py_region *self)
{
    int status = 0;

    if (self->region && self->owner->device)
        status = tern_release(self->region);
    if (status)
        return status;
    if (self->region)
        py_releases++;
    self->region = NULL;
    if (self->memory.obj)
        PyBuffer_Release(&self->memory);
    return 0;
}

static PyObject *region_release(PyObject *self, PyObject *unused)
{
    (void)unused;
    return py_none_or(release((struct py_region *)(void *)self));
}

/* Memory that the NIC may still use is not given back. */
static void region_dealloc(PyObject *object)
{
    struct py_region *self = (struct py_region *)(void *)object;

    if (self->owner) {
        (void)release(self);
        Py_DECREF(self->owner);
    } else if (self->memory.obj) {
        PyBuffer_Release(&self->memory);
    }
    PyObject_Free(self);
}

static PyObject *region_pointer(PyObject *object, PyObject *args)
{
    const struct py_region *self = (const struct py_region *)(void *)object;
    unsigned long long offset = 0;

    if (!PyArg_ParseTuple(args, "|K", &offset) || !py_region_there(self))
        return NULL;
    return py_pointer_make(tern_region_pointer(self->region, offset));
}

static PyObject *region_key(PyObject *object, void *unused)
{
    const struct py_region *self = (const struct py_region *)(void *)object;

    (void)unused;
    return py_region_there(self) ? PyLong_FromUnsignedLong(tern_region_key(self->region)) : NULL;
}

static PyObject *region_memory(PyObject *object, void *unused)
{
    const struct py_region *self = (const struct py_region *)(void *)object;

    (void)unused;
    return py_region_there(self) ? PyMemoryView_FromObject(self->memory.obj) : NULL;
}

static Py_ssize_t region_length(PyObject *object)
{
    return ((const struct py_region *)(void *)object)->memory.len;
}

static PyMethodDef region_methods[] = {
    {"pointer", region_pointer, METH_VARARGS, "pointer(offset=0): a Pointer for other nodes."},
    {"release", region_release, METH_NOARGS,
     "Ends all access of the NIC, and gives the memory back."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef region_fields[] = {
    {"key", region_key, NULL, "the key of the region", NULL},
    {"memory", region_memory, NULL, "a memoryview of the memory", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PySequenceMethods region_sequence = {.sq_length = region_length};

PyTypeObject py_region_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "tern.Region",
    .tp_doc = "Memory that the NIC may access; made by Device.register().",
    .tp_basicsize = sizeof(struct py_region),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = region_dealloc,
    .tp_methods = region_methods,
    .tp_getset = region_fields,
    .tp_as_sequence = &region_sequence,
};
