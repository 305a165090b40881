struct s { int x : 3; double y[4]; } p[9];
void f(int n)
{
#pragma scop
  for (int i = 0; i < n; i++) { p[i].x = 1; p[i].y[i] = p[i].x; }
#pragma endscop
}
