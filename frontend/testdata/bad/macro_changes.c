/* A macro that has another form behind the region: what is written out ends with its name there. */
#define BOTH { b[i] += 1; b[i] *= a[i]; }
void f(int n, double *restrict a, double *restrict b)
{
#pragma scop
    for (int i = 0; i < n; i++) BOTH
#pragma endscop
#undef BOTH
#define BOTH(x) x = 3;
    if (n > 2) { BOTH(a[0]) }
}
