package report

import "testing"

// What differs from the models' choice is said in words.
func TestHow(t *testing.T) {
	t.Parallel()
	for setting, want := range map[string]string{
		"":         ModelsChoice,
		"cc=clang": ModelsChoice,
		"tile=sizes tile.1=204 tile.2=912 tile.3=224 registers=6x16 pack=on parallel=off": "tile 204x912x224, 6x16 registers, pack, 1 thread",
		"tile=wide vector=off cc=clang":                           "tile wide, no vector",
		"free=off loops=source":                                   "statements unsplit, the source's loops",
		"separate=off ahead=off":                                  "partial tiles not apart, no fetching ahead",
		"second_level=on height=16":                               "second level, height 16",
		"map=sizes block.1=8 threads.1=4 block.2=32 threads.2=16": "block 8x32, threads 4x16",
		"recipe=mine.recipe hole.1=32 hole.2=4":                   "recipe mine.recipe, hole 32x4",
	} {
		if got := How(setting); got != want {
			t.Errorf("%s: %q, want %q", setting, got, want)
		}
	}
}
