//go:build linux || darwin || freebsd || netbsd

package archive

import (
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// keepAttributes gives f the extended attributes of the file at path, as far as the user
// and the file system allow. Refused attributes are left out. It is called when f is
// complete, because writing clears some of them.
func keepAttributes(f *os.File, path string) {
	for _, name := range attributeNames(path) {
		// A signature of the old content would be wrong for the new content.
		if slices.Contains([]string{"security.ima", "security.evm"}, name) {
			continue
		}
		if value, ok := readAttribute(func(b []byte) (int, error) { return unix.Getxattr(path, name, b) }); ok {
			unix.Fsetxattr(int(f.Fd()), name, value, 0)
		}
	}
}

func attributeNames(path string) []string {
	list, ok := readAttribute(func(b []byte) (int, error) { return unix.Listxattr(path, b) })
	if !ok {
		return nil
	}
	return strings.FieldsFunc(string(list), func(r rune) bool { return r == 0 })
}

// readAttribute calls get with a buffer that is large enough for its answer.
func readAttribute(get func(b []byte) (int, error)) ([]byte, bool) {
	size, err := get(nil)
	if err != nil {
		return nil, false
	}
	b := make([]byte, size)
	size, err = get(b)
	if err != nil {
		return nil, false
	}
	return b[:size], true
}
