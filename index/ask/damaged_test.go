package ask_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pakbox/index"
	"pakbox/index/ask"
	"pakbox/index/sqlite"
)

// With any page of an index damaged, a question gets the answer it had before,
// or an error. Another answer, or a part of it, would be worse than an error.
func TestDamagedIndex(t *testing.T) {
	file := twins(t)
	ctx := context.Background()
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	var more index.Rows // so that what is asked for lies on several pages
	for i := range 100 {
		path := fmt.Sprintf("z/%03d %s", i, strings.Repeat("long ", 20))
		more.Add("files", row{"file": index.Key(path), "path": path, "size": 1000 + i, "blake3": index.Hash{9, byte(i)}})
	}
	if err := errors.Join(db.Put(ctx, sqlite.State{Path: "z"}, &more), db.Finish(ctx), db.Close()); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	questions := map[string]func(x *ask.Index) (any, error){
		"files":  func(x *ask.Index) (any, error) { return x.Files(ctx) },
		"stats":  func(x *ask.Index) (any, error) { return x.Stats(ctx) },
		"facets": func(x *ask.Index) (any, error) { return x.Facets(ctx, nil) },
	}
	for name, words := range map[string][]string{"all": nil, "word": {"twin"}, "name": {"name=twin a"}, "kind": {"kind=map"}, "env": {"env=Stadium"}, "u": {"uid=u"}} {
		questions[name] = func(x *ask.Index) (any, error) {
			a, _, err := x.Find(ctx, ask.Search{Words: words, Fields: []string{"path", "size", "name"}})
			if err != nil {
				return nil, err
			}
			var rows [][]any
			for row, err := range a.Rows(ctx) {
				if err != nil {
					return nil, err
				}
				rows = append(rows, slices.Clone(row))
			}
			return rows, nil
		}
	}
	for _, by := range ask.Sames {
		questions[string(by)] = func(x *ask.Index) (any, error) { return x.Dupes(ctx, by, true, 0.5) }
	}
	page := int(whole[16])<<8 | int(whole[17])
	answers, failed := map[string]string{}, map[string]bool{}
	for at := 0; at < len(whole); at += page {
		data := bytes.Clone(whole)
		if at > 0 { // at first it is whole
			copy(data[at:at+page], bytes.Repeat([]byte{0xFF}, page))
		}
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
		x, err := ask.Open(ctx, file)
		if err != nil {
			t.Fatal(err)
		}
		for name, question := range questions {
			answer, err := question(x)
			text, _ := json.Marshal(answer)
			switch got := string(text); {
			case at == 0:
				answers[name] = got
				if err != nil || len(got) < 5 && name != "files" {
					t.Errorf(`%s: got = %s, err = %v; want no error, (len(got) at least 5 or name = "files")`, name, got, err)
				}
			case err != nil:
				failed[name] = true
				if !strings.Contains(err.Error(), "the index cannot be read") {
					t.Errorf(`%s: err = %v; want err with "the index cannot be read"`, name, err)
				}
			case got != answers[name]:
				t.Errorf("with page %d damaged, %s is answered %s, not %s", at/page, name, got, answers[name])
			}
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
	for name := range questions {
		if !failed[name] {
			t.Errorf("no damage keeps %s from an answer", name)
		}
	}
}
