package eterpack

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/testkit/corpus"
)

// TestHardCorpus opens real packs, each of which somebody's packer wrote in its
// own way. Every entry is extracted, and only what is wrong is a finding.
func TestHardCorpus(t *testing.T) {
	dir := corpus.Dir(t, "eterpack-hard")
	for _, c := range []struct {
		pack     string
		entries  int
		packer   packer
		findings string // severity and rule of each
	}{
		{"01_size_without_header", 16, headless, ""},
		{"02_empty_object", 50, eterNexus, ""},
		{"03_sizes_swapped", 94, eterNexus, ""},
		{"04_lz4", 154, eterNexus, ""},
		{"05_cp949_names", 1330, ymir, ""},
		{"07_tight", 94, tight, ""},
		{"08_type0_crc_unset", 90, tight, "warning hash_mismatch"},
	} {
		t.Run(c.pack, func(t *testing.T) {
			a := openPath(t, filepath.Join(dir, c.pack+indexExt), archive.Options{})
			if len(a.Entries()) != c.entries {
				t.Errorf("%d entries, want %d", len(a.Entries()), c.entries)
			}
			if p, n := a.packer(); p != c.packer || n != c.entries {
				t.Errorf("by %s, %d entries; want %s", p, n, c.packer)
			}
			var found []string
			report := mustVerify(t, a)
			for _, f := range report.Findings {
				found = append(found, string(f.Severity)+" "+f.Rule)
			}
			if s := strings.Join(found, "; "); s != c.findings || report.Unchecked != 0 {
				t.Errorf("findings %q, want %q; %d unchecked\n%v", s, c.findings, report.Unchecked, report.Findings)
			}
			for i := range a.Entries() {
				readEntry(t, a, i)
			}
			// Names go through text and back, byte for byte.
			for i, e := range a.Entries() {
				raw := a.index.records[a.record[i]].name
				if again, err := storeName(a.page, e.Name); err != nil || string(again) != string(raw) {
					t.Errorf("%q is listed as %q and stored as %q, %v", raw, e.Name, again, err)
				}
			}
		})
	}
}

func TestHardNames(t *testing.T) {
	dir := corpus.Dir(t, "eterpack-hard")
	a := openPath(t, filepath.Join(dir, "05_cp949_names.eix"), archive.Options{})
	if _, err := a.Stat("property/a/01.성/a1-001-house3.prb"); err != nil {
		t.Error(err)
	}
	for _, e := range a.Entries() {
		if strings.Contains(e.Name, "%") {
			t.Errorf("escaped: %q", e.Name)
		}
	}
}

// Keys, marks and data that are not there.
func TestHardRefusals(t *testing.T) {
	dir := corpus.Dir(t, "eterpack-hard")
	for name, want := range map[string]fault.Kind{"09_other_key": fault.WrongKey, "10_other_magic": fault.WrongKey} {
		t.Run(name, func(t *testing.T) {
			in, closer, err := archive.OpenFile(filepath.Join(dir, name+indexExt))
			if err != nil {
				t.Fatal(err)
			}
			defer closer.Close()
			if !(Format{}).Match(in) {
				t.Errorf("%s does not match", name)
			}
			if _, err := Open(t.Context(), in, archive.Options{}); !errors.Is(err, want) {
				t.Errorf("%s: %v, want %s", name, err, want)
			}
		})
	}
	a := openPath(t, filepath.Join(dir, "12_lfs_pointer.eix"), archive.Options{})
	if len(a.Entries()) != 8036 {
		t.Errorf("%d entries", len(a.Entries()))
	}
	if r := mustVerify(t, a); finding.Worst(r.Findings) != finding.Error || !strings.Contains(fmt.Sprint(r.Findings), "Git LFS") {
		t.Errorf(`r.Findings = %v; want finding.Worst(r.Findings) = finding.Error, fmt.Sprint(r.Findings) with "Git LFS"`, r.Findings)
	}
}
