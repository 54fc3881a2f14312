package archivetest

import (
	"context"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/fstest"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/internal/testkit/tier"
)

// testFS opens a whole archive: it is a file system, holds what went in, and
// verifies without a finding.
func (f *fixture) testFS(t *testing.T) {
	a := f.open(t, f.made(t))
	var names []string
	for _, e := range a.Entries() {
		names = append(names, e.Name)
		if e.Problem != nil {
			t.Errorf("%s: e.Problem = %v; want nil", e.Name, e.Problem)
		}
	}
	if err := fstest.TestFS(a, names...); err != nil {
		t.Error(err)
	}
	if a.Format() != f.Format.Name() {
		t.Errorf("the archive calls itself %q, its format %q", a.Format(), f.Format.Name())
	}
	got, err := contents(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range f.Items {
		want, err := readItem(it)
		if err != nil {
			t.Fatal(err)
		}
		if content, ok := got[f.stored(it.Name)]; !ok || content != string(want) {
			t.Errorf("%s: there: %v, of %d bytes; want %d", it.Name, ok, len(content), len(want))
		}
	}
	if f.Items != nil && len(got) != len(f.Items) {
		t.Errorf("%d entries, want %d: %q", len(got), len(f.Items), slices.Sorted(maps.Keys(got)))
	}
	f.testSizes(t, a, got)
	f.testReport(t, a, got)
	f.testConcurrent(t, a, got)
}

// testSizes compares the stated sizes of entries with their content.
func (f *fixture) testSizes(t *testing.T, a archive.Archive, got map[string]string) {
	for _, e := range a.Entries() {
		if e.Size >= 0 && e.Size != int64(len(got[e.Name])) {
			t.Errorf("%s: listed with %d bytes, has %d", e.Name, e.Size, len(got[e.Name]))
		}
		if info, err := a.Stat(e.Name); err != nil || info.IsDir() || info.Size() != e.Size {
			t.Errorf("%s: Stat: %v, %v", e.Name, info, err)
		}
		// The path that stands for the stored name finds a file too.
		if path := a.Root().Path(e.Name); path != e.Name {
			if _, err := a.Stat(path); err != nil {
				t.Errorf("%s is not found as %s: %v", e.Name, path, err)
			}
		}
	}
	for _, f := range a.Facts() {
		if f.Name == "" {
			t.Errorf("a fact without a name: %+v", f)
		}
	}
}

// testReport verifies, alone and with many workers.
func (f *fixture) testReport(t *testing.T, a archive.Archive, got map[string]string) {
	opts := f.Options
	opts.Workers = 1
	var seen progress
	opts.Progress = &seen
	alone, err := a.Verify(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	// An entry count of its own is allowed for formats with a File: they may check what
	// entries are made from, such as objects.
	if !alone.OK() || finding.Worst(alone.Findings) != "" || alone.Entries == 0 || f.File == nil && alone.Entries != len(a.Entries()) {
		t.Errorf("%d of %d entries, %d unchecked, %v", alone.Entries, len(a.Entries()), alone.Unchecked, alone.Findings)
	}
	all := int64(0)
	for _, content := range got {
		all += int64(len(content))
	}
	if f.File == nil && alone.Bytes != all {
		t.Errorf("%d bytes of content were checked, there are %d", alone.Bytes, all)
	}
	if seen.done != seen.total || f.File == nil && seen.total == 0 {
		t.Errorf("%d of %d bytes done", seen.done, seen.total)
	}
	opts.Workers, opts.Progress = 8, nil
	many, err := a.Verify(t.Context(), opts)
	if err != nil || !reflect.DeepEqual(alone, many) {
		t.Errorf("the report depends on the number of workers: %v, %v, %v", alone, many, err)
	}
}

// progress adds up the announced and the finished bytes.
type progress struct {
	sync.Mutex
	total, done int64
}

func (p *progress) Begin(total int64) { p.Lock(); defer p.Unlock(); p.total += total }
func (p *progress) Advance(n int64)   { p.Lock(); defer p.Unlock(); p.done += n }

// testConcurrent reads all entries at once, as archives allow.
func (f *fixture) testConcurrent(t *testing.T, a archive.Archive, want map[string]string) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got, err := contents(a); err != nil || !maps.Equal(got, want) {
				t.Errorf("read by several at a time: %v, or other content", err)
			}
		})
	}
	wg.Wait()
}

func readItem(it archive.Item) ([]byte, error) {
	rc, err := it.Open()
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	return io.ReadAll(rc)
}

// damages is how many times a file is damaged.
const damages = 10

