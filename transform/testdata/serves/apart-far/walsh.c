// How much blocks of 8 x 8 of a picture differ from their prediction after Walsh's transform: the rows
// of a block are transformed in one pass, its columns in the next, and the sizes are added up.
// tune: B=6000
void walsh(int B, float x[B][8][8], float y[B][8][8], float size[B])
{
  float d[8][8], r[8][8], c[8][8];
#pragma scop
  for (int b = 0; b < B; b++) {
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++)
        d[i][j] = x[b][i][j] - y[b][i][j];
    for (int j = 0; j < 4; j++)
      for (int i = 0; i < 8; i++) {
        r[i][2 * j] = d[i][j] + d[i][j + 4];
        r[i][2 * j + 1] = d[i][j] - d[i][j + 4];
      }
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 8; j++) {
        c[2 * i][j] = r[i][j] + r[i + 4][j];
        c[2 * i + 1][j] = r[i][j] - r[i + 4][j];
      }
    size[b] = 0.0f;
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++)
        size[b] += c[i][j] * c[i][j];
  }
#pragma endscop
}
#ifdef MAIN
#include "../measure.h"
int main(void)
{
  enum { B = 6000 };
  float(*x)[8][8] = floats(64 * B), (*y)[8][8] = floats(64 * B), *s = floats(B);
  for (int k = 0; k < 64 * B; k++)
    ((float *)y)[k] *= 0.9f;
  MEASURE(s, float, B, walsh(B, x, y, s));
}
#endif
