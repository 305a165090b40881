#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "timers.h"

enum { most = 100000 };

/* Times of nests in the first thread, by their numbers; the first is the program's start. */
static double seconds[most];
static int last;
static __thread int is_first;

double tune_scan_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

void tune_scan_end(struct tune_scan_timer *timer)
{
    if (!is_first || timer->nest >= most)
        return;
    seconds[timer->nest] += tune_scan_now() - timer->start;
    if (timer->nest > last)
        last = timer->nest;
}

static __attribute__((constructor)) void begin(void)
{
    is_first = 1;
    seconds[0] = tune_scan_now();
}

static __attribute__((destructor)) void end(void)
{
    const char *path = getenv("TUNE_SCAN_TIMES");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "0 %.9f\n", tune_scan_now() - seconds[0]);
    for (int k = 1; k <= last; k++)
        fprintf(file, "%d %.9f\n", k, seconds[k]);
    fclose(file);
}
