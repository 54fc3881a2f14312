package parquet_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/index"
	"pakbox/index/parquet"
)

// The manifest is there when all parts are, of one listing; not before, and not
// while a part is written again.
func TestManifest(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	in := parquet.Disk(dir)
	var listing, other index.Fingerprint
	listing.Add("a", 1)
	listing.Add("b", 2)
	other.Add("b", 2)
	if listing.Hash() == other.Hash() {
		t.Error("two lists have one hash")
	}
	if other.Add("a", 1); listing != other {
		t.Error("the hash depends on the order")
	}
	other.Add("c", 3)
	part := func(l index.Fingerprint, i int) []int {
		t.Helper()
		m := parquet.NewManifest(l, i, 3)
		if err := parquet.Write(ctx, in, m, rowsOf("", nil)); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(dir, parquet.Success)); err == nil {
			t.Error("a part was written, and the manifest of the folder is still there")
		}
		missing, err := parquet.Complete(ctx, in, m)
		if err != nil {
			t.Fatal(err)
		}
		return missing
	}
	for i, c := range []struct {
		listing index.Fingerprint
		part    int
		missing []int
	}{
		{listing, 0, []int{2, 3}}, {listing, 2, []int{2}}, {other, 1, []int{1, 3}}, {listing, 1, nil}, {listing, 1, nil}, {other, 0, []int{2, 3}}, {listing, 0, nil},
	} {
		got := part(c.listing, c.part)
		if !slices.Equal(got, c.missing) {
			t.Errorf("%d: parts %d are missing, want %d", i, got, c.missing)
		}
		m, err := parquet.Read(ctx, in)
		if c.missing == nil && (err != nil || m.Parts != 3 || m.Files != 2 || m.Rows["maps"] != 3 || m.Listing != listing.Hash() || m.SchemaVersion != index.Version) {
			t.Errorf(`%d: m = %+v, err = %v; want c.missing other than nil or no error, m.Parts = 3, m.Files = 2, m.Rows["maps"] = 3, m.Listing = listing.Hash(), m.SchemaVersion = index.Version`, i, m, err)
		}
		if c.missing != nil && (err == nil || !strings.Contains(err.Error(), parquet.Success)) {
			t.Errorf("%d: a folder that is not complete: %v", i, err)
		}
	}
	for parts, fits := range map[int]bool{0: false, 1: false, 2: false, 3: true, 16: false} {
		if err := parquet.Claim(ctx, in, parts); (err == nil) != fits {
			t.Errorf("%d parts: %v", parts, err)
		}
	}
	if err := parquet.Claim(ctx, parquet.Disk(filepath.Join(dir, "none")), 2); err != nil {
		t.Error(err)
	}
	if _, err := parquet.Read(ctx, parquet.Disk(filepath.Join(dir, "none"))); err == nil {
		t.Error("a folder that is not there has a manifest")
	}
	if err := os.WriteFile(filepath.Join(dir, parquet.Success), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := parquet.Read(ctx, in); err == nil {
		t.Error("a manifest that is cut off")
	}
}

// Files of other programs with the names of tables must stay; formerly they were replaced.
func TestClaimForeignFiles(t *testing.T) {
	ctx := t.Context()
	for _, name := range []string{"maps.parquet", parquet.Success, "_PART-00000-of-00001"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("theirs"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := parquet.Claim(ctx, parquet.Disk(dir), 1); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("Claim(a foreign %s) = %v, want an error with its name", name, err)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "notes.parquet"), []byte("theirs"), 0o666); err != nil {
		t.Fatal(err)
	}
	var listing index.Fingerprint
	listing.Add("a", 1)
	if err := parquet.Write(ctx, parquet.Disk(dir), parquet.NewManifest(listing, 0, 1), rowsOf("", nil)); err != nil {
		t.Fatal(err)
	}
	if err := parquet.Claim(ctx, parquet.Disk(dir), 1); err != nil {
		t.Errorf("Claim(own tables, and a file of another name) = %v, want none", err)
	}
}
