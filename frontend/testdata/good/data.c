/* What depends on data is over-approximated: conditions, subscripts, members of structs. */
#include <math.h>
struct point { double x, y; };
static double square(double v) { double w = v * v; return w; }
int count;
void data(int n, const int *restrict index, double *restrict v, struct point p[n])
{
    double sum = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        double t = square(v[i]) + sqrt(*v), s = 1.0;
        if (v[i] > 0.0 && count < 3) {
            v[index[i]] += t;
            count++;
        }
        p[i].x = t > 1 ? s : v[index[i]];
        *(v + i) = p[i].y;
        sum += t;
    }
#pragma endscop
    v[0] = sum;
}
