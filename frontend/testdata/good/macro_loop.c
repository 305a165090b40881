#define LOOP(i, n, body) for (i = 0; i < n; i++) body
double a[90];
void f(int n)
{
    int i, j;
#pragma scop
    LOOP(i, n, a[i] = 0);
#pragma endscop
}
