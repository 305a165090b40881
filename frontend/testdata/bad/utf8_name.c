double a[90];
int größe;
void f(int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < größe; i++)
        a[i] = 0;
#pragma endscop
}
