double a[9];
void f(void) {
#pragma scop
for (int i = 0; i < 9; i++) a[i] = 1;
#pragma endscop
}
int main(void) {
#if 0
#pragma scop
#endif
#pragma scop
a[0] = 2; for (int i = 0; i < 3; i++) a[i] += a[0];
#pragma endscop
return 0; }