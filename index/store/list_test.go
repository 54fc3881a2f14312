package store

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Lists that would never end are errors.
func TestEndlessLists(t *testing.T) {
	for name, text := range map[string]string{
		"the folder itself":     `<R><CommonPrefixes><Prefix>a/</Prefix></CommonPrefixes></R>`,
		"a folder elsewhere":    `<R><CommonPrefixes><Prefix>b/</Prefix></CommonPrefixes></R>`,
		"a folder of any depth": `<R><CommonPrefixes><Prefix>a/` + strings.Repeat("a/", 600) + `</Prefix></CommonPrefixes></R>`,
		"an object elsewhere":   `<R><Contents><Key>b</Key></Contents></R>`,
		"a negative size":       `<R><Contents><Key>a/b</Key><Size>-1</Size></Contents></R>`,
	} {
		if p, err := readPage(strings.NewReader(text), "bucket", "a/"); err == nil {
			t.Errorf("%s: p = %+v; want an error", name, p)
		}
	}
	for name, next := range map[string]func(asked int) string{
		"the same page":          func(int) string { return "t" },
		"two pages in turn":      func(asked int) string { return fmt.Sprint(asked % 2) },
		"new pages with nothing": func(asked int) string { return fmt.Sprint(asked) },
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked++
				fmt.Fprintf(w, `<R><IsTruncated>true</IsTruncated><NextContinuationToken>%s</NextContinuationToken></R>`, next(asked))
			}))
			s, err := Open(func(name string) string { return map[string]string{"AWS_ENDPOINT_URL": server.URL}[name] })
			if err != nil {
				t.Fatal(err)
			}
			if list, err := s.List(t.Context(), "s3://bucket"); err == nil || asked > 2*maxEmpty {
				t.Errorf("%s: %v after %d requests", name, list, asked)
			}
			server.Close()
		})
	}
}

// FuzzPage: a page has only objects and folders below its prefix.
func FuzzPage(f *testing.F) {
	f.Add(`<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><NextContinuationToken>n</NextContinuationToken><Contents><Key>a/b%20c</Key><Size>3</Size><LastModified>2024-01-02T03:04:05Z</LastModified><ETag>&quot;x&quot;</ETag></Contents><CommonPrefixes><Prefix>a/d/</Prefix></CommonPrefixes></ListBucketResult>`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := readPage(strings.NewReader(text), "bucket", "a/")
		if err != nil {
			return
		}
		for _, o := range p.objects {
			if !strings.HasPrefix(o.Path, "s3://bucket/a/") || o.Size < 0 || len(o.Path) > 2048 {
				t.Errorf(`o = %+v; want o.Path beginning with "s3://bucket/a/", o.Size at least 0, len(o.Path) at most 2048`, o)
			}
		}
		for _, folder := range p.folders {
			if !strings.HasPrefix(folder, "a/") || len(folder) <= len("a/") {
				t.Errorf(`folder = %q; want folder beginning with "a/", len(folder) above len("a/")`, folder)
			}
		}
	})
}
