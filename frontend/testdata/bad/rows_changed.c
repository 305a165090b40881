/* A function that changes the pointers to rows. */
static void exchange(double **rows, int i)
{
    double *row = rows[i];
    rows[i] = rows[i + 1];
    rows[i + 1] = row;
}

static void rotate(double **rows, int i)
{
    double **next = rows + i, *row = next[0];
    next[0] = next[1];
    next[1] = row;
}

void kernel(int n, double **rows)
{
#pragma scop assume-no-alias
    for (int i = 0; i + 1 < n; i++)
        exchange(rows, i);
    for (int i = 0; i + 1 < n; i++)
        rotate(rows, i);
#pragma endscop
}
