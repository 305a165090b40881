double a[90], b[90][90];
void f(int n)
{
    int i, j;
    for (j = 0; j < n; j++) {
#pragma scop
        for (i = 0; i < n; i++)
            a[i] = b[j][i];
        if (a[0] > 0)
            break;
        switch (n) {
        case 1:
            a[0] = 1;
            break;
        case 2:
            continue;
        }
#pragma endscop
    }
    switch (n) {
    case 5:
#pragma scop
        for (i = 0; i < n; i++)
            a[i] = 0;
    case 6:
        a[1] = 0;
#pragma endscop
    }
}
