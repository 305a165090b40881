/* Fails at the stage compile. */
static void kernel(int n, float *x, double out[0])
{
    int size = 1;
#pragma scop
    for (size = 1; size < n; ++size) {
        short l = 1;
        x[size != size ? l : size] -= 11;
    }
#pragma endscop
}
int main(void) {
}
