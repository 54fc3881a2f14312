package ziparchive_test

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/archive/ziparchive"
)

// twoFiles is a zip of good.txt and more.txt. Writers that know the sizes beforehand use
// CreateRaw; streamed files have their sizes behind the content.
func twoFiles(t *testing.T, streamed bool) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"good.txt", "more.txt"} {
		h := &zip.FileHeader{Name: name, Method: zip.Store, CRC32: 0x3610a686, CompressedSize64: 5, UncompressedSize64: 5}
		create := w.CreateRaw
		if streamed {
			h.Method, create = zip.Deflate, w.CreateHeader
		}
		dst, err := create(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := dst.Write([]byte("hello")); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Verify must report files of which the header before the content and the directory state
// different things, and files and directories that only some programs see.
func TestContradictions(t *testing.T) {
	plain := string(twoFiles(t, false))
	end := plain[len(plain)-22:]
	for _, test := range []struct{ name, file, want string }{
		{"unchanged", plain, ""},
		{"streamed", string(twoFiles(t, true)), ""},
		{"behind another file", "#!/bin/sh\n" + plain, ""},
		{"another name", strings.Replace(plain, "good.txt", "EVIL.exe", 1), `the header before the content states another name than the directory: "EVIL.exe"`},
		{"another method", plain[:8] + "\x08" + plain[9:], "another method than the directory: deflate"},
		{"encryption", plain[:6] + "\x01" + plain[7:], "another encryption than the directory"},
		{"another checksum", plain[:14] + "\x00" + plain[15:], "another crc32 than the directory"},
		{"another stored size", plain[:18] + "\x04" + plain[19:], "another stored size than the directory"},
		{"another size", plain[:22] + "\x06" + plain[23:], "another size than the directory"},
		{"an unlisted file", plain[:43] + plain + "", "a file between the others is not in the directory"},
		{"a second end", plain[:len(plain)-22] + end + end, "a second end record"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, err := ziparchive.Open(t.Context(), archive.Input{ReaderAt: strings.NewReader(test.file), Size: int64(len(test.file))}, archive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			report, err := a.Verify(t.Context(), archive.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, f := range report.Findings {
				found = append(found, f.Entry+": "+f.Message)
			}
			got := strings.Join(found, "; ")
			if test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("Verify found %q, want %q", got, test.want)
			}
		})
	}
}
