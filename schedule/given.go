package schedule

import (
	"slices"
	"strings"

	"polytune/internal/pattern"
)

// ownName is how the own names of loops and nodes begin, givenName how a name is that recipes give.
var (
	ownName   = pattern.New(`^c[0-9]`)
	givenName = pattern.New(`^[A-Za-z_][A-Za-z_0-9]*$`)
	ending    = pattern.New(`([0-9]+)([a-z]*)$`)
)

// wordsOfC are the keywords of C23 and of C before it.
var wordsOfC = strings.Fields(`alignas alignof auto bool break case char const constexpr continue default do double else enum
extern false float for goto if inline int long nullptr register restrict return short signed sizeof static static_assert
struct switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while
_Alignas _Alignof _Atomic _BitInt _Bool _Complex _Decimal128 _Decimal32 _Decimal64 _Generic _Imaginary _Noreturn
_Static_assert _Thread_local`)

func isWordOfC(name string) bool { return slices.Contains(wordsOfC, name) }
