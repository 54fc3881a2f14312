package pathname

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// System describes the rules of a file system for names.
type System struct {
	Windows   bool // refuses or changes device names, ':', '?', a dot at the end
	FoldsCase bool // names that differ only in case are the same
}

// Here returns the system on which this program runs.
func Here() *System {
	return &System{Windows: runtime.GOOS == "windows", FoldsCase: runtime.GOOS == "windows" || runtime.GOOS == "darwin"}
}

// Safe returns a path that the system accepts, and from which [Unsafe] restores the old
// path. A path that the system accepts stays unchanged. In other paths, characters that
// the system does not accept become %XX, as in a web address: "q?.txt" becomes q%3F.txt.
// In a device name the first letter is escaped: "con" becomes %63on. A '%' that would
// look like an escape becomes %25.
func (s *System) Safe(path string) string {
	if s == nil || !s.Windows && !strings.Contains(path, "%") {
		return path
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = s.safePart(part, 0)
	}
	return strings.Join(parts, "/")
}

// safePart is [System.Safe] for one part of a path. It escapes the first letters as %XX,
// so that the part differs from others in more than case.
func (s *System) safePart(part string, letters int) string {
	if part == "." || part == ".." {
		return part // . and .. are not names; the code that opens the path rejects them
	}
	if s.Windows && isDevice(part) {
		letters = max(letters, 1)
	}
	var b strings.Builder
	for i := range len(part) {
		c := part[i]
		first := letters > 0 && isLetter(c)
		if first {
			letters--
		}
		_, reads := escape(part, i)
		if first || reads || s.Windows && (strings.IndexByte(forbidden, c) >= 0 || i == len(part)-1 && (c == '.' || c == ' ')) {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Unsafe is the inverse of [System.Safe] on every system.
func Unsafe(path string) string {
	if !strings.Contains(path, "%") {
		return path
	}
	parts := strings.Split(path, "/")
	for k, part := range parts {
		var b strings.Builder
		for i := 0; i < len(part); i++ {
			c, ok := escape(part, i)
			if ok {
				i += 2
			} else {
				c = part[i]
			}
			b.WriteByte(c)
		}
		parts[k] = b.String()
	}
	return strings.Join(parts, "/")
}

// forbidden are the characters that Windows does not allow in names.
const forbidden = `<>:"|?*`

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// escape returns the character that Safe wrote as %XX at part[i:]. Other %XX, such as %20
// from a web address, are not escapes.
func escape(part string, i int) (sign byte, ok bool) {
	const digits = "0123456789ABCDEF"
	if i+3 > len(part) || part[i] != '%' {
		return 0, false
	}
	high, low := strings.IndexByte(digits, part[i+1]), strings.IndexByte(digits, part[i+2])
	if high < 0 || low < 0 {
		return 0, false
	}
	c := byte(high<<4 | low)
	atEnd := i+3 == len(part) && (c == '.' || c == ' ')
	return c, c == '%' || atEnd || isLetter(c) || strings.IndexByte(forbidden, c) >= 0
}

// isDevice reports whether Windows treats a name as a device: with any extension, with
// spaces before it, in any case.
// https://learn.microsoft.com/windows/win32/fileio/naming-a-file
func isDevice(part string) bool {
	base, _, _ := strings.Cut(part, ".")
	base, _, _ = strings.Cut(base, ":")
	switch base = strings.ToLower(strings.TrimRight(base, " ")); base {
	case "con", "prn", "aux", "nul", "conin$", "conout$":
		return true
	}
	if len(base) < 4 || base[:3] != "com" && base[:3] != "lpt" {
		return false
	}
	return slices.Contains([]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"}, base[3:])
}

// Paths makes the safe paths of the entries in one archive.
type Paths struct {
	system *System
	given  map[string]string // lower-case safe path to the old path that got it
	paths  map[string]string // old path to the safe path
}

// Paths starts the paths of one archive. A nil system accepts all paths.
func (s *System) Paths() *Paths { return &Paths{s, map[string]string{}, map[string]string{}} }

// Path is [System.Safe] with the addition that the result differs from all others in more
// than case.
func (n *Paths) Path(old string) string {
	if n.system == nil || !n.system.FoldsCase {
		return n.system.Safe(old)
	}
	if safe, ok := n.paths[old]; ok {
		return safe
	}
	folder, part := "", old
	if slash := strings.LastIndexByte(old, '/'); slash >= 0 {
		folder, part = n.Path(old[:slash])+"/", old[slash+1:]
	}
	safe := folder + n.system.safePart(part, 0)
	for letters := 1; letters <= len(part); letters++ {
		if other, taken := n.given[strings.ToLower(safe)]; !taken || other == old {
			break
		}
		safe = folder + n.system.safePart(part, letters)
	}
	n.given[strings.ToLower(safe)], n.paths[old] = old, safe
	return safe
}
