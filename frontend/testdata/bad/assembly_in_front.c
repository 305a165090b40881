double a[90];
void f(int n)
{
    int step = 3;
    __asm__("" : "+r"(step));
#pragma scop
    if (n > 3) for (int i = 0; i < n << step; i++)
        a[i] = 1;
#pragma endscop
}
