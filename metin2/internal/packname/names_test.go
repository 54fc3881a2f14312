package packname

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
)

func TestCodePage(t *testing.T) {
	korean := []byte{0xB0, 0xA1} // valid in the code page of Korean, not in UTF-8
	guessed, err := CodePage("", [][]byte{korean})
	if err != nil || guessed == nil {
		t.Fatalf("err = %v; want no error, guessed other than nil", err)
	}
	asked, err := CodePage("1252", [][]byte{korean})
	if err != nil || asked.Name != "1252" || asked.Name == guessed.Name {
		t.Errorf("asked %v, guessed %v, %v", asked, guessed, err)
	}
	_, old := CodePage("latin", nil)
	_, fresh := NewCodePage("latin", nil)
	for _, err := range []error{old, fresh} {
		var wrong *archive.ParamError
		if !errors.As(err, &wrong) || wrong.Name != "code-page" || wrong.Value != "latin" || !strings.HasPrefix(wrong.Want, "one of ") || !strings.Contains(wrong.Want, "1252") {
			t.Errorf("err = %v", err)
		}
	}
	if page, err := NewCodePage("utf-8", []string{"\u20ac"}); err != nil || page.Name != "utf-8" {
		t.Errorf(`page = %v, err = %v; want no error, page.Name = "utf-8"`, page, err)
	}
	if page, err := NewCodePage("", []string{"plain"}); err != nil || page == nil {
		t.Errorf("page = %v, err = %v; want no error, page other than nil", page, err)
	}
	_, err = NewCodePage("", []string{"\u00e9"}) // its bytes in UTF-8 are a Korean letter
	if fault.KindOf(err) != fault.BadEntry || !strings.Contains(err.Error(), "choose a code page") {
		t.Errorf(`err = %v; want err of kind fault.BadEntry, err with "choose a code page"`, err)
	}
}

func TestStoreName(t *testing.T) {
	page, err := CodePage("1252", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := StoreName(page, "D:/Ymir Work/AZaz[\u00C4].TXT", 100); err != nil || !bytes.Equal(got, []byte("d:/ymir work/azaz[\xC4].txt")) {
		t.Errorf("got = %q err = %v; want no error, got equal to []byte(\"d:/ymir work/azaz[\\xC4].txt\")", got, err) // only ASCII letters: the client knows no others
	}
	if got, err := StoreName(page, "a/b", 3); err != nil || string(got) != "a/b" {
		t.Errorf(`got = %q err = %v; want no error, got = "a/b"`, got, err)
	}
	for _, c := range []struct {
		name string
		kind fault.Kind
		text string
	}{
		{"a/bc", fault.NameTooLong, "the name has 4 bytes, a record holds 3"},
		{"\uac00", fault.BadEntry, "the name"},
		{"../a", fault.Unsafe, ""},
	} {
		_, err := StoreName(page, c.name, 3)
		var f *fault.Error
		if !errors.As(err, &f) || f.Kind != c.kind || f.Entry != c.name || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: err = %v; want err of the type of f, f.Kind = %v, f.Entry = %v, err with %q", c.name, err, c.kind, c.name, c.text)
		}
	}
	raw := []byte("AZ@[`")
	if got := Lower(raw); string(got) != "az@[`" || string(raw) != "AZ@[`" {
		t.Errorf("%s, and %s", got, raw)
	}
}

func TestRoot(t *testing.T) {
	if got := Root.Path("d:/ymir work/x.txt"); got != "ymir work/x.txt" {
		t.Errorf(`got = %v; want "ymir work/x.txt"`, got)
	}
	if Root.Param != RootParam.Name || Root.Folder != RootParam.Default || RootParam.Name != "ymir-work" {
		t.Errorf(`Root = %+v RootParam = %+v; want Root.Param = %v, Root.Folder = %v, RootParam.Name = "ymir-work"`, Root, RootParam, RootParam.Name, RootParam.Default)
	}
}
