/* Subscripts and conditions whose values come from calls and from floating-point numbers. */
#include <math.h>
static int clamp(int x, int last) { return x < 0 ? 0 : x > last ? last : x; }
void calls(int n, double scale, const double *restrict in, double *restrict out, int *restrict histogram)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i] = in[clamp(i - 1, n - 1)] + in[(int)(scale * i)];
        if (clamp(2 * i, n) > i)
            histogram[clamp((int)floor(in[i]), 9)] += 1;
    }
#pragma endscop
}
