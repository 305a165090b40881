double a[90], b[90][90];
void f(int n)
{
    int i, j;
#pragma scop

#pragma endscop
}
