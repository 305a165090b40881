/*
 * In front of all of Tiramisu's files. Its list of instruction sets ends with SSE41 and AVX; here it has
 * what the processor has, as -march=native says, so that both sides may use the same.
 */
#include <Halide.h>
#include <cstdlib>

#ifdef __AVX512F__
#define SSE41 SSE41, Halide::Target::AVX2, Halide::Target::FMA, Halide::Target::F16C, Halide::Target::AVX512, Halide::Target::AVX512_Skylake
#elif defined __AVX2__
#define SSE41 SSE41, Halide::Target::AVX2, Halide::Target::FMA, Halide::Target::F16C
#endif

/* The size that a generator makes its program for. */
static inline int size_of(const char *name)
{
    const char *value = std::getenv(name);
    return value ? std::atoi(value) : 0;
}
