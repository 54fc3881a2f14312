package archive_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
)

// placed is an archive with data at places of a file of 100 bytes. The content
// of each entry is its name; that of "broken" cannot be read.
func placed(fold bool, entries ...archive.Entry) *archive.Tree {
	return archive.NewTree(entries, fold, func(i int) (io.ReadCloser, error) {
		switch name := entries[i].Name; name {
		case "broken":
			return nil, errors.New("a bad sector")
		case "locked":
			return nil, fault.New(fault.KeyRequired, "no key")
		default:
			return io.NopCloser(strings.NewReader(name)), nil
		}
	})
}

func at(name string, offset, size int64) archive.Entry {
	return archive.Entry{Name: name, Offset: offset, StoredSize: size, Size: int64(len(name))}
}

// summary formats a report in a few words.
func summary(r *archive.Report) (list []string) {
	for _, f := range r.Findings {
		list = append(list, fmt.Sprintf("%s %s %s@%d %s", f.Severity, f.Rule, f.Entry, f.Offset, f.Field))
	}
	return list
}

func TestVerifyEntries(t *testing.T) {
	long := "a/" + strings.Repeat("n", 256)
	for _, test := range []struct {
		what      string
		tree      *archive.Tree
		checks    archive.EntryChecks
		want      []string
		unchecked int
	}{
		{"sound", placed(false, at("a", 0, 10), at("b", 10, 90)), archive.EntryChecks{FileSize: 100}, nil, 0},
		{"names that lead out, and the same name", placed(false, at("../x", 0, 1), at("a", 1, 1), at("a", 2, 1), at("A", 3, 1)), archive.EntryChecks{FileSize: 100},
			[]string{"error unsafe_path ../x@-1 name", "error duplicate_name a@-1 name"}, 0},
		{"a part that no file can be called", placed(false, at(long, 0, 1)), archive.EntryChecks{},
			[]string{"error name_too_long " + long + "@-1 name"}, 0},
		{"the same name but for case", placed(true, at("a", 1, 1), at("A", 3, 1)), archive.EntryChecks{Names: finding.Warning},
			[]string{"warning duplicate_name A@-1 name"}, 0},
		{"a key of its own", placed(true, at("a1", 1, 1), at("b1", 3, 1)), archive.EntryChecks{Key: func(int) string { return "same" }, At: func(i int, kind fault.Kind) (int64, string) { return 7, string(kind) }},
			[]string{"error duplicate_name b1@7 duplicate_name"}, 0},
		{"overlaps", placed(false, at("a", 10, 10), at("b", 19, 5), at("c", 20, 1)), archive.EntryChecks{FileSize: 100},
			[]string{"error overlap b@19 ", "error overlap c@20 "}, 0},
		{"overlaps that the format reports", placed(false, at("a", 10, 10), at("b", 19, 5)), archive.EntryChecks{FileSize: 100, OwnOverlaps: true}, nil, 0},
		{"a place outside of the file", placed(false, at("a", 10, 10), at("b", -5, 50), at("c", 90, 11)), archive.EntryChecks{FileSize: 100}, nil, 0},
		{"content that fails", placed(false, at("broken", 0, 10), at("locked", 10, 90)), archive.EntryChecks{FileSize: 100},
			[]string{"error corrupt broken@-1 ", "warning key_required locked@-1 "}, 1},
		{"twice the file", placed(false, at("a", 0, 100), at("b", 0, 100)), archive.EntryChecks{FileSize: 100, OwnOverlaps: true}, nil, 0},
		{"three times the file", placed(false, at("a", 0, 100), at("b", 0, 100), at("broken", 0, 100)), archive.EntryChecks{FileSize: 100, OwnOverlaps: true},
			[]string{"warning limit_exceeded @-1 "}, 2},
	} {
		t.Run(test.what, func(t *testing.T) {
			report, err := archive.VerifyEntries(t.Context(), test.tree, test.checks, archive.Options{})
			if err != nil {
				t.Fatal(test.what, err)
			}
			if got := summary(report); !reflect.DeepEqual(got, test.want) || report.Unchecked != test.unchecked || report.Entries != len(test.tree.Entries()) {
				t.Errorf("%s: %q, %d unchecked of %d; want %q, %d", test.what, got, report.Unchecked, report.Entries, test.want, test.unchecked)
			}
		})
	}
}

// A format's own checks of an entry come behind the shared ones, and before its
// content. Work that is cancelled ends with an error.
func TestVerifyEntriesHooks(t *testing.T) {
	tree := placed(false, at("/a", 0, 1), at("b", 1, 1))
	checks := archive.EntryChecks{
		Entry: func(i int, r *archive.Report) { r.Add(finding.Note, fault.New(fault.BadEntry, "entry %d", i)) },
		Content: func(_ context.Context, i int, r *archive.Report) error {
			r.Bytes = int64(10 + i)
			r.Add(finding.Note, fault.New(fault.Corrupt, "content %d", i))
			return nil
		},
		Cost: func(int) int64 { return 1 << 40 },
	}
	report, err := archive.VerifyEntries(t.Context(), tree, checks, archive.Options{})
	var messages []string
	for _, f := range report.Findings {
		messages = append(messages, f.Message)
	}
	want := "name: the name is an absolute path, entry 0, content 0, entry 1, content 1"
	if got := strings.Join(messages, ", "); err != nil || got != want || report.Bytes != 21 {
		t.Errorf("%s, %d bytes, %v", got, report.Bytes, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if report, err := archive.VerifyEntries(ctx, tree, archive.EntryChecks{}, archive.Options{}); !errors.Is(err, context.Canceled) || report != nil {
		t.Errorf("report = %v, err = %v; want err matching context.Canceled, report = nil", report, err)
	}
}

func TestCheckNew(t *testing.T) {
	lower := func(name string) (string, error) { return strings.ToLower(name), nil }
	short := func(name string) (string, error) {
		if len(name) > 2 {
			return "", fault.New(fault.NameTooLong, "too long")
		}
		return name, nil
	}
	for _, test := range []struct {
		names  string
		stored func(string) (string, error)
		want   string
	}{
		{"a A b", nil, ""},
		{"d:/ymir work/x a", nil, ""},
		{"a ../b", nil, "../b: name: the name has an empty, '.' or '..' part"},
		{"a b a", nil, "a: two files have this name"},
		{"a A", lower, "A: to the format this name equals a"},
		{"a b a", lower, "a: two files have this name"},
		{"a abc", short, "abc: too long"},
	} {
		var items []archive.Item
		for name := range strings.SplitSeq(strings.ReplaceAll(test.names, "ymir work", "ymir_work"), " ") {
			items = append(items, archive.Item{Name: strings.ReplaceAll(name, "ymir_work", "ymir work")})
		}
		got := ""
		if err := archive.CheckNew(items, drive, test.stored); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.names, got, test.want)
		}
	}
}
