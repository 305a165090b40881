double a[9];
void f(void)
{
#pragma scop
    for (int i = 0; i < 9; i++)
#pragma endscop
        a[i] = 1;
}
