// Package pathname checks names of entries as paths, and finds their places in folders.
package pathname

import (
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"pakbox/fault"
	"pakbox/internal/lib/stray"
)

// maxPart is the longest part of a path that file systems accept, in bytes.
const maxPart = 255

// Check rejects, on every system, names that leave a folder or that no folder can
// contain.
func Check(name string) error {
	if len(name) >= 2 && name[1] == ':' {
		return unsafe(name, fault.Unsafe, "the name begins with a drive letter")
	}
	return CheckFor(name, name)
}

func unsafe(entry string, kind fault.Kind, why string) error {
	return &fault.Error{Kind: kind, Entry: entry, Offset: fault.NoOffset, Field: "name", Message: why}
}

// Limits of a path. Longer ones cannot be files of most systems, and every part of a path
// costs time and memory for the folder that it names.
const maxPath, maxParts = 4096, 255

// Reachable reports whether a path is short enough to be looked up.
func Reachable(path string) bool {
	return len(path) <= maxPath && (len(path) <= maxParts || strings.Count(path, "/") < maxParts)
}

// CheckFor is [Check] for a path that may differ from the stored name. It accepts a drive
// letter, because [System.Safe] turns it into a folder.
func CheckFor(entry, path string) error {
	bad := func(kind fault.Kind, why string) error { return unsafe(entry, kind, why) }
	switch {
	case path == "":
		return bad(fault.Unsafe, "the name is empty")
	case !Reachable(path):
		return bad(fault.NameTooLong, fmt.Sprintf("the name has %d bytes and %d parts; the limits are %d and %d", len(path), strings.Count(path, "/")+1, maxPath, maxParts))
	case !utf8.ValidString(path):
		return bad(fault.Unsafe, "the name is not UTF-8")
	case strings.HasPrefix(path, "/"):
		return bad(fault.Unsafe, "the name is an absolute path")
	case strings.Contains(path, "\\"):
		return bad(fault.Unsafe, "the name holds a backslash, which is a path separator on Windows")
	case !fs.ValidPath(path) || path == ".":
		return bad(fault.Unsafe, "the name has an empty, '.' or '..' part")
	}
	for _, r := range path {
		if r < 0x20 || r == 0x7f {
			return bad(fault.Unsafe, "the name holds a control character")
		}
	}
	for part := range strings.SplitSeq(path, "/") {
		if stray.OwnName(part) {
			return bad(fault.Unsafe, "the name is one that pakbox gives its own temporary files")
		}
		if len(part) > maxPart {
			return bad(fault.NameTooLong, fmt.Sprintf("a part of the name has %d bytes, a file name can have %d", len(part), maxPart))
		}
	}
	return nil
}

// Escaped returns a text with \xNN for each byte that is not UTF-8.
func Escaped(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		if _, n := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[i])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Parents calls visit with the folders of a path, innermost first, until visit returns
// false. A path that is not [Reachable] has none.
func Parents(path string, visit func(folder string) bool) {
	if !Reachable(path) {
		return
	}
	for slash := strings.LastIndexByte(path, '/'); slash >= 0; slash = strings.LastIndexByte(path[:slash], '/') {
		if !visit(path[:slash]) {
			return
		}
	}
}

// AddParents adds the folders of a path to a set.
func AddParents(folders map[string]bool, path string) {
	Parents(path, func(folder string) bool {
		seen := folders[folder]
		folders[folder] = true
		return !seen
	})
}

// CutParts splits a path after its first n parts. It counts parts and not bytes, because
// a letter in another case may have another length.
func CutParts(name string, n int) (head, rest string) {
	at := 0
	for ; n > 0; n-- {
		slash := strings.IndexByte(name[at:], '/')
		if slash < 0 {
			return name, ""
		}
		at += slash + 1
	}
	return name[:at-1], name[at:]
}
