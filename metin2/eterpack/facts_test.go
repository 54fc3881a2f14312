package eterpack

import (
	"fmt"
	"strings"
	"testing"

	"pakbox/archive"
)

// factWords writes facts as one line.
func factWords(a *Archive) string {
	var all []string
	for _, f := range a.Facts() {
		all = append(all, fmt.Sprintf("%s=%v", f.Name, f.Value))
	}
	return strings.Join(all, " ")
}

func TestFacts(t *testing.T) {
	s := newSample(t)
	s.records = append(s.records, record{id: 9, slotSize: 256})
	open := func(epk []byte) *Archive {
		a, err := openMemory(s.eix(t), epk, archive.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	used := int(s.records[0].dataSize + s.records[1].dataSize + s.records[2].dataSize)
	want := fmt.Sprintf("index=plain packer=Ymir index_version=2 free_slots=1 data_size=%d data_used=%d type_0=1 type_1=1 type_2=1", len(s.epk), used)
	if got := factWords(open(s.epk)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	alone := strings.Replace(strings.Replace(want, " packer=Ymir", "", 1), fmt.Sprintf("data_size=%d", len(s.epk)), "data_size=<nil>", 1)
	if got := factWords(open(nil)); got != alone {
		t.Errorf("got  %s\nwant %s", got, alone)
	}
	s.rename(0, "\xb0\xa1")
	s.marks.index = "IDX!"
	s.form = indexEncrypted
	if got := factWords(open(s.epk)); !strings.HasPrefix(got, "index=encrypted packer=Ymir marks=[IDX! MCOZ] code_page=949 ") {
		t.Errorf(`got = %v; want got beginning with "index=encrypted packer=Ymir marks=[IDX! MCOZ] code_page=949 "`, got)
	}
	s.rename(0, "\xff")
	if got := factWords(open(s.epk)); !strings.Contains(got, " code_page=unknown ") {
		t.Errorf(`got = %v; want got with " code_page=unknown "`, got)
	}
}

// Each packer's ways are known by its sizes, and nobody's by others.
func TestPackerOf(t *testing.T) {
	object := objectHeader{mark: "MCOZ", compressedSize: 100, realSize: 1000} // 120 bytes
	sealed := objectHeader{mark: "MCOZ", encryptSize: 120, compressedSize: 100, realSize: 1000}
	snug := objectHeader{mark: "MCOZ", encryptSize: 104, compressedSize: 100, realSize: 1000}
	for _, c := range []struct {
		kind           int8
		slot, data, at int32
		h              objectHeader
		want           packer
	}{
		{typeRaw, 256, 255, 256, objectHeader{}, ymir},
		{typeRaw, 512, 256, 0, objectHeader{}, ymir},
		{typeRaw, 256, 256, 256, objectHeader{}, tight}, // no byte more than needed
		{typeRaw, 256, 255, 100, objectHeader{}, ""},
		{typeRaw, 255, 255, 100, objectHeader{}, tight},
		{typeCompress, 256, 120, 512, object, ymir},
		{typeCompress, 256, 121, 512, object, ""},
		{typeCompress, 257, 120, 512, object, ""},
		{typeCompress, 120, 256, 512, object, eterNexus},
		{typeCompress, 120, 512, 512, object, eterNexus},
		{typeCompress, 120, 768, 512, object, ""},
		{typeCompress, 120, 256, 500, object, ""},
		{typeCompress, 121, 256, 512, object, ""},
		{typeCompress, 120, 120, 7, object, tight},
		{typeCompress, 1000, 104, 7, object, headless},
		{typeCompress, 1001, 104, 7, object, ""},
		{typeCompress, 1000, 105, 7, object, ""},
		{typeEncrypted, 256, 140, 512, sealed, ymir},
		{typeEncrypted, 256, 136, 512, sealed, ""},
		{typeEncrypted, 256, 140, 512, snug, ""},
		{typeEncrypted, 120, 120, 7, snug, tight},
		{typeEncrypted, 136, 136, 7, sealed, ""},
		{typeEncrypted, 1000, 104, 7, snug, headless},
		{3, 256, 200, 256, objectHeader{}, ymir},
		{3, 200, 200, 256, objectHeader{}, ""},
	} {
		r := &record{kind: c.kind, slotSize: c.slot, dataSize: c.data, position: c.at}
		if got := packerOf(r, c.h); got != c.want {
			t.Errorf("%+v: got = %q; want %q", c, got, c.want)
		}
	}
}
