#include <math.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ADD(a, b) a += b

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return b <= a ? b : a; }
static int least(int a, int b)
{
    if (a < b)
        return a;
    return b;
}
static int later(int a, int b) { return a > b ? b + 1 : a; }

struct pair { double sum, count; };

void reductions(int n, double a[n], double s[1], int k[n], int t, short w, double u, float g, unsigned h[n], int flag, struct pair p)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        u += a[i];
        u = u + a[i];
        u = a[i] * 2 + u - 1;
        u = (a[i] + (u));
        u -= a[i];
        u = u - a[i];
        u *= a[i];
        u = u * a[i] * 2;
        g += a[i];
        t++;
        --t;
        t += k[i];
        w += k[i];
        h[k[i]]--;
        s[0] -= a[i] * a[i];
        *s += a[i];
        t = larger(t, k[i]);
        t = smaller(k[i], t);
        t = least(t, k[i]);
        u = MAX(u, a[i]);
        if (a[i] < u)
            u = a[i];
        if (u < a[i]) {
            u = a[i];
        }
        u = a[i] >= u ? u : a[i];
        u = u >= a[i] ? u : a[i];
        u = fmax(a[i], u);
        u = fmin(u, a[i]);
        ADD(u, a[i]);
        /* none of these is a reduction */
        u = a[i];
        u = a[i] - u;
        u = u / a[i];
        u = 2 * u + a[i];
        u = -u + a[i];
        u += u;
        u += a[i] * u;
        u = u + u;
        t += a[i];
        t = t * a[i];
        t = larger(t, a[i]);
        t = later(t, k[i]);
        flag = flag > t;
        t = u > a[i] ? u : a[i];
        g = g > a[i] ? g : a[i];
        u = u > a[i] ? a[i] : 1;
        u = fmax(u, u);
        u = fmod(u, a[i]);
        if (a[i] < u)
            u = a[i];
        else
            u = 0;
        if (a[i] < u)
            s[0] = a[i];
        if (a[i] > 0)
            u += a[i];
        u += t++;
        p.sum += a[i];
        a[i] += a[i];
        s[i - i] += s[0];
    }
#pragma endscop
}
