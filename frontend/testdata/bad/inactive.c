double a[9];
void f(void)
{
#ifdef TUNED
#pragma scop
    a[0] = 1;
#pragma endscop
#endif
}
