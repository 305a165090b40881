double a[90][90];
void f(int n)
{
    int i, j, *p = &i, rounds = 0;
again:
    a[0][0] = j;
#pragma scop
    for (j = 0; j < n; j += 2)
        for (i = 0; i < n; i++)
            a[i][j] = 0;
#pragma endscop
    a[1][1] = *p;
    if (rounds++ < 3)
        goto again;
}
