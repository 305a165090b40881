package runner

// Where data decide which elements a region writes, all of the array is compared. How large that is
// its declaration may not say, as where a pointer leads to memory of malloc, or an argument to a
// static array: the program is asked then. The linker has its calls of malloc and its like go to
// the watching part, which lists the blocks of memory that there are; static variables are in the
// list of symbols of its file.

// countDeclaration declares what says how many elements a pointer leads to.
const countDeclaration = "extern long polytune_region_count(const volatile void *, const volatile void *, __SIZE_TYPE__, const char *);\n"

// wrapAllocations has the linker do that, as those of GNU and LLVM can.
var wrapAllocations = []string{"-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=aligned_alloc,--wrap=posix_memalign,--wrap=memalign"}
