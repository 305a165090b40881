double a[90], b[90][90];
int f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        j = i;
        while (a[j] > 0) {
            if (a[j] > 5)
                goto out;
            if (a[j] > 4)
                return j;
        out:
            j--;
        }
    }
#pragma endscop
    return 0;
}
