package store

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// networkFileSystems are the types that statfs(2) gives for file systems that
// several machines share. The numbers are those of Linux (linux/magic.h) and,
// for file systems outside its source tree, of coreutils (src/stat.c).
var networkFileSystems = map[uint32]string{
	0x6969:     "NFS",
	0x517B:     "SMB",
	0xFE534D42: "SMB2",
	0xFF534D42: "CIFS",
	0x00C36400: "Ceph",
	0x0BD00BD0: "Lustre",
	0x47504653: "GPFS",
	0x19830326: "BeeGFS",
	0xAAD7AAEA: "PanFS",
	0x5346414F: "AFS",
	0x6B414653: "AFS",
	0x73757245: "Coda",
	0x564C:     "NCP",
}

// fuse is the type of every file system that a program serves, near or far.
const fuse uint32 = 0x65735546

// localFuse are the mount types of FUSE that are known to be local: disks,
// and the root of a container without privileges.
var localFuse = []string{"fuseblk", "fuse.fuse-overlayfs"}

// networkFileSystem names the network file system of the given type, or gives
// "" for a local one. mount is the type in the mount table, used for FUSE
// only: what is not known to be local there counts as a network.
func networkFileSystem(magic uint32, mount string) string {
	if magic == fuse && !slices.Contains(localFuse, mount) {
		return strings.TrimSpace("FUSE " + strings.TrimPrefix(mount, "fuse."))
	}
	return networkFileSystems[magic]
}

// probeFileSystem names the network file system that path is on, or gives ""
// for a local one.
func probeFileSystem(path string) (string, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return "", fmt.Errorf("statfs %s: %w", path, err)
	}
	magic := uint32(s.Type)
	if magic != fuse {
		return networkFileSystem(magic, ""), nil
	}
	return networkFileSystem(magic, mountType(path)), nil
}

// mountType is the type that the mount table gives for the file system of
// path, or "" where it cannot be found.
func mountType(path string) string {
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		return ""
	}
	table, err := os.Open("/proc/self/mountinfo")
	if err != nil {
		return ""
	}
	defer table.Close()
	device := fmt.Sprintf("%d:%d", unix.Major(uint64(s.Dev)), unix.Minor(uint64(s.Dev)))
	for lines := bufio.NewScanner(table); lines.Scan(); {
		if found, kind := parseMount(lines.Text()); found == device {
			return kind
		}
	}
	return ""
}

// parseMount reads a line of /proc/self/mountinfo, described in proc(5): the
// device as major:minor, and the type of the file system.
func parseMount(line string) (device, kind string) {
	left, right, found := strings.Cut(line, " - ")
	fields, types := strings.Fields(left), strings.Fields(right)
	if !found || len(fields) < 3 || len(types) < 1 {
		return "", ""
	}
	return fields[2], types[0]
}

// leastPage is the least size of a page of an SQLite database, and so of a file
// with anything in it. SQLite takes a shorter file for an empty database.
const leastPage = 512

// checkPlace finds what would keep a database from working at path: no
// folder, no right to write, no regular file, a file that SQLite would write
// over, a network file system. exists says whether the file is there.
func checkPlace(path string, probe func(string) (string, error)) (exists bool, err error) {
	folder := filepath.Dir(path)
	if err := checkFolder(path, folder); err != nil {
		return false, err
	}
	place := folder
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return false, &AccessError{Path: path, Problem: "this is not a regular file", Advice: "give --db the name of a file"}
	case err == nil && 0 < info.Size() && info.Size() < leastPage:
		return true, &DamagedError{Path: path, Problem: "the file is too short"}
	case err == nil:
		exists, place = true, path
	case !errors.Is(err, fs.ErrNotExist):
		return false, &AccessError{Path: path, Problem: err.Error(), Advice: "choose another database with --db", Err: err}
	}
	if exists && unix.Access(path, unix.R_OK|unix.W_OK) != nil {
		return true, &AccessError{
			Path: path, Problem: "no right to read and write the file",
			Advice: "make it yours or choose another database with --db", Err: fs.ErrPermission,
		}
	}
	name, err := probe(place)
	if err != nil {
		return exists, describe(path, "find out its file system", err)
	}
	if name != "" {
		return exists, &NetworkFileSystemError{Path: path, FileSystem: name}
	}
	return exists, nil
}

// checkFolder finds out whether the database's files can be made in folder.
func checkFolder(path, folder string) error {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &AccessError{
			Path: path, Problem: fmt.Sprintf("there is no folder %s", folder),
			Advice: fmt.Sprintf("make it (mkdir -p %s) or choose another database with --db", folder), Err: err,
		}
	case err != nil:
		return &AccessError{Path: path, Problem: err.Error(), Advice: "choose another database with --db", Err: err}
	case !info.IsDir():
		return &AccessError{
			Path: path, Problem: fmt.Sprintf("%s is not a folder", folder), Advice: "choose another database with --db",
		}
	case unix.Access(folder, unix.W_OK|unix.X_OK) != nil:
		return &AccessError{
			Path: path, Problem: fmt.Sprintf("no right to write in folder %s", folder),
			Advice: "make the folder writable or choose another database with --db", Err: fs.ErrPermission,
		}
	}
	return nil
}
