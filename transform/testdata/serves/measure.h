// What the programs here have in common when they are compiled with -DMAIN: memory, and the processor
// time of the fastest of some calls, on one thread what a clock shows on a machine with nothing else
// to do.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

// doubles has n values from 0.1 to 1.1, and floats, too.
static void *doubles(long n) {
  double *p = aligned_alloc(64, (n * sizeof *p + 63) / 64 * 64);
  for (long i = 0; i < n; i++)
    p[i] = 0.1 + (i * 7919 % 1009) / 1009.0;
  return p;
}

static void *floats(long n) {
  float *p = aligned_alloc(64, (n * sizeof *p + 63) / 64 * 64);
  for (long i = 0; i < n; i++)
    p[i] = 0.1f + (i * 7919 % 1009) / 1009.0f;
  return p;
}

// bits has n bytes, a third of them 1.
static void *bits(long n) {
  unsigned char *p = aligned_alloc(64, (n + 63) / 64 * 64);
  for (long i = 0; i < n; i++)
    p[i] = i * 7919 % 1009 % 3 == 0;
  return p;
}

// MEASURE prints the milliseconds of the fastest of some calls on a copy of the data at p, of that
// many bytes, and the sum of the elements that the last one has left there.
#define MEASURE(p, type, count, call)                                                              \
  do {                                                                                             \
    size_t bytes_ = (size_t)(count) * sizeof(type);                                                \
    void *before_ = malloc(bytes_);                                                                \
    memcpy(before_, p, bytes_);                                                                    \
    double best_ = 1e9, sum_ = 0, begin_ = now();                                                  \
    for (int k_ = 0; k_ < 3 || k_ < 200 && now() - begin_ < 0.3; k_++) {                           \
      memcpy(p, before_, bytes_);                                                                  \
      double time_ = now();                                                                        \
      call;                                                                                        \
      time_ = now() - time_;                                                                       \
      best_ = time_ < best_ ? time_ : best_;                                                       \
    }                                                                                              \
    for (long k_ = 0; k_ < (long)(count); k_++)                                                    \
      sum_ += ((type *)(void *)p)[k_];                                                             \
    printf("%.4f %.9g\n", 1e3 * best_, sum_);                                                      \
  } while (0)
