static double table[90];
static double at(int i)
{
    double *p = table + i;
    return *p;
}
static double *moving = table;
static double next(int i) { return moving[i]; }
static void put(double *x) { *x = 1; }
static double counted(int i)
{
    put(&table[i]);
    return i;
}
void f(int n, double *b)
{
#pragma scop
    for (int i = 0; i < n; i++)
        b[i] = at(i);
    for (int i = 0; i < n; i++)
        b[i] += next(i);
    for (int i = 0; i < n; i++)
        b[i] += 1 + counted(i);
#pragma endscop
}
