/* What is wrong with a macro that is written out is said at its place, and what stands behind it where it is. */
#define SET(x) { if ((x) > 4) goto done; (x) = 0; }
double a[90], b[90];
void f(int n)
{
    int i;
#pragma scop
    for (i = 0; i < n; i++) {
        SET(a[i]) goto done;
    }
#pragma endscop
done:
    return;
}
