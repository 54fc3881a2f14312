package csvline

import (
	"reflect"
	"testing"
)

// Every form in which spreadsheets and shells write a table must give the same cells.
func TestNewReader(t *testing.T) {
	utf16 := func(s string, little bool) []byte {
		b := []byte{0xFE, 0xFF}
		if little {
			b = []byte{0xFF, 0xFE}
		}
		for _, r := range s {
			hi, lo := byte(r>>8), byte(r)
			if little {
				hi, lo = lo, hi
			}
			b = append(b, hi, lo)
		}
		return b
	}
	want := [][]string{{"vnum", "name,x"}, {"1", "Säbel; \"a\""}}
	for name, data := range map[string][]byte{
		"commas":        []byte("vnum,\"name,x\"\n1,\"Säbel; \"\"a\"\"\"\n"),
		"mark":          []byte("\ufeffvnum,\"name,x\"\n1,\"Säbel; \"\"a\"\"\"\n"),
		"semicolons":    []byte("vnum;\"name,x\"\r\n1;\"Säbel; \"\"a\"\"\"\r\n"),
		"tabs":          []byte("vnum\t\"name,x\"\n1\t\"Säbel; \"\"a\"\"\"\n"),
		"sep":           []byte("sep=;\r\nvnum;\"name,x\"\r\n1;\"Säbel; \"\"a\"\"\"\r\n"),
		"little endian": utf16("vnum,\"name,x\"\r\n1,\"Säbel; \"\"a\"\"\"\r\n", true),
		"big endian":    utf16("vnum;\"name,x\"\n1;\"Säbel; \"\"a\"\"\"\n", false),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := NewReader(data).ReadAll()
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("NewReader = %q, %v; want %q", got, err, want)
			}
		})
	}
}
