package archive

import (
	"bufio"
	"io"
	"strings"

	"pakbox/fault"
)

// Keys are the user's keys by name. The meaning of a key's text is up to the
// format. A keys file is text, one NAME VALUE a line, with # comments. A name
// with spaces or a # in it stands in quotes. Names are compared without regard
// to case.
type Keys map[string]string

// byteOrderMark is the mark that some editors write at the beginning of a UTF-8 text.
const byteOrderMark = "\ufeff"

// readKeys reads a keys file. Errors name the line but never quote it, so that no key
// gets into a log.
func readKeys(r io.Reader) (Keys, error) {
	keys := Keys{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if n == 1 {
			if strings.HasPrefix(line, "\xff\xfe") || strings.HasPrefix(line, "\xfe\xff") {
				return nil, fault.New(fault.Key, "the keys file is UTF-16; save it as UTF-8")
			}
			line = strings.TrimPrefix(line, byteOrderMark)
		}
		line = strings.TrimSpace(line)
		name, quoted := "", false
		if rest, ok := strings.CutPrefix(line, `"`); ok {
			if name, line, quoted = strings.Cut(rest, `"`); !quoted {
				return nil, fault.New(fault.Key, "keys file line %d: the name has no closing quote", n)
			}
		}
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if !quoted && len(fields) > 0 {
			name, fields = fields[0], fields[1:]
		}
		switch {
		case name == "" && len(fields) == 0:
		case name == "" || len(fields) == 0:
			return nil, fault.New(fault.Key, "keys file line %d: expected NAME VALUE", n)
		default:
			keys[strings.ToLower(name)] = strings.Join(fields, " ")
		}
	}
	return keys, lines.Err()
}

// Key returns the value for name.
func (k Keys) Key(name string) (string, bool) {
	v, ok := k[strings.ToLower(name)]
	return v, ok
}
