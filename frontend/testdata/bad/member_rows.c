struct grid { int n; double *u; };
void f(struct grid *g, int m)
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            g->u[i * m + j] *= 2;
#pragma endscop
}
