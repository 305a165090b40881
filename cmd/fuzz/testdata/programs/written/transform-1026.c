/* Fails at the stage transform. */
struct cell { int k; double v; char pad[0]; };
static void kernel(int n, int m, double a[0], double *restrict b, unsigned char *restrict c, struct cell cells[0], double out[0])
{
    int l = m;
    float tmp;
#pragma scop
    for (long i = l * 2; i <= n; i += 2) {
        tmp = 11;
    }
#pragma endscop
}
int main(void) {
}
