package scan

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"polytune/internal/usage"
)

// cmakeFolder has C files of CMake's own.
const cmakeFolder = "CMakeFiles"

// withFolders are the files of a command line: of a folder the C files in it and below, without hidden
// folders and what CMake has made.
func withFolders(paths []string) (files []string, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			files = append(files, path) // whoever reads it says what is wrong
			continue
		}
		before := len(files)
		err = filepath.WalkDir(path, func(below string, entry fs.DirEntry, err error) error {
			switch name := entry.Name(); {
			case err != nil:
				return err
			case entry.IsDir() && below != path && (strings.HasPrefix(name, ".") || name == cmakeFolder):
				return fs.SkipDir
			case !entry.IsDir() && filepath.Ext(name) == ".c":
				files = append(files, below)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("cannot look for C files in a folder: %w", err)
		}
		if len(files) == before {
			return nil, usage.Mistake(fmt.Errorf("the folder %s has no file that ends in .c", path))
		}
	}
	return files, nil
}
