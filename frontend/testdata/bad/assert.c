#include <assert.h>
double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    assert(n > 0);
    for (i = 0; i < n; i++) {
        if (b[i][0] > 0)
            assert(n < 90);
        a[i] = 0;
    }
#pragma endscop
}
