/* Calls of functions that read and write through pointers: elements, rows, whole arrays, members. */
#include <math.h>
#include <stdio.h>
#define N 36
struct body { double pos[3], speed; };
static double a[N][N], b[N][N], v[N], whole[N], fraction[N];
static struct body bodies[N];
static const double weights[3] = {0.25, 0.5, 0.25};

static void set(double *x, double value) { *x = value; }
static void bump(double x[1]) { x[0] += 1; }
static void twice(double *x) { bump(x); bump(x); }
static double sum(const double *row, int n)
{
    double s = 0;
    while (n > 0)
        s += row[--n];
    return s;
}
static void smooth(double *out, const double *in, int n)
{
    const double *middle = in + 1;
    for (int i = 0; i < n - 2; i++)
        out[i] = weights[0] * middle[i - 1] + weights[1] * middle[i] + weights[2] * middle[i + 1];
}
static void move(struct body *one, double dt)
{
    for (int k = 0; k < 3; k++)
        one->pos[k] += dt * one->speed;
}
static double norm2(struct body one) { return one.pos[0] * one.pos[0] + one.speed; }
static void clear(double m[N][N], int row)
{
    for (int j = 0; j < N; j++)
        m[row][j] = 0;
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        v[i] = 1 + i % 5;
        bodies[i].speed = i;
        for (int j = 0; j < N; j++)
            a[i][j] = (i * j) % 11;
    }
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            set(&b[i][j], a[j][i] * 0.5);
    for (int i = 0; i < N; i++)
        for (int j = 1; j < N; j++)
            a[i][j] += b[i][j - 1];
    for (int i = 0; i < N; i++)
        v[i] += sum(a[i], N);
    for (int i = 0; i < N; i++)
        smooth(b[i], a[N - 1 - i], N);
    for (int i = 0; i < N; i++)
        twice(v + i);
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < N; i++)
            move(&bodies[i], 0.5);
    for (int i = 0; i < N; i++)
        v[i] += norm2(bodies[i]) + bodies[i].pos[1];
    for (int i = 0; i < N; i++)
        fraction[i] = modf(v[i] / 3, &whole[i]);
    for (int i = 0; i < N; i += 5)
        clear(a, i);
#pragma endscop
    for (int i = 0; i < N; i++) {
        printf("%a %a %a\n", v[i], whole[i], fraction[i]);
        for (int j = 0; j < N; j++)
            printf("%a %a ", a[i][j], b[i][j]);
    }
    return 0;
}
