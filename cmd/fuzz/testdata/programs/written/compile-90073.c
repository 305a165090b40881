/* Fails at the stage compile. */
enum { STRIDE = 2 };
static void kernel(int n, int m, double out[0])
{
    int t;
#pragma scop
    for (int i = 2; i <= n; i += STRIDE) {
        int k = 1;
        while (k < n) {
            while (t < m) {
                long k = 3;
                t++;
            }
            k += 2;
        }
    }
#pragma endscop
}
int main(void) {
}
