double a[9];
void f(void)
{
#pragma scop
    for (int i = 0; i < 9; i++
        a[i] = 1;
#pragma endscop
}
