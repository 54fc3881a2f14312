package eterpack

import (
	"pakbox/fault"
	"pakbox/metin2/internal/codepage"
	"pakbox/metin2/internal/packname"
)

// maxName is the longest name a record holds; one more byte is for the NUL.
const maxName = 160

// codePage is the code page of the names.
func (x *index) codePage(asked string) (*codepage.Page, error) {
	names := make([][]byte, len(x.records))
	for i := range x.records {
		names[i] = x.records[i].name
	}
	return packname.CodePage(asked, names)
}

// storeName returns the stored bytes for the name of a new entry.
func storeName(page *codepage.Page, name string) ([]byte, error) {
	raw, err := packname.StoreName(page, name, maxName)
	if err == nil && nameCRC(raw) == 0 {
		err = fault.InEntry(fault.New(fault.BadEntry, "the CRC-32 of the name is 0, which marks a free slot"), name)
	}
	return raw, err
}

// CheckName refuses a name that the format cannot hold; writable mounts call it. Names
// that are new together may still need a code page that none of them has.
func (a *Archive) CheckName(name string) error {
	page, err := a.pageFor([]string{name})
	if err == nil {
		_, err = storeName(page, name)
	}
	return err
}

// pageFor returns the code page for new names: that of the pack, or a suitable one if all
// names of the pack are ASCII.
func (a *Archive) pageFor(names []string) (*codepage.Page, error) {
	if a.beyondASCII() {
		return a.page, nil
	}
	return packname.NewCodePage(a.askedPage, names)
}