// testDamage changes and cuts the files of an archive at random, the same way in each
// run. Every damage must lead to an error with a kind, or to an archive that is still
// right.
func (f *fixture) testDamage(t *testing.T) {
	path := f.made(t)
	if isFolder(path) {
		return // a folder cannot be damaged: any files are a valid folder
	}
	want, whole := f.mustRead(t, path), files(t, path)
	names := slices.Sorted(maps.Keys(whole))
	r := rand.New(rand.NewPCG(1, 2))
	opts := f.Options
	opts.MaxEntrySize = 1 << 22
	times := damages
	if tier.IsLong() {
		times *= 4
	}
	for range times {
		name := names[r.IntN(len(names))]
		if len(whole[name]) == 0 {
			continue
		}
		if err := os.WriteFile(name, damaged(r, whole[name]), 0o666); err != nil {
			t.Fatal(err)
		}
		within(t, "reading a damaged archive", func() { f.checkDamaged(t, path, opts, want) })
		if err := os.WriteFile(name, whole[name], 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// damaged changes some bytes, or cuts the file, or both.
func damaged(r *rand.Rand, whole []byte) []byte {
	b := slices.Clone(whole)
	if r.IntN(4) == 0 {
		b = b[:r.IntN(len(b))]
	}
	for range r.IntN(4) {
		if len(b) > 0 {
			// Most faults arise near the beginning and the end, where the tables are.
			at := r.IntN(len(b))
			if r.IntN(2) == 0 {
				at = min(r.IntN(600), len(b)-1)
			}
			b[at] = byte(r.Uint32())
		}
	}
	return b
}

func (f *fixture) checkDamaged(t *testing.T, path string, opts archive.Options, want map[string]string) {
	a, err := f.openAt(t.Context(), path, opts)
	if err != nil {
		wantKind(t, "opening", err)
		return
	}
	defer a.Close()
	report, err := a.Verify(t.Context(), opts)
	if err != nil {
		wantKind(t, "verifying", err)
		return
	}
	for _, found := range report.Findings {
		if found.Rule == "" || found.Message == "" {
			t.Errorf("finding %+v lacks a rule or a message", found)
		}
	}
	right := true
	for i, e := range a.Entries() {
		if e.Size < -1 || e.StoredSize < -1 || e.Offset < -1 {
			t.Errorf("%s: neither a number nor unknown: %+v", e.Name, e)
		}
		content, err := readEntry(a, i)
		wantKind(t, e.Name, err)
		right = right && err == nil && string(content) == want[e.Name]
	}
	if report.OK() && len(report.Findings) == 0 && !right && !f.Blind {
		t.Error("Verify has no findings for a damaged archive")
	}
}

// testContext cancels work before it begins and in the middle of it.
func (f *fixture) testContext(t *testing.T) {
	path := f.made(t)
	a := f.open(t, path)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := f.openAt(ctx, path, f.Options); err == nil { // opening did nothing that could be cancelled
		for i, e := range p.Entries() {
			if was := a.Entries()[i]; e.Name != was.Name || e.Size != was.Size {
				t.Errorf("opened while it was cancelled, an archive has %+v, not %+v", e, was)
			}
		}
		p.Close()
	} else if !errors.Is(err, context.Canceled) {
		t.Errorf("opening: %v", err)
	}
	if _, err := a.Verify(ctx, f.Options); !errors.Is(err, context.Canceled) && len(a.Entries()) > 0 {
		t.Errorf("verifying: %v", err)
	}
	if _, ok := f.Format.(archive.Creator); !ok || f.File != nil {
		return
	}
	before := files(t, path)
	for _, ctx := range []context.Context{ctx, f.calledOff(t)} {
		items := slices.Clone(f.Items)
		if cancel, ok := ctx.Value(cancelKey{}).(context.CancelFunc); ok {
			last := &items[len(items)-1]
			open := last.Open
			last.Open = func() (io.ReadCloser, error) { cancel(); return open() }
		}
		if err := f.create(ctx, path, items, f.options()); !errors.Is(err, context.Canceled) {
			t.Errorf("creating: %v", err)
		}
		if !reflect.DeepEqual(files(t, path), before) {
			t.Error("work that was cancelled left something behind")
		}
	}
}

// cancelKey is the key of the cancel function in the context from calledOff.
type cancelKey struct{}

// calledOff returns a context that is cancelled when the last item of an archive is
// opened.
func (f *fixture) calledOff(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	return context.WithValue(ctx, cancelKey{}, cancel)
}

// testLimits refuses entries that are larger than the caller allows.
func (f *fixture) testLimits(t *testing.T) {
	if f.Unlimited {
		return
	}
	opts := f.Options
	opts.MaxEntrySize = 100
	a, err := f.openAt(t.Context(), f.made(t), opts)
	if err != nil {
		if !errors.Is(err, fault.Limit) {
			t.Errorf("opening: %v", err)
		}
		return
	}
	defer a.Close()
	refused := 0
	for i, e := range a.Entries() {
		want := e.Size > opts.MaxEntrySize && (e.Compressed || e.Encrypted) // content that is stored unpacked takes no memory
		_, err := readEntry(a, i)
		if want {
			refused++
		}
		if want && !errors.Is(err, fault.Limit) || !want && err != nil {
			t.Errorf("%s, %d bytes: %v", e.Name, e.Size, err)
		}
	}
	report, err := a.Verify(t.Context(), opts)
	if err != nil || report.OK() != (refused == 0) || report.Unchecked != refused {
		t.Errorf("verification with a limit: %+v, %v", report, err)
	}
	f.testExactLimit(t, a.Entries())
}

// testExactLimit sets the limit to the size of the largest entry: everything can be read.
func (f *fixture) testExactLimit(t *testing.T, entries []archive.Entry) {
	opts := f.Options
	opts.MaxEntrySize = 1
	for _, e := range entries {
		opts.MaxEntrySize = max(opts.MaxEntrySize, e.Size)
	}
	a, err := f.openAt(t.Context(), f.made(t), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if _, err := contents(a); err != nil {
		t.Errorf("an entry of %d bytes, which are allowed: %v", opts.MaxEntrySize, err)
	}
}
