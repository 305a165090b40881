package schedule

// MostShared bounds the elements of a copy that threads share, and MostOwn those of one of each
// thread's own, which is on its stack; larger ones are not made.
const MostShared, MostOwn = 1 << 22, 1 << 16

// MostTransposed bounds the vectors that a block transposes at a time.
const MostTransposed = 64
