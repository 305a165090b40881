/* Directions, steps, several bounds, names that clash, loops without braces. */
enum { LAST = 63 };
long a[LAST + 1][64], b[64];
int mod;
void loops(const int n, long m, unsigned u)
{
    int i, j, max;
#pragma scop
    for (i = n - 1; i >= 0; i--)
        for (j = n; j > i; --j)
            a[i][j - 1]++;
    for (i = 3; i < n && i <= m; i += 3) {
        b[i] = i;
        ;
        for (int i = 0; i < LAST; i = i + 1) { { b[i] = n; } }
    }
    for (i = 60; i > 0; i -= 4)
        b[i / 4] += b[i % 4];
    for (i = 0; i != n; i++)
        b[i] = -b[i];
    for (i = 2; i != 62; i += 2)
        b[i] = ~b[i];
    for (unsigned k = u; k > 0; k--)
        b[k - 1] = 1;
    for (max = -5; 2 * max < n; ++max)
        b[max + 5] = 2;
    for (i = 0; n > i; i++)
        b[i] <<= 1;
#pragma endscop
}
