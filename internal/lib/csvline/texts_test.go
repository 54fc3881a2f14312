package csvline

import (
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"unicode/utf16"
)

// encoded returns a text as programs of Windows save it.
func encoded(order binary.AppendByteOrder, text string) string {
	var data []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		data = order.AppendUint16(data, unit)
	}
	return string(data)
}

// All forms of a text are the same text, whether it is kept in memory or not.
func TestTextReader(t *testing.T) {
	for _, text := range []string{"", "a", "größe, 日本\n", strings.Repeat("long\n", 10000)} {
		for name, given := range map[string]string{
			"plain": text, "marked": "\ufeff" + text,
			"UTF-16LE": encoded(binary.LittleEndian, text), "UTF-16BE": encoded(binary.BigEndian, text),
		} {
			if got := string(Text([]byte(given))); got != text {
				t.Errorf("%s: Text(%.20q) = %.20q, want %.20q", name, given, got, text)
			}
			r, err := TextReader(strings.NewReader(given))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got, err := io.ReadAll(r); err != nil || string(got) != text {
				t.Errorf("%s: TextReader(%.20q) = %.20q, %v, want %.20q", name, given, got, err, text)
			}
		}
	}
}
