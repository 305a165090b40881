double a[90], b[90][90];
void f(int n, int lda)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            a[i * lda + j * n] = 0;
#pragma endscop
}
