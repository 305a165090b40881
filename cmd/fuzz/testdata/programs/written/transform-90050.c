/* Fails at the stage transform. */
#define ADD(to, what) do { to += what; } while (0)
static const int RADIUS = 3;
static double a[0];
static void kernel(int n, int m, double b[0][0], int *c, float *x, double out[0])
{
    int y = 1;
    int j = m;
    int p = j & 7;
#pragma scop
    switch (c[p]) {
    }
    int l = n;
    ADD(a[0], x[l >= j ? y : RADIUS] + b[0][0]);
#pragma endscop
}
int main(void) {
}
