/* Macros that name iterators: statements declare these with their values. */
#define HERE a[i]
#define BESIDE(d) b[i][j + (d)]
#define SUM(k) (BESIDE(k) + BESIDE(-1) + c[k])
double a[90], b[90][92], c[90];
void f(int n)
{
    int i;
    long j;
#pragma scop
    for (i = 0; i < n; i++)
        HERE = 0;
    for (i = 0; i < n; i++)
        for (j = 1; j < n; j++) {
            double v = SUM(1) * i;
            HERE += v;
            BESIDE(0) = v + HERE;
        }
#pragma endscop
}
