/* A driver that stands in for a device in tests: it tells what kernels are started, runs none, and fails where STUB_FAILS says so: "open", "alloc 2", "run 3", "from 1".
   With STUB_FAKE no memory is touched. PREFIX is that of the functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN(a, b) a##b
#define NAME(a, b) JOIN(a, b)
#define STUB(name) NAME(PREFIX, name)

static int stub_fails(const char *what) {
  static int counts[128];
  const char *fails = getenv("STUB_FAILS");
  char now[32];
  snprintf(now, sizeof now, "%s %d", what, ++counts[(int) what[0]]);
  return fails && (!strcmp(fails, now) || !strcmp(fails, what));
}
static int stub_copies(void *to, const void *from, unsigned long bytes) {
  if (!getenv("STUB_FAKE"))
    memcpy(to, from, bytes);
  return 1;
}
const char *STUB(_error)(void) { return "the driver failed"; }
void STUB(_count)(void) {}
int STUB(_open)(void) { return !stub_fails("open"); }
int STUB(_finish)(void) { return 1; }
void *STUB(_alloc)(unsigned long bytes) { return stub_fails("alloc") ? 0 : getenv("STUB_FAKE") ? (void *) &stub_fails : malloc(bytes); }
void STUB(_free)(void *memory) { free(memory); }
int STUB(_to)(void *device, const void *host, unsigned long bytes) { return !stub_fails("to") && stub_copies(device, host, bytes); }
int STUB(_from)(void *host, const void *device, unsigned long bytes) { return !stub_fails("from") && stub_copies(host, device, bytes); }
int STUB(_run)(int kernel, int is_wide, const long *grid, void *const *arrays, const long *integers, const void *const *values) {
  (void) arrays, (void) values;
  if (stub_fails("run"))
    return 0;
  if (getenv("STUB_FAKE"))
    printf("k%d %d bits, grid %ld %ld %ld, last integer %ld\n", kernel, is_wide ? 64 : 32, grid[0], grid[1], grid[2], integers[INTEGERS - 1]);
  return 1;
}
