double a[9];
void f(void)
{
    for (int i = 0; i < 9; i++) {
        a[i] = 1;
#pragma scop
        a[i] = 2;
    }
#pragma endscop
}
