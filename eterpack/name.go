package eterpack

import (
	"strings"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/internal/lib/codepage"
	"pakbox/internal/metin2"
)

// maxName is the longest name a record holds; one more byte is for the NUL.
const maxName = 160

// findPage returns the code page that a user named.
func findPage(name string) (*codepage.Page, error) {
	page, ok := codepage.Find(name)
	if !ok {
		return nil, &archive.ParamError{Name: "code-page", Value: name, Want: "one of " + strings.Join(codepage.Names(), ", ")}
	}
	return page, nil
}

// codePage is the page of the names: the one that is asked for, or the one that
// all of them are valid in.
func (x *index) codePage(asked string) (*codepage.Page, error) {
	if asked != "" {
		return findPage(asked)
	}
	names := make([][]byte, len(x.records))
	for i := range x.records {
		names[i] = x.records[i].name
	}
	return codepage.Guess(names), nil
}

// pageFor is the code page for new names.
func pageFor(names []string, asked string) (*codepage.Page, error) {
	if asked != "" {
		return findPage(asked)
	}
	page, err := codepage.For(names)
	if err != nil {
		return nil, fault.New(fault.BadEntry, "%v: choose a code page, for example 1252 or utf-8", err)
	}
	return page, nil
}

// lower lowers ASCII letters, as the client does before it looks a name up.
func lower(raw []byte) []byte {
	out := make([]byte, len(raw))
	for i, c := range raw {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		out[i] = c
	}
	return out
}

// storeName gives the bytes that a new entry of that name is stored under, in
// lower case.
func storeName(page *codepage.Page, name string) ([]byte, error) {
	if err := metin2.Root.Check(name); err != nil {
		return nil, err
	}
	raw, err := page.Bytes(name)
	if err != nil {
		return nil, fault.InEntry(fault.New(fault.BadEntry, "the name: %v", err), name)
	}
	raw = lower(raw)
	if len(raw) > maxName {
		return nil, fault.InEntry(fault.New(fault.NameTooLong, "the name has %d bytes, a record holds %d", len(raw), maxName), name)
	}
	if nameCRC(raw) == 0 {
		return nil, fault.InEntry(fault.New(fault.BadEntry, "the CRC-32 of the name is 0, which marks a free slot"), name)
	}
	return raw, nil
}
