package archive

import (
	"bytes"
	"strings"

	"pakbox/fault"
)

// Keyed is a [Format] whose archives need keys from a keys file. It describes valid keys,
// so that a wrong key is refused when the user stores it, and not only when an archive is
// opened.
type Keyed interface {
	Format
	KeyKinds() []KeyKind
}

// KeyKind is one kind of line of a keys file.
type KeyKind struct {
	// Name is the name of such a key, in lower case. It is "" if the name of the key is
	// the name of the archive's file.
	Name string
	// Want states what the value must be: "four numbers, with commas between
	// them".
	Want string
	// Kind names the kind of a value in a word, without revealing the value; "" if the
	// value is not as Want describes.
	Kind func(value string) string
	// Read reads a file of another program that holds such keys. It returns
	// nil for a file that holds none. Read is nil if there is no such program.
	Read func(data []byte) (Keys, error)
}

// ReadKeys reads a keys file, or a file of another program that holds keys of
// one of the formats.
func (r Registry) ReadKeys(data []byte) (Keys, error) {
	for _, f := range r {
		keyed, ok := f.(Keyed)
		if !ok {
			continue
		}
		for _, k := range keyed.KeyKinds() {
			if k.Read == nil {
				continue
			}
			if keys, err := k.Read(data); keys != nil || err != nil {
				return keys, err
			}
		}
	}
	return readKeys(bytes.NewReader(data))
}

// KeyKind returns the kind of key on a line of a keys file. If no format accepts the
// value under that name, the error does not quote the value.
func (r Registry) KeyKind(name, value string) (string, error) {
	kinds := r.keyKinds(strings.ToLower(name))
	if kinds == nil {
		kinds = r.keyKinds("")
	}
	var wants []string
	for _, k := range kinds {
		if kind := k.Kind(value); kind != "" {
			return kind, nil
		}
		wants = append(wants, k.Want)
	}
	return "", fault.New(fault.Key, "%s: the value must be %s", name, strings.Join(wants, ", or "))
}

func (r Registry) keyKinds(name string) (kinds []KeyKind) {
	for _, f := range r {
		if keyed, ok := f.(Keyed); ok {
			for _, k := range keyed.KeyKinds() {
				if k.Name == name {
					kinds = append(kinds, k)
				}
			}
		}
	}
	return kinds
}
