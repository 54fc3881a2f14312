package dav

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/webdav"
)

// Two clients share a lock; a third that wants it exclusively waits for both. litmus tests
// the answers, see cmd/pakbox.
func TestSharedLocks(t *testing.T) {
	l := newLocks(func(name string) string { return `"` + name + `"` })
	now := time.Unix(1000, 0)
	details := webdav.LockDetails{Root: "/a", Duration: time.Minute}
	one, err1 := sharing{l}.Create(now, details)
	two, err2 := sharing{l}.Create(now, details)
	if err1 != nil || err2 != nil || one == two {
		t.Fatalf("one = %v, two = %v, err1 = %v, err2 = %v; want err1 = nil, err2 = nil, one other than %v", one, two, err1, err2, two)
	}
	if _, err := l.Create(now, details); !errors.Is(err, webdav.ErrLocked) {
		t.Errorf("err = %v; want err matching webdav.ErrLocked", err)
	}
	if err := l.Unlock(now, one); err != nil {
		t.Error(err)
	}
	if _, err := l.Confirm(now, "/a", "", webdav.Condition{Token: one}); !errors.Is(err, webdav.ErrConfirmationFailed) {
		t.Errorf("err = %v; want err matching webdav.ErrConfirmationFailed", err)
	}
	for _, test := range []struct {
		condition webdav.Condition
		want      error
	}{
		{webdav.Condition{ETag: `"/a"`}, nil}, {webdav.Condition{ETag: `"/b"`}, webdav.ErrConfirmationFailed},
		{webdav.Condition{ETag: `"/b"`, Not: true}, nil}, {webdav.Condition{ETag: `"/a"`, Not: true}, webdav.ErrConfirmationFailed},
	} {
		release, err := l.Confirm(now, "/a", "", webdav.Condition{Token: two}, test.condition)
		if !errors.Is(err, test.want) {
			t.Errorf("%v: err = %v; want err matching %v", test.condition, err, test.want)
		}
		if err == nil {
			release()
		}
	}
	if err := l.Unlock(now, two); err != nil {
		t.Error(err)
	}
	if _, err := l.Create(now, details); err != nil {
		t.Error(err)
	}
	// An expired shared lock does not count.
	later := now.Add(time.Hour)
	three, err := sharing{l}.Create(later, details)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Refresh(later, three, time.Minute); err != nil {
		t.Error(err)
	}
	if _, err := (sharing{l}).Create(later.Add(time.Hour), details); err != nil || len(l.groups) != 1 {
		t.Errorf("err = %v, l.groups = %v; want no error, l.groups of length 1", err, l.groups)
	}
}

// FuzzBody: any XML can be read without a panic, and only the word shared is changed.
func FuzzBody(f *testing.F) {
	f.Add(`<?xml version="1.0"?><lockinfo xmlns='DAV:'><lockscope><shared/></lockscope></lockinfo>`)
	f.Add(`<D:lockinfo xmlns:D="DAV:"><D:shared></D:shared><D:owner>shared</D:owner></D:lockinfo>`)
	f.Add(`<D:propfind xmlns:D="DAV:"><D:prop><bar:foo xmlns:bar=""/></D:prop></D:propfind>`)
	f.Fuzz(func(t *testing.T, text string) {
		body, shared, err := readBody(strings.NewReader(text))
		if err != nil {
			return
		}
		back := bytes.ReplaceAll(body, []byte("exclusive"), []byte("shared"))
		if !shared && string(body) != text || shared && !bytes.Equal(back, []byte(strings.ReplaceAll(text, "exclusive", "shared"))) {
			t.Errorf("%q became %q", text, body)
		}
	})
}
