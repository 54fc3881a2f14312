package tree

import (
	"bytes"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/gbx"
)

// ghost is a ghost with words, each in a chunk of its own.
func ghost(index int, words ...int) string {
	b := build(index, ghostClass)
	for _, w := range words {
		b = append(b, build(ghostClass|2, w)...)
	}
	return string(append(b, build(endMark)...))
}

const refusal = "a recorded run is evidence, and pakbox does not alter it"

// A ghost cannot be changed, by its path or in a document; what stands before and
// behind it can.
func TestGhostsStay(t *testing.T) {
	inMap := formsFile(formsClass|2, 41, people(nodeWith(1, otherClass, 42), ghost(2, 43, 53), nodeWith(4, otherClass, 44), 2), formsClass|2, 45)
	alone := build("GBX\x06\x00BUUR", ghostClass, 16, 1, ghostClass|2, 4, 46, 1, 0, ghostClass|2, 47, ghostClass|2, 48, endMark)
	for _, test := range []struct {
		data    []byte
		path    string
		word    string
		allowed bool
	}{
		{inMap, "body.3F0AA002.word", "41", true},
		{inMap, "people[0].node.word", "42", true},
		{inMap, "people[1].node.03092002.word", "43", false},
		{inMap, "people[1].node.03092002#2.word", "53", false},
		{inMap, "people[2].node.word", "44", true},
		{inMap, "body.3F0AA002#2.word", "45", true},
		{alone, "header.03092002.word", "46", false},
		{alone, "body.03092002.word", "47", false},
		{alone, "body.03092002#2.word", "48", false},
	} {
		f, _ := formsTree(t, test.data)
		_, err := Set(f, test.path, "99")
		if (err == nil) != test.allowed || err != nil && !strings.Contains(err.Error(), refusal) {
			t.Errorf("%s: err = %v; want success = %v, (no error or err with %q)", test.path, err, test.allowed, refusal)
		}
		saved, err := f.Encode()
		if err != nil || bytes.Equal(saved, test.data) == test.allowed {
			t.Errorf("%s: the file is another (%v)", test.path, err)
		}
		doc := formsDocument(t, test.data, archive.Everything)
		if strings.Count(doc, ":"+test.word+"}") != 1 || strings.Count(doc, `"recordedRuns":"`) != 1 {
			t.Fatalf("%s: doc = %s; want strings.Count(doc, \":\"+test.word+\"}\") = 1, strings.Count(doc, `\"recordedRuns\":\"`) = 1", test.path, doc)
		}
		_, err = ReadJSON([]byte(strings.Replace(doc, ":"+test.word+"}", ":99}", 1)), forms)
		if (err == nil) != test.allowed || err != nil && !strings.Contains(err.Error(), refusal) {
			t.Errorf("%s in a document: %v", test.path, err)
		}
		if _, err = ReadJSON([]byte(strings.Replace(doc, `"recordedRuns"`, `"runs"`, 1)), forms); err == nil || !strings.Contains(err.Error(), refusal) {
			t.Errorf("a document without its digest: %v", err)
		}
	}
	// Numbers of nodes may change around a ghost.
	other := formsDocument(t, formsFile(people(ghost(7, 43, 53))), archive.Everything)
	if doc := formsDocument(t, inMap, archive.Everything); digest(other) != digest(doc) || digest(doc) == "" {
		t.Errorf("%s and %s", digest(doc), digest(other))
	}
	if doc := formsDocument(t, formsFile(people(nodeWith(1, otherClass, 43))), archive.Everything); strings.Contains(doc, "recordedRuns") {
		t.Errorf(`doc = %v; want doc without "recordedRuns"`, doc)
	}
}

func digest(doc string) string {
	_, after, _ := strings.Cut(doc, `"recordedRuns":"`)
	sum, _, _ := strings.Cut(after, `"`)
	return sum
}

func formsDocument(t *testing.T, data []byte, want *archive.Want) string {
	t.Helper()
	f, err := gbx.Parse(data, forms)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteJSON(&b, f, want); err != nil {
		t.Fatal(err)
	}
	return "{" + b.String() + "}"
}
