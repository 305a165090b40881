// Package omp is the runtime of OpenMP, as far as polytune has to do with it: what programs find in
// their environment about threads, and a trial of a compiler.
package omp

import (
	"slices"
	"strconv"
	"strings"
)

// Runtime is that of OpenMP. It implements runner.Runtime.
type Runtime struct{}

// Threads say how many threads of OpenMP a run has, 0 meaning one for each of the
// processors or 1, and on which processors they are.
func (Runtime) Threads(threads int, cpus []int) []string {
	if threads <= 0 {
		threads = max(len(cpus), 1)
	}
	list := []string{"OMP_NUM_THREADS=" + strconv.Itoa(threads), "OMP_DYNAMIC=false"}
	if len(cpus) > 0 {
		places := make([]string, len(cpus))
		for i, cpu := range cpus {
			places[i] = "{" + strconv.Itoa(cpu) + "}"
		}
		list = append(list, "OMP_PROC_BIND=close", "OMP_PLACES="+strings.Join(places, ","))
	}
	return list
}

// Inherited are the variables by which users set up the threads of all their programs.
func (Runtime) Inherited() []string {
	return []string{"OMP_STACKSIZE", "OMP_SCHEDULE", "OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"}
}

// Waiting lets threads that wait leave their processor to others.
func (Runtime) Waiting() []string { return []string{"OMP_WAIT_POLICY=passive"} }

// Trial is a program with a parallel region.
func (Runtime) Trial() string { return trial }

const trial = `#include <stdio.h>
#ifdef _OPENMP
#include <omp.h>
#endif
int main(void)
{
  int threads = 1;
#ifdef _OPENMP
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
  }
#endif
  return printf("%d\n", threads) < 2;
}
`

// Advice says what may be missing where a compiler of a family fails at the trial with flags that
// ask for OpenMP; "" where they do not.
func (Runtime) Advice(family string, flags []string) string {
	if !slices.ContainsFunc(flags, func(f string) bool { return strings.Contains(f, "openmp") }) {
		return ""
	}
	switch family {
	case "clang":
		return " (clang needs an OpenMP runtime: apt install libomp-dev, dnf install libomp-devel, or use gcc)"
	case "icx", "icc", "nvc":
		return " (if a library is what is missing, set the compiler's environment up, or name its module in toolchains.NAME.modules)"
	}
	return " (if OpenMP is what is missing, install libgomp or name another compiler with --cc)"
}
