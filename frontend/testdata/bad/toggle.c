double a[900], *p, *q;
void f(int n)
{
#pragma scop
    for (int i = 0; i < 90; i++) {
        a[i ^ n] = 0;
        a[i | 0x155] = 0;
    }
#pragma endscop
}
