/* Directives want their loops where they stand, so these get no iterators of their own. */
double a[90];
int found[90];
void f(int n, int m)
{
    int j;
#pragma scop
#pragma omp parallel for private(j)
    for (int i = 0; i < n; i++) {
        for (j = 0; j < m; j++) {
            if (3 * j > i)
                break;
            a[j] += i;
        }
        found[i] = j;
    }
#pragma endscop
}
