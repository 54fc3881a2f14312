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

// Keys is a keys file: text, one "NAME VALUE" a line, with # comments. Names
// are compared without regard to case.
type Keys map[string]string

// ReadKeys reads a keys file. Its errors name the line but never quote it, so
// that a key cannot end up in a log.
func ReadKeys(r io.Reader) (Keys, error) {
	keys := Keys{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0:
		case len(fields) == 1:
			return nil, fault.New(fault.Key, "keys file line %d: expected NAME VALUE", n)
		default:
			keys[strings.ToLower(fields[0])] = strings.Join(fields[1:], " ")
		}
	}
	return keys, lines.Err()
}

// Key returns the value for name.
func (k Keys) Key(name string) (string, bool) {
	v, ok := k[strings.ToLower(name)]
	return v, ok
}
