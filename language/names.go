package language

import (
	"strings"

	"polytune/algorithm"
	"polytune/internal/pattern"
)

// identifier are C's names.
var identifier = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*$`)

// ownNames are those that recipes have for loops and statements, and that generated code has.
var ownNames = pattern.New(`^(?:[cS]\d+(?:_.*)?|tune_.*|_.*|root|rank|first|last)$`)

// islWords are those that mean something in isl's notation, cWords those of C and C++.
var (
	islWords = words(`and or not exists mod floor ceil floord ceild min max implies true false infty NaN`)
	cWords   = words(`auto break case char const continue default do double else enum extern float for goto if inline int long
		register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
		asm typeof alignas alignof static_assert thread_local nullptr constexpr noexcept decltype explicit mutable wchar_t char8_t char16_t char32_t
		and_eq bitand bitor compl not_eq or_eq xor xor_eq const_cast dynamic_cast reinterpret_cast static_cast typeid co_await co_return co_yield concept requires
		bool catch class delete export friend main namespace new operator private protected public template this throw try typename using virtual`)
	languageWords = words(`select clamp abs`)
	// macroWords are macros of headers and of compilers, calledWords functions that generated C calls,
	// libraryWords those of C's library: a function cannot be called like them.
	macroWords   = words(`NULL EOF RAND_MAX EXIT_SUCCESS EXIT_FAILURE MB_CUR_MAX NAN INFINITY HUGE_VAL HUGE_VALF M_E M_PI M_PI_2 M_PI_4 M_LN2 M_LN10 M_SQRT2 M_1_PI M_2_PI linux unix`)
	calledWords  = words(`malloc calloc free abort exit memcpy memset aligned_alloc printf fprintf stderr omp_get_thread_num omp_get_num_threads`)
	libraryWords = words(`abs atof atoi atol atoll bsearch div drand48 erand48 getenv getloadavg getsubopt grantpt initstate jrand48 l64a labs lcong48 ldiv llabs lldiv
		lrand48 mblen mbstowcs mbtowc mkdtemp mkstemp mktemp mrand48 nrand48 posix_memalign ptsname putenv qsort quick_exit rand random realloc
		realpath secure_getenv seed48 setenv setstate srand srand48 srandom strtod strtof strtol strtold strtoll strtoul strtoull system
		unlockpt unsetenv wcstombs wctomb alloca select clearenv at_quick_exit atexit j0 j1 jn y0 y1 yn gamma lgamma_r frexp ldexp modf scalbn scalbln
		ilogb logb nan nearbyint nextafter nexttoward lrint llrint lround llround remquo drem significand signgam finite exp10 pow10 sincos
		memmove memchr memcmp strcat strchr strcmp strcpy strlen strncpy strtok strdup index rindex bcopy bcmp bzero ffs
		sprintf snprintf puts putchar getchar remove rename read write open close time clock main`)
)

// mathFunctions are those of <math.h>, with their numbers of arguments; each has one for float, with
// an f behind its name.
var mathFunctions = map[string]int{
	"acos": 1, "acosh": 1, "asin": 1, "asinh": 1, "atan": 1, "atanh": 1, "cbrt": 1, "ceil": 1, "cos": 1, "cosh": 1, "erf": 1, "erfc": 1,
	"exp": 1, "exp2": 1, "expm1": 1, "fabs": 1, "floor": 1, "lgamma": 1, "log": 1, "log10": 1, "log1p": 1, "log2": 1, "rint": 1, "round": 1,
	"sin": 1, "sinh": 1, "sqrt": 1, "tan": 1, "tanh": 1, "tgamma": 1, "trunc": 1,
	"atan2": 2, "copysign": 2, "fdim": 2, "fmax": 2, "fmin": 2, "fmod": 2, "hypot": 2, "pow": 2, "remainder": 2, "fma": 3,
}

func words(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// mathFunction is the number of arguments and the type of a function of <math.h>.
func mathFunction(name string) (arguments int, result algorithm.Type, is bool) {
	if n, is := mathFunctions[name]; is {
		return n, algorithm.Float64, true
	}
	if n, is := mathFunctions[strings.TrimSuffix(name, "f")]; is && strings.HasSuffix(name, "f") {
		return n, algorithm.Float32, true
	}
	return 0, "", false
}

// badFunction says why a name cannot be that of a function; "" where it can.
func badFunction(name string) string {
	if libraryWords[name] || libraryWords[strings.TrimSuffix(name, "f")] || libraryWords[strings.TrimSuffix(name, "l")] {
		return "is a function of C's library; choose another name"
	}
	return badName(name)
}

// badName says why a name cannot be one; "" where it can.
func badName(name string) string {
	_, _, isMath := mathFunction(name)
	switch {
	case !identifier.MatchString(name):
		return "is no name of C; it has letters, digits and _ and begins with a letter"
	case cWords[name]:
		return "is a word of C or C++; choose another name"
	case islWords[name]:
		return "is a word of isl's notation; choose another name"
	case macroWords[name]:
		return "is a macro of C; choose another name"
	case calledWords[name]:
		return "is a function that the C calls; choose another name"
	case isMath || languageWords[name]:
		return "is a function; choose another name"
	case isType(algorithm.Type(name)):
		return "is a type; choose another name"
	case ownNames.MatchString(name):
		return "is a name that polytune has for itself; choose another one, without a _ in front"
	}
	return ""
}
