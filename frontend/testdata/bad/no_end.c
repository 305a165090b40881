double a[9];
void f(void)
{
#pragma scop
    a[0] = 1;
}
