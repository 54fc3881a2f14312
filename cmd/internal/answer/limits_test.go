package answer

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"pakbox/archive"
	"pakbox/archive/ziparchive"
	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/gbx/classid"
)

// One value may have so many bytes. After as many in sum the watch looks at the memory.
func TestMadeValues(t *testing.T) {
	ctx, w, stop := watched(t.Context())
	defer stop()
	for _, size := range []int64{0, maxValue, 1, maxValue - 1, 2} {
		if w.made("v", size) != "v" || ctx.Err() != nil {
			t.Errorf("%d bytes are too many", size)
		}
	}
	w.bytes.Store(0)
	w.end.Store(0) // the time is over, which only a look notices
	if w.made("v", maxValue) != "v" || w.bytes.Load() != maxValue {
		t.Error("a look before so many bytes were made")
	}
	if got := w.made("v", 1); got != error(errMemory) || w.bytes.Load() != 0 || !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		t.Errorf("%v, %d bytes left, %v", got, w.bytes.Load(), context.Cause(ctx))
	}
	ctx, w, stop = watched(t.Context())
	defer stop()
	if got := w.made("v", maxValue+1); got != error(errMemory) || context.Cause(ctx) != error(errMemory) {
		t.Errorf("a large value: %v, %v", got, context.Cause(ctx))
	}
}

// A query ends when its time is over or the memory has grown; before it begins nothing
// counts. Every 4096th check looks.
func TestLooks(t *testing.T) {
	ctx, w, stop := watched(t.Context())
	defer stop()
	if !w.look() {
		t.Error("a query ends before it begins")
	}
	w.begin()
	if left := time.Until(time.Unix(0, w.end.Load())); !w.look() || left > maxQueryTime || left < maxQueryTime-time.Minute/12 {
		t.Errorf("%v are left", left)
	}
	w.before.Store(0) // as if all memory had come since
	grown := make([]byte, maxGrowth+1)
	for i := range 4095 {
		if ctx.Done(); ctx.Err() != nil {
			t.Fatalf("looked at check %d", i+1)
		}
	}
	if ctx.Done(); context.Cause(ctx) != error(errMemory) || w.look() {
		t.Errorf("%v with %d bytes more", context.Cause(ctx), len(grown))
	}
	runtime.KeepAlive(&grown[0])
}

func TestSizes(t *testing.T) {
	_, w, stop := watched(t.Context())
	defer stop()
	text := strings.Repeat("x", 100)
	for _, c := range []struct {
		v, most any
		fits    bool
	}{{text, 100, true}, {text, 99, false}, {text, 100.5, true}, {text, 99.5, false}, {text, nil, true}, {[]any{1.0}, 24 + 8, true}, {[]any{1.0}, 31, false}} {
		if got := w.fits(c.v, c.most); (got != error(errMemory)) != c.fits {
			t.Errorf("%v in %v: %v", c.v, c.most, got)
		}
	}
	if got := sizeOf(map[string]any{"ab": "c", "d": []any{}}, 1000); got != 2+valueBytes+1+1+valueBytes+8+8 {
		t.Errorf("an object has %d bytes", got)
	}
	wide := make([]any, maxValue/16/4)
	for i := range wide {
		wide[i] = []any{}
	}
	wide[1] = []any{1, 2, 3, 4}
	if _, ok := w.fitsTable(wide).([]any); !ok {
		t.Error("a table is too large")
	}
	wide[1] = []any{1, 2, 3, 4, 5}
	if got := w.fitsTable(wide); got != error(errMemory) {
		t.Error("a table is not too large")
	}
	huge := new(big.Int).Lsh(big.NewInt(1), 100)
	for _, c := range []struct {
		l, r any
		fits bool
	}{{"ab", maxValue / 2, true}, {"ab", maxValue/2 + 1, false}, {maxValue/2 + 1, "ab", false}, {"ab", math.Inf(1), false}, {"ab", -1, true}, {"ab", 0, true}, {2, 3, true}, {"a", "b", true}, {"ab", huge, false}} {
		if got := w.product("v", c.l, c.r); (got == "v") != c.fits {
			t.Errorf("%v times %v: %v", c.l, c.r, got)
		}
	}
	for at, ok := range map[any]bool{maxValue / 16: true, maxValue/16 + 1: false, "name": true, 1.5: true, huge: false} {
		if got := near("v", []any{"list", at}); (got == "v") != ok {
			t.Errorf("index %v: %v", at, got)
		}
	}
}

