// Package runner is this machine: what it is (Machine), which compilers it has
// (Toolchain), building programs (Builder), executing them under limits
// (Execute), timing them (Time) and comparing what they compute (Compare,
// CompareFingerprints). It ranks nothing and stores nothing.
//
// What is built and run is a Subject. Its Harness makes programs of variants and
// gets their results. A function is called by a generated C driver
// (GenerateDriver), which allocates its arrays between guard bytes, fills them
// reproducibly, calls it, and writes its data or its times to a file. A whole
// program (NewProgram) runs as it is, with one region watched.
//
// # Where to find what
//
//   - what this machine is: machine.go, caches.go, vector.go; what disturbs timings on it:
//     disturbances.go, disturbances_system.go, competitors.go; what its processors are like just
//     now: state.go, kept for each round in store/roundstate.go; what it can do at most:
//     runner/peaks.go, peaks.c.tmpl, kept in store/peak.go
//   - energy of a call: meter.c.tmpl, runner/energy/energy.go; counters of perf:
//     runner/counters/counters.go
//   - how a compiler is found, told from others, set up by modules: toolchain.go, family.go,
//     modules.go; its flags: configs/default.yaml; how it is tried, and what programs find in their
//     environment about threads: runner/runtime.go, target/openmp/omp/omp.go
//   - who notices that a compiler is replaced, or a disk full: toolchainwatch.go, diskspace.go
//   - how a program is built, run, limited, compared: build.go, execute.go, output.go; how its
//     results are got: harness.go; when a difference is rounding: rounding.go
//   - the generated driver of a function: driver.go, drivershared.c.tmpl, drivercore.c.tmpl (what
//     all drivers have), driver.c.tmpl (what one has of its own)
//   - the user's own program: program.go, programrun.go, program.c.tmpl, executions.go; timed as a
//     whole: wholeprogram.go; what a region writes: codegen/visit.go
//   - which devices there are, and which one a name stands for: devices.go, devices.c.tmpl (asks
//     the drivers), finddevice.go; what a run on one finds in its environment: device.go
//   - how kernels are compiled: devicebuild.go, by nvcc, or by clang as PTX: cudacompiler.go,
//     ptx.h.tmpl; on the processor: emulation.h.tmpl, emulation.cc.tmpl; under Oclgrind:
//     oclgrind.go
//   - on which device kernels are timed, and what becomes of a lost one: realdevice.go; what is
//     compared there: tuner/device.go; flags: pipeline/deviceoptions.go, session/device.go; the
//     times of kernels and transfers: device/runtime/, runner/drivercore.c.tmpl; which axes there
//     are: transform/deviceaxes.go; targets are kept apart: store/migrations/0011_targets.sql
//   - runs of several ranks: ranks.go
//   - who may build or time now: lock.go; which tuners are alive: process.go
//   - why so: docs/decisions/README.md, "Building and running"; processors that move:
//     0090-processors-apart.md
package runner
