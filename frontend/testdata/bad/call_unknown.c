double a[90];
long random(void);
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        a[i] = random();
#pragma endscop
}