// The text of a chunk goes from its head to the next one.
func TestSheetPart(t *testing.T) {
	const sheet = "0303 Name\n\nchunk 00a\n int x\n\n int y\nchunk 00B skippable\n int z\nheader 03003002\n byte v\nenum E\n A\n"
	for id, want := range map[classid.ID]string{
		0x0300300A: "chunk 00a\n int x\n\n int y\n", 0x0300300B: "chunk 00B skippable\n int z\n", 0x03003002: "header 03003002\n byte v\n", 0x03003003: "",
	} {
		if got := sheetPart(sheet, id); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%v: %q, want %q", id, got, want)
		}
	}
}

// Differences are looked for inside archives inside archives, down to a limit.
func TestDeepDifference(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.zip": "one", "b.zip": "two"} {
		t.Run(name, func(t *testing.T) {
			inner, data := "x.txt", []byte(text)
			for range deepest + 2 {
				var b bytes.Buffer
				z := zip.NewWriter(&b)
				w, err := z.CreateHeader(&zip.FileHeader{Name: inner})
				if err == nil {
					_, err = w.Write(data)
				}
				if err := errors.Join(err, z.Close()); err != nil {
					t.Fatal(err)
				}
				inner, data = "in.zip", b.Bytes()
			}
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
	o := source.NewOpener(archive.Registry{ziparchive.Format{}})
	first := &question.At{Path: filepath.Join(dir, "a.zip"), Opener: o}
	d, err := diff(t.Context(), first, first.For(filepath.Join(dir, "b.zip")), 0)
	if err != nil {
		t.Fatal(err)
	}
	levels := ""
	for ; d != nil; d = d.Inside["in.zip"] {
		levels += fmt.Sprint(len(d.Files))
	}
	if want := strings.Repeat("1", deepest+1); levels != want {
		t.Errorf("differences on levels %s, want %s", levels, want)
	}
}

// A document may have so many bytes and values: each comma and each beginning of a list or
// an object counts as a value.
func TestLimited(t *testing.T) {
	const text = `{"a":[1,2],"b":[]}`
	for _, most := range []int{len(text) + 5*valueBytes, len(text) + 5*valueBytes - 1} {
		var b strings.Builder
		_, err := (&limited{&b, most}).Write([]byte(text))
		if fits := most == len(text)+5*valueBytes; (err == nil) != fits || (b.String() == text) != fits {
			t.Errorf("of %d: %v, %q", most, err, b.String())
		}
	}
}

// A class is named by its name in any case, or by an ID of five or eight digits.
func TestFindClass(t *testing.T) {
	for arg, want := range map[string]classid.ID{"cgamectnchallenge": 0x03043000, "03043": 0x03043000, "0x03043": 0x03043000, "0x03043011": 0x03043011, "24003000": 0x03043000} {
		if got, err := findClass(arg); got != want || err != nil {
			t.Errorf("%s is %v, want %v, %v", arg, got, want, err)
		}
	}
	for _, arg := range []string{"0304", "030430", "nothing", ""} {
		if _, err := findClass(arg); err == nil {
			t.Errorf("%q is a class", arg)
		}
	}
}

func TestQuestionsAreSorted(t *testing.T) {
	var names []string
	for _, q := range Questions() {
		names = append(names, q.Name)
	}
	if !slices.IsSorted(names) || len(slices.Compact(names)) != len(Questions()) {
		t.Errorf("names = %q; want slices.IsSorted(names) = true, slices.Compact(names) of length len(Questions())", names)
	}
}
