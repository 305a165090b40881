/* Functions of the file that take pointers to rows: what they do with the elements counts. */
#include <stdio.h>
#include <stdlib.h>

static double distance(const double *a, const double *b, int m)
{
    double sum = 0;
    for (int k = 0; k < m; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

static int nearest(const double *point, double **centres, int count, int m)
{
    int best = 0;
    for (int c = 1; c < count; c++) {
        double *row = centres[c];
        if (distance(point, row, m) < distance(point, centres[best], m))
            best = c;
    }
    return best;
}

static void scale(double **rows, int i, int m, double by)
{
    double *row = rows[i];
    for (int k = 0; k < m; k++)
        row[k] *= by;
}

static void kernel(int n, int count, int m, double **points, double **centres, int *member)
{
#pragma scop assume-no-alias
    for (int i = 0; i < n; i++) {
        scale(points, i, m, 1.25);
        member[i] = nearest(points[i], centres, count, m);
    }
    for (int i = 1; i < n; i++)
        for (int k = 0; k < m; k++)
            points[i][k] += 0.5 * points[i - 1][k] + member[i];
#pragma endscop
}

static double **matrix(int n, int m, int seed)
{
    double **rows = malloc(sizeof *rows * (n + 1));
    for (int i = 0; i < n; i++) {
        rows[i] = malloc(sizeof **rows * (m + 1));
        for (int k = 0; k < m; k++)
            rows[i][k] = (seed * i + 7 * k) % 23 * 0.25;
    }
    return rows;
}

int main(void)
{
    int member[40];
    for (int n = 0; n < 40; n += 13)
        for (int m = 0; m < 9; m += 4) {
            double **points = matrix(n, m, 5), **centres = matrix(6, m, 11);
            kernel(n, 6, m, points, centres, member);
            for (int i = 0; i < n; i++)
                for (int k = 0; k < m; k++)
                    printf("%d %.17g\n", member[i], points[i][k]);
        }
    return 0;
}
