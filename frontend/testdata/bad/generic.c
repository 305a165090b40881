static double f32(_Float32 x) { return x; }
static double other(double x) { return x + 1; }
void f(int n, float a[n], float b[n], __float128 q[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        a[i] = _Generic(b[i], _Float32: f32, default: other)(b[i]);
        __auto_type t = q[i] * 1.0L;
        a[i] += t;
    }
#pragma endscop
}
