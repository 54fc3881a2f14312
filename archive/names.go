package archive

import (
	"io/fs"
	"strings"
	"unicode/utf8"

	"pakbox/fault"
)

// Metin2's packs hold absolute names below one well-known folder of the
// machine the game was made on. Outside a pack that prefix cannot be a path,
// so it is written the way 42pak's documentation writes it.
const (
	drivePrefix    = "d:/ymir work/"
	portablePrefix = "d_ymir_work/"
)

// PortableName gives the name that an entry has outside its own format:
// "d:/ymir work/x" becomes "d_ymir_work/x", everything else stays.
func PortableName(name string) string {
	if rest, ok := cutPrefixFold(name, drivePrefix); ok {
		return portablePrefix + rest
	}
	return name
}

// DriveName is the inverse of [PortableName]; it knows the folder itself too.
func DriveName(name string) string {
	if strings.EqualFold(name+"/", portablePrefix) {
		return strings.TrimSuffix(drivePrefix, "/")
	}
	if rest, ok := cutPrefixFold(name, portablePrefix); ok {
		return drivePrefix + rest
	}
	return name
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}

// CheckName refuses a name that would lead out of the target folder, or that
// no file system could hold: the same names on every system, so that an
// archive that extracts on one extracts on all.
func CheckName(name string) error {
	bad := func(why string) error {
		return &fault.Error{Kind: fault.Unsafe, Entry: name, Offset: fault.NoOffset, Field: "name", Message: why}
	}
	name = PortableName(name)
	switch {
	case name == "":
		return bad("the name is empty")
	case !utf8.ValidString(name):
		return bad("the name is not UTF-8")
	case strings.HasPrefix(name, "/"):
		return bad("the name is an absolute path")
	case strings.Contains(name, "\\"):
		return bad("the name holds a backslash, which is a path separator on Windows")
	case len(name) >= 2 && name[1] == ':':
		return bad("the name begins with a drive letter")
	case !fs.ValidPath(name) || name == ".":
		return bad("the name has an empty, '.' or '..' part")
	}
	for _, r := range name {
		if r < 0x20 || r == 0x7f {
			return bad("the name holds a control character")
		}
	}
	return nil
}
