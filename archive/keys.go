package archive

import (
	"bufio"
	"io"
	"strings"

	"pakbox/fault"
)

// Keyring finds the user's keys by name. The text of a key means what the
// format that asks for it says.
type Keyring interface {
	Key(name string) (string, bool)
}

// Keys is a keys file: text, one NAME VALUE a line, with # comments. A name
// with spaces or a # in it stands in quotes. Names are compared without regard
// to case.
type Keys map[string]string

// byteOrderMark is what some editors begin a text in UTF-8 with.
const byteOrderMark = "\ufeff"

// ReadKeys reads a keys file. Its errors name the line but never quote it, so
// that a key cannot end up in a log.
func ReadKeys(r io.Reader) (Keys, error) {
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

// KeyLine is the line of a keys file that gives name a value.
func KeyLine(name, value string) string {
	if strings.ContainsAny(name, " \t#") {
		name = `"` + name + `"`
	}
	return name + " " + value
}

// Key returns the value for name.
func (k Keys) Key(name string) (string, bool) {
	v, ok := k[strings.ToLower(name)]
	return v, ok
}
