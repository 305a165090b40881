/*
 * Buffers as code that Halide has generated takes them: BUFFER(name, data, code, bits, extents…), the
 * outermost extent first, of elements that lie side by side.
 */
#include <HalideRuntime.h>

static halide_buffer_t buffer_of(void *data, halide_type_code_t code, int bits, halide_dimension_t *dimensions,
                                 const int *extents, int count)
{
    halide_buffer_t buffer = { .host = data, .type = { (unsigned char)code, (unsigned char)bits, 1 }, .dimensions = count, .dim = dimensions };
    int stride = 1;

    for (int d = 0; d < count; d++) {
        dimensions[d] = (halide_dimension_t){ 0, extents[count - 1 - d], stride, 0 };
        stride *= extents[count - 1 - d];
    }
    return buffer;
}

#define BUFFER(name, data, code, bits, ...)                                                              \
    halide_dimension_t name##_dimensions[8];                                                             \
    halide_buffer_t name = buffer_of(data, halide_type_##code, bits, name##_dimensions, (int[]){ __VA_ARGS__ }, \
                                     (int)(sizeof((int[]){ __VA_ARGS__ }) / sizeof(int)))
