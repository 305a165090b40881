/*
 * Buffers as code that Halide has generated takes them: BUFFER(name, data, code, bits, extents…), the
 * outermost extent first, of elements that lie side by side. That code may read whole vectors from
 * where they begin: what begins elsewhere, as arrays do in checks, is copied, and buffers_back copies
 * it back.
 */
#include <HalideRuntime.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFERS = 16, BOUNDARY = 64 };

static struct {
    void *data, *copy;
    size_t bytes;
} buffers_moved[BUFFERS];
static int buffers_count;

static halide_buffer_t buffer_of(void *data, halide_type_code_t code, int bits, halide_dimension_t *dimensions,
                                 const int *extents, int count)
{
    halide_buffer_t buffer = { .host = data, .type = { (unsigned char)code, (unsigned char)bits, 1 }, .dimensions = count, .dim = dimensions };
    size_t bytes = (size_t)bits / 8;
    int stride = 1;

    for (int d = 0; d < count; d++) {
        dimensions[d] = (halide_dimension_t){ 0, extents[count - 1 - d], stride, 0 };
        stride *= extents[count - 1 - d];
        bytes *= (size_t)extents[count - 1 - d];
    }
    if ((uintptr_t)data % BOUNDARY != 0) {
        void *copy = aligned_alloc(BOUNDARY, (bytes / BOUNDARY + 1) * BOUNDARY);

        if (!copy || buffers_count == BUFFERS)
            abort();
        memcpy(copy, data, bytes);
        buffers_moved[buffers_count].data = data;
        buffers_moved[buffers_count].copy = copy;
        buffers_moved[buffers_count++].bytes = bytes;
        buffer.host = copy;
    }
    return buffer;
}

static void buffers_back(void)
{
    while (buffers_count > 0) {
        buffers_count--;
        memcpy(buffers_moved[buffers_count].data, buffers_moved[buffers_count].copy, buffers_moved[buffers_count].bytes);
        free(buffers_moved[buffers_count].copy);
    }
}

#define BUFFER(name, data, code, bits, ...)                                                        \
    halide_dimension_t name##_dimensions[8];                                                       \
    halide_buffer_t name = buffer_of(data, halide_type_##code, bits, name##_dimensions,            \
                                     (int[]){ __VA_ARGS__ }, (int)(sizeof((int[]){ __VA_ARGS__ }) / sizeof(int)))
