/* Layers of networks by oneDNN, on arrays as C has them. DNN_FORMAT says in which form pictures are
 * while a layer is computed: dnnl_nchw for that of the arrays, dnnl_format_tag_any for what the
 * library likes best, into which and out of which they are copied in each call. */
#include <dnnl.h>
#include <stdlib.h>

static dnnl_engine_t dnn_engine;
static dnnl_stream_t dnn_stream;

static void dnn_must(dnnl_status_t status)
{
    if (status != dnnl_success)
        abort();
}

static void dnn_begin(void)
{
    if (dnn_engine)
        return;
    dnn_must(dnnl_engine_create(&dnn_engine, dnnl_cpu, 0));
    dnn_must(dnnl_stream_create(&dnn_stream, dnn_engine, dnnl_stream_default_flags));
}

static dnnl_memory_desc_t dnn_array(int dimensions, const dnnl_dims_t extents, dnnl_format_tag_t format)
{
    dnnl_memory_desc_t array;
    dnn_must(dnnl_memory_desc_init_by_tag(&array, dimensions, extents, dnnl_f32, format));
    return array;
}

static dnnl_memory_t dnn_memory(const dnnl_memory_desc_t *array, void *at)
{
    dnnl_memory_t memory;
    dnn_must(dnnl_memory_create(&memory, array, dnn_engine, at));
    return memory;
}

static void dnn_run(const_dnnl_primitive_desc_t layer, int count, const dnnl_exec_arg_t *arguments)
{
    dnnl_primitive_t primitive;
    dnn_must(dnnl_primitive_create(&primitive, layer));
    dnn_must(dnnl_primitive_execute(primitive, dnn_stream, count, arguments));
    dnn_must(dnnl_stream_wait(dnn_stream));
    dnn_must(dnnl_primitive_destroy(primitive));
}

static void dnn_copy(dnnl_memory_t from, const dnnl_memory_desc_t *as, dnnl_memory_t to, const dnnl_memory_desc_t *into)
{
    dnnl_primitive_desc_t copy;
    dnn_must(dnnl_reorder_primitive_desc_create(&copy, as, dnn_engine, into, dnn_engine, 0));
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}};
    dnn_run(copy, 2, arguments);
    dnn_must(dnnl_primitive_desc_destroy(copy));
}

/* An array beside the form in which a layer wants it. */
struct dnn_operand {
    dnnl_memory_t plain, memory;
    dnnl_memory_desc_t array, wanted;
};

static struct dnn_operand dnn_operand(const_dnnl_primitive_desc_t layer, dnnl_query_t what, dnnl_memory_desc_t array, void *at)
{
    struct dnn_operand o = {.array = array, .wanted = *dnnl_primitive_desc_query_md(layer, what, 0)};
    o.memory = o.plain = dnn_memory(&array, at);
    if (!dnnl_memory_desc_equal(&o.array, &o.wanted))
        o.memory = dnn_memory(&o.wanted, DNNL_MEMORY_ALLOCATE);
    return o;
}

static void dnn_in(struct dnn_operand *o)
{
    if (o->memory != o->plain)
        dnn_copy(o->plain, &o->array, o->memory, &o->wanted);
}

static void dnn_out(struct dnn_operand *o)
{
    if (o->memory != o->plain)
        dnn_copy(o->memory, &o->wanted, o->plain, &o->array);
}

static void dnn_end(struct dnn_operand *o)
{
    if (o->memory != o->plain)
        dnn_must(dnnl_memory_destroy(o->memory));
    dnn_must(dnnl_memory_destroy(o->plain));
}

/* output = input under 3 x 3 filters + bias, at least 0 where it is rectified. */
static void dnn_convolution(int batch, int from, int to, int rows, int columns, float *output, float *input, float *weight, float *bias, int rectified)
{
    dnnl_dims_t pictures = {batch, from, rows + 2, columns + 2}, results = {batch, to, rows, columns}, filters = {to, from, 3, 3}, features = {to};
    dnnl_dims_t strides = {1, 1}, padding = {0, 0};
    dnn_begin();
    dnnl_memory_desc_t offsets = dnn_array(1, features, dnnl_a), in = dnn_array(4, pictures, DNN_FORMAT), out = dnn_array(4, results, DNN_FORMAT);
    dnnl_memory_desc_t weights = dnn_array(4, filters, dnnl_format_tag_any);
    dnnl_convolution_desc_t description;
    dnn_must(dnnl_convolution_forward_desc_init(&description, dnnl_forward_inference, dnnl_convolution_direct, &in, &weights, &offsets, &out, strides, padding, padding));
    dnnl_primitive_attr_t attributes;
    dnn_must(dnnl_primitive_attr_create(&attributes));
    if (rectified) {
        dnnl_post_ops_t behind;
        dnn_must(dnnl_post_ops_create(&behind));
        dnn_must(dnnl_post_ops_append_eltwise(behind, 1, dnnl_eltwise_relu, 0, 0));
        dnn_must(dnnl_primitive_attr_set_post_ops(attributes, behind));
        dnn_must(dnnl_post_ops_destroy(behind));
    }
    dnnl_primitive_desc_t layer;
    dnn_must(dnnl_primitive_desc_create(&layer, &description, attributes, dnn_engine, 0));
    struct dnn_operand source = dnn_operand(layer, dnnl_query_src_md, dnn_array(4, pictures, dnnl_nchw), input);
    struct dnn_operand filter = dnn_operand(layer, dnnl_query_weights_md, dnn_array(4, filters, dnnl_oihw), weight);
    struct dnn_operand result = dnn_operand(layer, dnnl_query_dst_md, dnn_array(4, results, dnnl_nchw), output);
    dnnl_memory_t added = dnn_memory(&offsets, bias);
    dnn_in(&source);
    dnn_in(&filter);
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, source.memory}, {DNNL_ARG_WEIGHTS, filter.memory}, {DNNL_ARG_BIAS, added}, {DNNL_ARG_DST, result.memory}};
    dnn_run(layer, 4, arguments);
    dnn_out(&result);
    dnn_end(&source);
    dnn_end(&filter);
    dnn_end(&result);
    dnn_must(dnnl_memory_destroy(added));
    dnn_must(dnnl_primitive_desc_destroy(layer));
    dnn_must(dnnl_primitive_attr_destroy(attributes));
}

/* output = the largest of 2 x 2 points of input. */
static void dnn_maximum(int batch, int features, int rows, int columns, float *output, float *input)
{
    dnnl_dims_t pictures = {batch, features, 2 * rows, 2 * columns}, results = {batch, features, rows, columns}, window = {2, 2}, padding = {0, 0};
    dnn_begin();
    dnnl_memory_desc_t in = dnn_array(4, pictures, dnnl_nchw), out = dnn_array(4, results, dnnl_nchw);
    dnnl_pooling_desc_t description;
    dnn_must(dnnl_pooling_forward_desc_init(&description, dnnl_forward_inference, dnnl_pooling_max, &in, &out, window, window, padding, padding));
    dnnl_primitive_desc_t layer;
    dnn_must(dnnl_primitive_desc_create(&layer, &description, 0, dnn_engine, 0));
    dnnl_memory_t source = dnn_memory(&in, input), result = dnn_memory(&out, output);
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, result}};
    dnn_run(layer, 2, arguments);
    dnn_must(dnnl_memory_destroy(source));
    dnn_must(dnnl_memory_destroy(result));
    dnn_must(dnnl_primitive_desc_destroy(layer));
}
