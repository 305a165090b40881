package facts

import inmemory "polytune/scop/boxes"

// This file has the numbers about devices, as numbers.go has the others.

// MostThreads is the number of threads that blocks of all devices may have.
// Unit: threads; given: CUDA's guide, table of compute capabilities.
const MostThreads = 1024

// MostConstantArrays is the number of arrays that kernels of all devices can have in memory for
// constants (OpenCL 1.2, CL_DEVICE_MAX_CONSTANT_ARGS).
// Unit: arrays; given: OpenCL 1.2, CL_DEVICE_MAX_CONSTANT_ARGS.
const MostConstantArrays = 8

// MaxShared is the number of dimensions of a grid.
// Unit: dimensions; given: CUDA and OpenCL.
const MaxShared = 3

// MostSkewed is the largest factor of another loop that is taken out of a row.
// Unit: multiples of a loop; guessed.
const MostSkewed = 4

// SequentialTile is the length of tiles of the loops that a thread runs by itself: the elements of
// one tile are in shared memory at a time.
// Unit: iterations; guessed.
const SequentialTile = 16

// MostRegisters is the number of elements that a thread has of its own.
// Unit: elements; guessed.
const MostRegisters = 32

// MostWidth bounds the widths of hexagons.
// Unit: points; guessed.
const MostWidth = 256

// MostTilePoints bounds the points of a thread in a full tile.
// Unit: points; guessed.
const MostTilePoints = 128

// warp is the number of threads that run together.
// Unit: threads; given: CUDA.
const Warp = 32

// DeviceLineBytes is the size of a cache line of GPUs.
// Unit: bytes; given: CUDA's guide, L2 lines.
const DeviceLineBytes = 128

// MostProofs is the number of recipes that are proven in search of the copies that are legal.
// Unit: recipes; guessed.
const MostProofs = 10

// MostPeriod bounds the steps after which elements are written again.
// Unit: steps; guessed.
const MostPeriod = 16

// SharedSpeed is how many bytes threads get from shared memory in the time of one of global memory,
// by the models: 128 bytes for each of 132 multiprocessors and clock of 1.7 GHz, of which the
// memory of a H200 has 4.3 TB/s.
// Unit: ratio of bytes; given: clocks and multiprocessors of an H200.
const SharedSpeed = 7

// Unit: steps; guessed.
const MostResident = 16

// StreamedLength is how many planes a tile has as its own, by the model. A longer one computes less
// again, and there are fewer blocks.
// Unit: planes; guessed.
const StreamedLength = 128

// StreamedRegisters is how many registers of 32 bits a thread has for values, by the model: half of
// those that it may have.
// Unit: registers; guessed.
const StreamedRegisters = 128

// UsualRoom is how much shared memory blocks of all devices have.
// Unit: KiB; given: CUDA and OpenCL.
const UsualRoom = inmemory.MostShared >> 10
