package packname

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/metin2/internal/codepage"
)

// CodePage returns the code page of the names in a pack: the requested one, or the one in
// which all names are valid.
func CodePage(asked string, names [][]byte) (*codepage.Page, error) {
	if asked != "" {
		return findPage(asked)
	}
	return codepage.Guess(names), nil
}

// NewCodePage returns the code page for the names of a new pack.
func NewCodePage(asked string, names []string) (*codepage.Page, error) {
	if asked != "" {
		return findPage(asked)
	}
	page, err := codepage.For(names)
	if err != nil {
		return nil, fault.New(fault.BadEntry, "%v: choose a code page, for example 1252 or utf-8", err)
	}
	return page, nil
}

// Advise says in which code page the names of a new pack are stored, if that matters and the
// user named none. Clients read the names in the code page of their language.
func Advise(opts archive.CreateOptions, page *codepage.Page, names []string) {
	beyond := 0
	for _, name := range names {
		if strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) {
			beyond++
		}
	}
	if opts.Advise == nil || opts.CodePage != "" || beyond == 0 || page == nil {
		return
	}
	opts.Advise(fmt.Sprintf("%d of %d names are not ASCII and are stored in code page %s; clients read the code page of their language, such as 949 or 1252: --code-page chooses it", beyond, len(names), page.Name))
}

// findPage returns the code page that a user named.
func findPage(name string) (*codepage.Page, error) {
	page, ok := codepage.Find(name)
	if !ok {
		return nil, &archive.ParamError{Name: "code-page", Value: name, Want: "one of " + strings.Join(codepage.Names(), ", ")}
	}
	return page, nil
}

// Lower converts ASCII letters to lower case, as the client does before it looks a name
// up.
func Lower(raw []byte) []byte {
	out := make([]byte, len(raw))
	for i, c := range raw {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		out[i] = c
	}
	return out
}

// StoreName returns the stored form of a new entry's name, in lower case. A name longer
// than most bytes is an error.
func StoreName(page *codepage.Page, name string, most int) ([]byte, error) {
	if err := Root.Check(name); err != nil {
		return nil, err
	}
	raw, err := page.Bytes(name)
	if err != nil {
		return nil, fault.InEntry(fault.New(fault.BadEntry, "the name: %v", err), name)
	}
	if raw = Lower(raw); len(raw) > most {
		return nil, fault.InEntry(fault.New(fault.NameTooLong, "the name has %d bytes, a record holds %d", len(raw), most), name)
	}
	return raw, nil
}
