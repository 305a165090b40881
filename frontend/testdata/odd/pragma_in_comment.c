/* #pragma scop */
// #pragma endscop
int x;
