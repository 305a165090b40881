double a[90];
int MAX;
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < MAX; i++)
        a[i] = 0;
#pragma endscop
}
