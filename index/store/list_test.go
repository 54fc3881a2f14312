package store

import (
	"strings"
	"testing"
)

// Lists that would never end are errors.
func TestEndlessLists(t *testing.T) {
	for name, text := range map[string]string{
		"the same token":        `<R><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken></R>`,
		"the folder itself":     `<R><CommonPrefixes><Prefix>a/</Prefix></CommonPrefixes></R>`,
		"a folder elsewhere":    `<R><CommonPrefixes><Prefix>b/</Prefix></CommonPrefixes></R>`,
		"a folder of any depth": `<R><CommonPrefixes><Prefix>a/` + strings.Repeat("a/", 600) + `</Prefix></CommonPrefixes></R>`,
		"an object elsewhere":   `<R><Contents><Key>b</Key></Contents></R>`,
		"a negative size":       `<R><Contents><Key>a/b</Key><Size>-1</Size></Contents></R>`,
	} {
		if p, err := readPage(strings.NewReader(text), "bucket", "a/", "t"); err == nil {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// FuzzPage: a page has only objects and folders below its prefix, and the next page is
// another one.
func FuzzPage(f *testing.F) {
	f.Add(`<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><NextContinuationToken>n</NextContinuationToken><Contents><Key>a/b%20c</Key><Size>3</Size><LastModified>2024-01-02T03:04:05Z</LastModified><ETag>&quot;x&quot;</ETag></Contents><CommonPrefixes><Prefix>a/d/</Prefix></CommonPrefixes></ListBucketResult>`)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := readPage(strings.NewReader(text), "bucket", "a/", "t")
		if err != nil {
			return
		}
		for _, o := range p.objects {
			if !strings.HasPrefix(o.Path, "s3://bucket/a/") || o.Size < 0 || len(o.Path) > 2048 {
				t.Errorf("%+v", o)
			}
		}
		for _, folder := range p.folders {
			if !strings.HasPrefix(folder, "a/") || len(folder) <= len("a/") {
				t.Errorf("%q", folder)
			}
		}
		if p.next == "t" {
			t.Error("the same page comes next")
		}
	})
}
