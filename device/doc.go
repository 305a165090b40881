// Package device makes programs that run on devices, in CUDA C and OpenCL C, of a schedule whose
// loops are blocks of a grid and threads of a block. The passes make kernels of the schedule's
// loops; one printer writes these with a table of words for each language, and the host's code in C
// starts them.
//
// # Where to find what
//
//   - the page for users: docs/gpu.md
//   - how loops become kernels: kernels.go; whose turn it is: turn.go; what thread 0, or one block,
//     does alone: alone.go; blocks that stay, and what they keep: resident.go; second grids:
//     swapped.go
//   - copies of boxes: box.go, boxtext.go; references that use them: boxed.go; which elements are
//     copied: transfer.go, as soon as they are written: early.go, in vectors: vectors.go,
//     vectortext.go; more shared memory than all devices give: shared.go
//   - full hexagonal tiles: core.go, coretext.go (what is loaded once and counted); what they write
//     first: spared.go; what stays in registers: reuse.go; places that are numbers: residue.go
//   - tiles that are streamed along a dimension: streamed.go; what has registers:
//     streamedfields.go, streamedtext.go; under which conditions: streamedwhere.go
//   - what threads add up and put together: addup.go; truth values: truth.go; conditions that
//     always hold: settled.go; how many blocks run at once: occupancy.go
//   - which statements devices cannot run: refused.go; which functions they may round otherwise:
//     rounded.go, pipeline/harness/rounding.go
//   - the text of kernels: text.go, looptext.go, statement.go (elements of flat arrays),
//     expression.go, subscript.go (which numbers have the types of C), types.go, magnitude.go (32
//     or 64 bits), with a table of words for each language in language.go
//   - the host's code: host.go (loops, grids), declare.go (variables), memory.go (which arrays the
//     device has, what is copied in and out), program.go; what is said of it: report.go; the
//     functions beside it: device/runtime/host.c.tmpl, opencl.c.tmpl, cuda.cu.tmpl, cuda.h.tmpl;
//     the target: target/gpu/gpu.go
//   - who chooses blocks and threads: transform/device.go
//   - the commands: schedule/command/block.go, thread.go, kernel.go, barrier.go, reduce.go,
//     unroll.go, resident.go (blocks that stay and wait for each other); their marks:
//     scop/mark/device.go
//   - the proof: scop/depend/device.go, grid.go, resident.go, idle.go (barriers that nothing
//     needs), reduced.go (accumulators of threads), phases.go (tiles in phases), early.go (what is
//     stored early)
//   - boxes that move: scop/boxes/moving.go, that need no loads: fresh.go, that blocks keep:
//     kept.go, whose elements are stored early: early.go, what is loaded and stored: loaded.go
//   - overlapped tiles, whose blocks compute instances again: schedule/command/overlapped.go; which
//     instances a tile has: schedule/overlapped.go; the proof: scop/depend/overlapped.go,
//     overlappedmemory.go, swapped.go; when: transform/overlapped.go; streamed ones:
//     schedule/command/streaming.go, schedule/streamed.go, scop/depend/streamed.go,
//     transform/streamed.go
//   - kernels in tests: runner/device.go; CUDA on the processor: emulation.h.tmpl; equal code is
//     compiled once: buildonce.go; compared with the original: pipeline/check/compare.go; without
//     any compiler: loopir/grid.go, device.go, box.go, vectors.go, streamed.go
//   - why so: docs/decisions/0079-kernels-in-five-orders.md
package device
