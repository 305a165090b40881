#pragma scop
double a[9];
#pragma endscop
void f(void)
{
    a[0] = 1;
}
