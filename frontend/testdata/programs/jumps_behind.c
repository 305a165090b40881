/* Jumps past assignments behind the region: what it leaves is read. */
#include <stdio.h>
int n = 9; double a[9], b[9];
double f(int mode)
{
    double last = 0, s = 0;
    int k;
    switch (mode) {
    case 1:
#pragma scop
        for (int i = 0; i < n; i++) {
            last = a[i];
            b[i] += last * last;
        }
#pragma endscop
        break;
    case 2:
        last = 5;
        break;
    }
    return last + s;
}
double g(int mode)
{
    double last = 0;
    for (int t = 0; t < 3; t++) {
#pragma scop
        for (int i = 0; i < n; i++) {
            last = a[i] + t;
            b[i] += last * last;
        }
#pragma endscop
        if (mode == 1)
            break;
        last = 0;
    }
    return last;
}
double h(int mode)
{
    double last = 0;
#pragma scop
        for (int i = 0; i < n; i++) {
            last = a[i] * 2;
            b[i] += last * last;
        }
#pragma endscop
        if (mode == 1)
            goto out;
        last = 0;
out:
    return last;
}
int main(void) { for (int i = 0; i < 9; i++) a[i] = i + 1; printf("%g %g %g", f(1), g(1), h(1)); for (int i = 0; i < 9; i++) printf(" %g", b[i]); }
