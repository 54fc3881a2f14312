package tree

import (
	"testing"

	"pakbox/gbx/engine"
)

// Half of a surrogate pair must be an error, because no file can store it.
func TestLoneSurrogate(t *testing.T) {
	for text, want := range map[string]int{
		`"plain"`: -1, `"\ud83d\ude00"`: -1, `"\\ud800"`: -1, `"\u00e4\n"`: -1, `"\ufffd"`: -1,
		`"\ud800"`: 1, `"a\uDC00"`: 2, `"\ud800x\udc00"`: 1, `"\ud800\n"`: 1, `"\ud800\ud800\udc00"`: 1, `"\ud83d\ude00\udc00"`: 13,
	} {
		if got := loneSurrogate([]byte(text)); got != want {
			t.Errorf("loneSurrogate(%s) = %d, want %d", text, got, want)
		}
	}
	if _, err := ReadJSON([]byte(`{"header":{"a":"\ud800"},"body":{}}`), engine.Registry()); err == nil {
		t.Error("ReadJSON accepted half of a surrogate pair")
	}
}
