#include <stddef.h>
double a[90], b[90];
void f(unsigned n, unsigned m, size_t l, double *restrict c)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < m; j++) {
            a[i * m + j] = 0;
            b[(size_t) i * m + j] = b[i * (unsigned) l + j];
            b[(size_t) i * m + j] = b[i * m + j];
            c[(size_t) i * m + j] = c[i * j];
        }
#pragma endscop
}
