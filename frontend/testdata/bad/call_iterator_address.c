static void set(int *x) { *x = 0; }
double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        set(&i);
#pragma endscop
}
