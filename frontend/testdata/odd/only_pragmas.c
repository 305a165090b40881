#pragma scop
#pragma endscop
#pragma scop
#pragma endscop