package codepage

import (
	"bytes"
	"strings"
	"testing"
)

func TestGuess(t *testing.T) {
	for name, c := range map[string]struct {
		raw  []string
		want string
		text string // of the first
	}{
		"ascii":           {[]string{"root/a.py"}, "949", "root/a.py"},
		"korean":          {[]string{"property/a/01.\xbc\xba/x.prb"}, "949", "property/a/01.성/x.prb"},
		"utf-8 only":      {[]string{"\xed\x95\x9c\xea\xb8\x80\xe2\x82\xac!", "\xc3\xa4!"}, "utf-8", "한글€!"},
		"neither":         {[]string{"\xff\xfe", "\xbc\xba\xff"}, "", "%FF%FE"},
		"escapes escaped": {[]string{"100%25 %BC 50%"}, "949", "100%2525 %25BC 50%"},
	} {
		var raws [][]byte
		for _, r := range c.raw {
			raws = append(raws, []byte(r))
		}
		p := Guess(raws)
		if got := pageName(p); got != c.want {
			t.Errorf("%s: page %q, want %q", name, got, c.want)
		}
		if got := p.Text(raws[0]); got != c.text {
			t.Errorf("%s: %q, want %q", name, got, c.text)
		}
		for _, raw := range raws {
			if again, err := p.Bytes(p.Text(raw)); err != nil || !bytes.Equal(again, raw) {
				t.Errorf("%s: %q came back as %q, %v", name, raw, again, err)
			}
		}
	}
}

func pageName(p *Page) string {
	if p == nil {
		return ""
	}
	return p.Name
}

// A name that is not valid in the page is escaped as a whole, also where parts
// of it would be valid.
func TestTextIsWholeOrEscaped(t *testing.T) {
	p, _ := Find("cp949")
	if got, want := p.Text([]byte("\xbc\xba\xff")), "%BC%BA%FF"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := (*Page)(nil).Text([]byte("\xc3\xa4")), "%C3%A4"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestFor(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"a", "성"}, "949"},
		{[]string{"성", "ä!"}, "utf-8"},
		{[]string{"ä"}, ""}, // whose UTF-8 is a letter of page 949
	} {
		p, err := For(c.names)
		if pageName(p) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q: page %q, %v; want %q", c.names, pageName(p), err, c.want)
		}
	}
}

func TestBytesRefuses(t *testing.T) {
	p, _ := Find("1252")
	for _, name := range []string{"성", "\xff", "�"} {
		if raw, err := p.Bytes(name); err == nil {
			t.Errorf("%q became %q", name, raw)
		}
	}
	if _, err := (*Page)(nil).Bytes("ä"); err == nil {
		t.Error("a letter beyond ASCII passed without a page")
	}
}

func TestFind(t *testing.T) {
	for _, name := range []string{"949", "CP949", "cp1252", "UTF8", "utf-8"} {
		if _, ok := Find(name); !ok {
			t.Errorf("no page %s", name)
		}
	}
	if _, ok := Find("4711"); ok {
		t.Error("found page 4711")
	}
	if names := strings.Join(Names(), " "); !strings.Contains(names, "949") || !strings.Contains(names, "1254") {
		t.Errorf("names: %s", names)
	}
}

func FuzzBytes(f *testing.F) {
	for _, s := range []string{"a", "\xbc\xba", "%BC", "\xff%25", "한글"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, p := range append(pages, nil) {
			if again, err := p.Bytes(p.Text(raw)); err != nil || !bytes.Equal(again, raw) {
				t.Errorf("page %s: %q shown as %q came back as %q, %v", pageName(p), raw, p.Text(raw), again, err)
			}
		}
	})
}
