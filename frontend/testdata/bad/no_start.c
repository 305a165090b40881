double a[9];
void f(void)
{
    a[0] = 1;
#pragma endscop
}
