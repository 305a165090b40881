double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    i = 0;
    do {
        a[i] = 0;
    } while (i++ < n);
#pragma endscop
}
