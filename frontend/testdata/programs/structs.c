/* Members of structs: arrays of structs, structs of arrays, nested ones, pointers to structs, whole structs, unions. */
#include <stdio.h>
#define N 40
struct point { double x, y; };
struct particle { struct point pos, vel; float mass; int tag; };
struct mesh { int n; double u[N][N], f[N][N]; double *extra; };
struct cell { union { double d; long l; } value; double weights[4]; };
static struct particle p[N], q[N];
static struct mesh m, *const global = &m;
static struct cell cells[N];
static double extra[N];

static void relax(struct mesh *s, double w)
{
#pragma scop
    for (int t = 0; t < 3; t++)
        for (int i = 1; i < s->n - 1; i++)
            for (int j = 1; j < s->n - 1; j++)
                s->u[i][j] = w * (s->u[i - 1][j] + s->u[i][j - 1] + s->u[i + 1][j] + s->u[i][j + 1]) + s->f[i][j];
    for (int i = 0; i < s->n; i++)
        s->extra[i] += s->u[i][i] * (*s).f[i][0];
#pragma endscop
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        p[i].pos.x = i * 0.5; p[i].pos.y = -i; p[i].vel.x = 0.25 * (i % 5); p[i].vel.y = 1; p[i].mass = 1.5f; p[i].tag = i % 3;
        cells[i].value.d = i; extra[i] = 1;
        for (int j = 0; j < 4; j++) cells[i].weights[j] = i + j;
        for (int j = 0; j < N; j++) { m.u[i][j] = i * j % 7; m.f[i][j] = (i + 2 * j) % 5; }
    }
    m.n = N;
    m.extra = extra;
#pragma scop
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < N; i++) {
            p[i].vel.y -= 0.5 * p[i].mass;
            p[i].pos.x += p[i].vel.x;
            p[i].pos.y += p[i].vel.y;
            (p + i)->tag++;
        }
#pragma endscop
#pragma scop
    for (int i = 0; i < N; i++)
        q[i] = p[N - 1 - i];
    for (int i = 1; i < N; i++)
        q[i].pos = q[i - 1].vel;
#pragma endscop
#pragma scop
    for (int i = 0; i < N; i++) {
        cells[i].value.l = cells[i].value.l / 2 + q[i].tag;
        for (int k = 0; k < 4; k++)
            cells[i].weights[k] += cells[i].weights[(k + 1) % 4];
    }
    for (int i = 0; i < N; i++) {
        struct point mean = p[i].pos;
        mean.x = (mean.x + q[i].pos.x) / 2;
        q[i].vel.x = mean.x;
    }
#pragma endscop
    relax(global, 0.2);
    for (int i = 0; i < N; i++) {
        printf("%a %a %a %d\n", p[i].pos.x, p[i].pos.y, p[i].vel.y, p[i].tag);
        printf("%a %a %a %a\n", q[i].pos.x, q[i].pos.y, q[i].vel.x, cells[i].value.d);
        printf("%a %a %a\n", m.u[i][N - i - 1], m.u[i][i], extra[i]);
        printf("%a %a\n", cells[i].weights[0], cells[i].weights[3]);
    }
    return 0;
}
