/* A macro of two statements whose name is free again behind the function. */
#define SET(x) { x = 1.0; x += i; }
struct pair { double re, im; };
void f(int n, double a[n], struct pair z[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        SET(a[i])
        SET(z[i].re)
    }
#pragma endscop
}
#undef SET
