/* SPDX-License-Identifier: Apache-2.0 */
/* The module: functions, constants, types. */
#include "calls_py.h"

static PyObject *module_open(PyObject *module, PyObject *args, PyObject *names)
{
    (void)module;
    return PyObject_Call((PyObject *)&py_device_type, args, names);
}

static PyObject *module_node(PyObject *module, PyObject *args)
{
    unsigned x, y = 0, z = 0;
    const char *text, *end;
    uint16_t node;

    (void)module;
    if (PyTuple_GET_SIZE(args) == 1 && PyUnicode_Check(PyTuple_GET_ITEM(args, 0))) {
        text = PyUnicode_AsUTF8(PyTuple_GET_ITEM(args, 0));
        if (!text)
            return NULL;
        if (tern_node_parse(text, &node, &end) || *end)
            return py_raise(TERN_ST_BAD_ARGUMENT);
        return PyLong_FromLong(node);
    }
    if (!PyArg_ParseTuple(args, "I|II", &x, &y, &z))
        return NULL;
    return PyLong_FromLong(tern_node(x, y, z));
}

static PyObject *module_record(PyObject *module, PyObject *args)
{
    struct tern_table_record record;
    unsigned long long offset, bytes;
    struct py_region *region;
    const void *from;
    Py_buffer key;
    int status;

    (void)module;
    if (!PyArg_ParseTuple(args, "O!KKy*", &py_region_type, &region, &offset, &bytes, &key))
        return NULL;
    from = py_region_there(region) ? py_region_at(region, offset, bytes) : NULL;
    status = from ? tern_table_record_read(from, bytes, key.buf, (size_t)key.len, &record) : 0;
    PyBuffer_Release(&key);
    if (!from || status)
        return from ? py_raise(status) : NULL;
    if (!record.whole)
        return py_raise(TERN_ST_BAD_LENGTH);
    return PyBytes_FromStringAndSize((const char *)record.value, (Py_ssize_t)record.value_bytes);
}

static PyMethodDef functions[] = {
    {"open", (PyCFunction)(void (*)(void))module_open, METH_VARARGS | METH_KEYWORDS,
     "open(uri): opens a NIC, such as \"sim:0\"."},
    {"node", module_node, METH_VARARGS,
     "node(x, y=0, z=0) or node(\"x.y.z\"): coordinates as the NIC packs them."},
    {"record", module_record, METH_VARARGS,
     "record(region, offset, bytes, key): the value in a record that a lookup brought."},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT, .m_name = "tern", .m_size = -1, .m_methods = functions,
    .m_doc = "The host's side of a tern NIC.  docs/python.md explains it."};

/* ---- constants */

struct constant {
    const char *name;
    long value;
};

#define STATUS(name, value, text) {"ST_" #name, value},
#define OPCODE(name) {"OP_" #name, TERN_OP_##name}
#define RIGHT(name) {#name, TERN_RIGHT_##name}
static const struct constant constants[] = {
#include <status.def>
    OPCODE(PUT), OPCODE(READ), OPCODE(SEND), OPCODE(CAS), OPCODE(ADD), OPCODE(TAKE),
    OPCODE(LOOKUP), OPCODE(RECV), OPCODE(ERROR),
    RIGHT(LOCAL_READ), RIGHT(LOCAL_WRITE), RIGHT(REMOTE_READ), RIGHT(REMOTE_WRITE),
    RIGHT(REMOTE_ATOMIC)};

static bool add_constants(PyObject *module)
{
    for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++) {
        if (PyModule_AddIntConstant(module, constants[i].name, constants[i].value))
            return false;
    }
    return true;
}

static bool add_types(PyObject *module)
{
    PyTypeObject *const types[] = {&py_device_type, &py_region_type, &py_pointer_type, &py_cq_type,
                                   &py_sq_type, &py_rq_type, &py_table_type, &py_calls_type,
                                   &py_prepared_type};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (PyModule_AddType(module, types[i]))
            return false;
    }
    return true;
}

PyMODINIT_FUNC PyInit_tern(void);
PyMODINIT_FUNC PyInit_tern(void)
{
    PyObject *module = PyModule_Create(&module_def);

    if (!module)
        return NULL;
    if (py_error_make() && PyModule_AddObjectRef(module, "Error", py_error) == 0 &&
        add_types(module) && py_completion_ready(module) && add_constants(module) &&
        request_names_make())
        return module;
    Py_DECREF(module);
    return NULL;
}
