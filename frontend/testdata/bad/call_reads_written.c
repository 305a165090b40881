extern double a[90], b[90], c[90];
static double before(int i)
{
    static int calls;
    return i > 0 ? a[i - 1] : calls;
}
static double weighted(int i) { return i > 0 ? c[i - 1] : 0; }
static double hidden(int i) { return i > 0 ? b[i - 1] : 0; }
double a[90], b[90], c[90];
static double last(int i) { return i > 0 ? a[i - 1] : 0; }
void f(int n, double *out)
{
    double b[90];
#pragma scop
    for (int i = 0; i < n; i++)
        out[i] = before(i) + last(i) + weighted(i);
    for (int i = 0; i < n; i++)
        a[i] = c[i] = hidden(i);
    for (int i = 0; i < n; i++)
        b[i] = hidden(i);
#pragma endscop
}
