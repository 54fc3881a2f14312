package archive

import (
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"pakbox/fault"
)

// maxPart is the longest part of a path that file systems hold, in bytes.
const maxPart = 255

// CheckName refuses a name that would lead out of the target folder, or that
// no file system could hold: the same names on every system, so that an
// archive that extracts on one extracts on all.
func CheckName(name string) error { return checkPath(name, name) }

// checkPath is CheckName for the path that stands for an entry's name.
func checkPath(entry, name string) error {
	bad := func(kind fault.Kind, why string) error {
		return &fault.Error{Kind: kind, Entry: entry, Offset: fault.NoOffset, Field: "name", Message: why}
	}
	switch {
	case name == "":
		return bad(fault.Unsafe, "the name is empty")
	case !utf8.ValidString(name):
		return bad(fault.Unsafe, "the name is not UTF-8")
	case strings.HasPrefix(name, "/"):
		return bad(fault.Unsafe, "the name is an absolute path")
	case strings.Contains(name, "\\"):
		return bad(fault.Unsafe, "the name holds a backslash, which is a path separator on Windows")
	case len(name) >= 2 && name[1] == ':':
		return bad(fault.Unsafe, "the name begins with a drive letter")
	case !fs.ValidPath(name) || name == ".":
		return bad(fault.Unsafe, "the name has an empty, '.' or '..' part")
	}
	for _, r := range name {
		if r < 0x20 || r == 0x7f {
			return bad(fault.Unsafe, "the name holds a control character")
		}
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.Contains(part, ".pakbox-") && ownNames.MatchString(part) {
			return bad(fault.Unsafe, "the name is one that pakbox gives its own temporary files")
		}
		if len(part) > maxPart {
			return bad(fault.NameTooLong, fmt.Sprintf("a part of the name has %d bytes, a file name can have %d", len(part), maxPart))
		}
	}
	return nil
}
