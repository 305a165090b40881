double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop
    for (float t = 0; t < 1; t += 0.1f)
        a[0] += t;
#pragma endscop
}
