double a[90], b[90][90];
void f(int n)
{
    int i, j;
    if (n > 80)
        goto again;
#pragma scop
    for (i = 0; i < n; i++)
    {
        for (j = 0; j < n; j++)
            if (b[i][j] > 0)
                goto out;
        a[i] = 0;
    }
    for (i = 0; i < n; i++) {
again:
        a[i] -= 1;
        if (a[i] > 1)
            goto again;
    }
#pragma endscop
out:
    ;
}
