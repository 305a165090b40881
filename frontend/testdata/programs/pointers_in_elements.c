/* Arrays of structs whose elements have pointers to memory of their own. */
#include <stdio.h>

struct node { int count; double *feature; double **table; };
struct net { int n; struct node *layers; };

static void only_read(int n, int m, const struct node *restrict nodes, const double *restrict w, double *restrict out)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = nodes[i].count;
        for (int d = 0; d < m; d++)
            s += nodes[i].feature[d] * w[d];
        out[i] = s;
    }
#pragma endscop
}

static void written(int n, int m, struct node *restrict nodes)
{
    int first = 1;
#pragma scop assume-no-alias
    for (int d = 0; d < m; d++)
        for (int i = 1; i < n; i++)
            nodes[i].feature[d] += nodes[i - 1].feature[d] + nodes[first].feature[d];
    nodes[0].feature[0] = 1;
    nodes->feature[1] += 1;
#pragma endscop
}

static void in_structs(struct net *restrict net, int m)
{
#pragma scop assume-no-alias
    for (int i = 1; i < net->n; i++)
        for (int d = 0; d < m; d++)
            for (int e = 0; e < m; e++)
                net->layers[i].table[d][e] = 0.5 * net->layers[i - 1].table[e][d] + net->layers[i].feature[e];
#pragma endscop
}

int main(void)
{
    static double data[6][4], tables[6][4][4], out[6], w[4] = {1, 2, -1, 0.5};
    double *rows[6][4];
    struct node nodes[6];
    for (int i = 0; i < 6; i++) {
        nodes[i] = (struct node) {i, data[5 - i], rows[i]};
        for (int d = 0; d < 4; d++) {
            data[i][d] = i + 0.5 * d;
            rows[i][d] = tables[i][3 - d];
            for (int e = 0; e < 4; e++)
                tables[i][d][e] = i - d + 2 * e;
        }
    }
    struct net net = {6, nodes};
    only_read(6, 4, nodes, w, out);
    written(6, 4, nodes);
    in_structs(&net, 4);
    for (int i = 0; i < 6; i++) {
        printf("%g:", out[i]);
        for (int d = 0; d < 4; d++) {
            printf(" %g", data[i][d]);
            for (int e = 0; e < 4; e++)
                printf(" %g", tables[i][d][e]);
        }
        printf("\n");
    }
    return 0;
}
