/* Functions that are declared nowhere are known for integers only, and by their names. */
double a[90];
void f(int n, long m)
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = max(a[i], 0.5);
    for (int i = 0; i < min(m, 9); i++)
        a[i] = 0;
    for (int i = 0; i < least(n, 9); i++)
        a[i] = 0;
#pragma endscop
}
