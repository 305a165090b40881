package store

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestNetworkFileSystems(t *testing.T) {
	for _, c := range []struct {
		magic       uint32
		mount, want string
	}{
		{0x6969, "", "NFS"},
		{0xFE534D42, "", "SMB2"},
		{0xFF534D42, "", "CIFS"},
		{0x00C36400, "", "Ceph"},
		{0x0BD00BD0, "", "Lustre"},
		{0x47504653, "", "GPFS"},
		{0x65735546, "fuse.sshfs", "FUSE sshfs"},
		{0x65735546, "fuse", "FUSE fuse"},
		{0x65735546, "", "FUSE"},
		{0x65735546, "fuseblk", ""},
		{0x65735546, "fuse.fuse-overlayfs", ""},
		{0xEF53, "", ""},     // ext4
		{0x58465342, "", ""}, // XFS
		{0x01021994, "", ""}, // tmpfs
		{0x794C7630, "", ""}, // overlayfs
	} {
		if got := networkFileSystem(c.magic, c.mount); got != c.want {
			t.Errorf("networkFileSystem(%#x, %q) = %q; want %q", c.magic, c.mount, got, c.want)
		}
	}
}

func TestNetworkFileSystemIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tune.db")
	_, err := checkPlace(path, func(string) (string, error) { return "NFS", nil })
	var network *NetworkFileSystemError
	if !errors.As(err, &network) || network.FileSystem != "NFS" || !strings.Contains(err.Error(), "--db /var/tmp/tune.db") {
		t.Errorf("on NFS: %v", err)
	}
}

func TestParseMount(t *testing.T) {
	for line, want := range map[string][2]string{
		"36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue": {"98:0", "ext3"},
		"62 1 0:55 / /home/x rw - fuse.sshfs host:/x rw":                                 {"0:55", "fuse.sshfs"},
		"":           {"", ""},
		"36 35 98:0": {"", ""},
		" - ":        {"", ""},
	} {
		if device, kind := parseMount(line); device != want[0] || kind != want[1] {
			t.Errorf("parseMount(%q) = %q, %q; want %q", line, device, kind, want)
		}
	}
}

// Where the mount table shows /proc, it is found by its device.
func TestMountTypeOfProc(t *testing.T) {
	if got := mountType("/proc/self"); got != "proc" && got != "" {
		t.Errorf("mountType(/proc/self) = %q", got)
	}
}
