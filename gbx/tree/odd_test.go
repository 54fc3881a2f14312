package tree

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// build makes bytes of words and texts.
func build(parts ...any) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b.WriteString(p)
		case int:
			b.Write([]byte{byte(p), byte(p >> 8), byte(p >> 16), byte(p >> 24)})
		}
	}
	return b.Bytes()
}

// oddMap is a map in which nothing is as a game would write it: truth values
// of 7, a NaN with a payload, a negative zero, text that is not UTF-8, IDs of
// the second kind, spelled out twice, and referring to nothing, an unknown
// chunk, and bytes after the main node.
func oddMap() []byte {
	return build(
		"GBX\x06\x00BUUR", 0x03043000,
		16, 1, 0x03043004, 4, 6,
		3, 0,
		0x0304300D, 3, 0x40000000, 3, "Car", 26, 0x40000000, 3, "Car",
		0x03043011, 1, 0x0301B000, 0x0301B000, 1, 0x40000002, 6, 0x80000000, 4, "Tree", 1, 0xFACADE01, -1, 8,
		0x03043012, 4, "\xff\xfe\x80z",
		0x03043018, 0x534B4950, 8, 7, 3,
		0x0304301C, 0x534B4950, 4, 99,
		0x03043036, 0x534B4950, 44+7, 0x7FC12345, -1<<31, 0x7F800000, 0, 0, 0, 0, 0, 0, 0, 0, 3, "abc",
		0x0304300D, 0x40000063, -2, -1,
		0x03043FFF, 0x534B4950, 2, "??",
		0xFACADE01, "after",
	)
}

// cutMap ends in an unknown chunk that cannot be skipped, inside
// a list of nodes.
func cutMap() []byte {
	return build(
		"GBX\x06\x00BUUR", 0x03043000, 0, 9, 0,
		0x03043040, 0x534B4950, 4+8+8+4+4+12, 2, 0, 8+4+4+12, 10, 3, 0x03101000, 0x03101FFF, "rest",
		0x03043018, 0x534B4950, 8, 1, 3,
		0x03043FFF, "the end",
	)
}

// skipperMap has IDs of version 2: each with its version, a word that counts in
// the game's own list, and its text. Its last text is empty.
func skipperMap() []byte {
	return build(
		"GBX\x06\x00BUU\xe9", 0x03043000,
		12+1+36+7+6+1, 1, 0x03043003, 1+36+7+6+1, "\x00", 2, 0x40000000, 3, "Uid", 2, 0x40000001, 3, "Uid", 2, 5, 1, "x", 2, "ab", "?",
		1, 0,
		0x0304300D, 2, 0x40000000, 3, "Car", 2, 0x40000001, 3, "Car", 2, -1, 0,
		0x0304300D, 2, 0x40000002, 3, "Car", 2, 0x40000001, 3, "Car", 2, 5, 4, "Auto",
		0xFACADE01,
	)
}

func jsonOf(t *testing.T, data []byte) []byte {
	t.Helper()
	f, _ := parse(t, data)
	var b bytes.Buffer
	b.WriteByte('{')
	if err := WriteJSON(&b, f, archive.Everything); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// Odd values survive the way through JSON.
func TestOddValues(t *testing.T) {
	for name, data := range map[string][]byte{"odd": oddMap(), "cut": cutMap(), "skipper": skipperMap()} {
		doc := jsonOf(t, data)
		f, err := ReadJSON(doc, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, doc)
			continue
		}
		if saved, err := f.Encode(); err != nil || !bytes.Equal(saved, data) {
			t.Errorf("%s: comes back differently (%v)\n%x\n%x\n%s", name, err, data, saved, doc)
		}
	}
	if doc := string(jsonOf(t, skipperMap())); strings.Contains(doc, "opaque") || strings.Count(doc, `"idVersion":2`) != 2 {
		t.Errorf("the Ids are not understood: %s", doc)
	}
	doc := string(jsonOf(t, oddMap()))
	for _, want := range []string{
		`"isLapRace":7`, `{"bits":"7FC12345"}`, `-0.0`, `{"bits":"7F800000"}`, `{"base64":"//6Aeg=="}`, `{"text":"Tree","word":"80000000"}`,
		`{"word":"40000063"}`, `{"word":"FFFFFFFE"}`, `{"text":"Car","word":"40000000"}`,
		`"reason":"unknown chunk"`, `"rest":{"base64":"YWZ0ZXI="}`,
	} {
		if !strings.Contains(doc, want) {
			t.Errorf("no %s in %s", want, doc)
		}
	}
	// A question about values gets the text of an ID alone.
	f, _ := parse(t, oddMap())
	var b bytes.Buffer
	want := new(archive.Want)
	want.AddAll()
	if err := WriteJSON(&b, f, want); err != nil || strings.Contains(b.String(), `{"text"`) || !strings.Contains(b.String(), `"Tree"`) {
		t.Errorf("%v: b.String() = %s; want no error, b.String() without `{\"text\"`, b.String() with `\"Tree\"`", err, b.String())
	}
}

// A document can be changed, and the error for a mistake has its path.
func TestChangedDocument(t *testing.T) {
	doc := string(jsonOf(t, oddMap()))
	f, err := ReadJSON([]byte(strings.Replace(doc, `"nbLaps":3`, `"nbLaps":5`, 1)), engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	saved, err := f.Encode()
	if want := bytes.Replace(oddMap(), build(8, 7, 3), build(8, 7, 5), 1); err != nil || !bytes.Equal(saved, want) {
		t.Errorf("changed differently (%v)", err)
	}
	for change, want := range map[string]string{
		`"nbLaps":"many"`: `body.03043018.nbLaps: "many" is not a whole number of 32 bits`,
		`"nbLaps":-1`:     "body.03043018.nbLaps: -1 is not a whole number of 32 bits",
		`"x":3`:           "body.03043018.nbLaps: is missing",
	} {
		_, err := ReadJSON([]byte(strings.Replace(doc, `"nbLaps":3`, change, 1)), engine.Registry())
		var e *fault.Error
		if !errors.As(err, &e) || e.Error() != want {
			t.Errorf("%s: %v, want %s", change, err, want)
		}
	}
	for _, bad := range []string{"", "[]", "{", `{"header":1,"body":2}`, doc + "x",
		strings.Replace(doc, `"BUUR"`, `"XUUR"`, 1), strings.Replace(doc, `"BUUR"`, `"TUCR"`, 1), strings.Replace(doc, `"BUUR"`, `"BUU界"`, 1)} {
		if _, err := ReadJSON([]byte(bad), engine.Registry()); fault.KindOf(err) == "" {
			t.Errorf(`%.20q: err = %v; want err of a kind other than none`, bad, err)
		}
	}
}

// A hash or a class ID may consist of decimal digits only.
func TestSetDigits(t *testing.T) {
	for _, test := range []struct {
		path, value string
		data        []byte
	}{
		{"03043029.passwordHash", "12345678901234567890123456789012",
			build("GBX\x06\x00BUUR", 0x03043000, 0, 1, 0, 0x03043029, 0x534B4950, 20, 1, 2, 3, 4, 5, 0xFACADE01)},
		{"01026000.nodClassId", "24003000",
			build("GBX\x06\x00BUUR", 0x01026000, 0, 1, 0, 0x01026000, 10, 0x03043000, 0, 0, 0, 0xFACADE01)},
	} {
		f, _ := parse(t, test.data)
		if _, err := Set(f, test.path, test.value); err != nil {
			t.Error(err)
		}
		tr, err := Of(f)
		if err != nil {
			t.Fatal(err)
		}
		if m, _ := tr.Find(test.path); len(m) != 1 || m[0].Value.Text() != test.value {
			t.Errorf("%s is not %s", test.path, test.value)
		}
	}
}

// A path may mean two values of which the first brings others with it.
func TestSetTwoVersions(t *testing.T) {
	f, _ := parse(t, build("GBX\x06\x00BUUR", 0x03043000,
		4+16+30+24, 2, 0x03043003, 30, 0x03043008, 24,
		"\x00", 3, -1, 26, -1, 8, "the name", "\x01",
		0, 0, 0, 0, 0, 0,
		1, 0, 0xFACADE01))
	if found, err := Set(f, "version", "1"); err != nil || len(found) != 2 {
		t.Fatalf("%d values set (%v)", len(found), err)
	}
	want := build("\x01", 3, -1, 26, -1, 8, "the name", "\x01", 0, 0, 1, 0, 0, 0, 0, 0)
	if saved, err := f.Encode(); err != nil || !bytes.Contains(saved, want) {
		t.Errorf("% x is not in % x (%v)", want, saved, err)
	}
}

// Files that differ in the form of a value alone are not the same.
func TestDiffForms(t *testing.T) {
	file := func(userData, chunk string, word, none int) []byte {
		return build("GBX\x06\x00BUUR", 0x03043000, userData, 1, 0, 0x0304300D, 3, word, 3, "Car", 26, none, 0x03043018, chunk, 1, 3, 0xFACADE01)
	}
	light, heavy, bare := string(build(16, 1, 0x03043004, 4, 6)), string(build(16, 1, 0x03043004, 4-1<<31, 6)), string(build(4, 0))
	skip := string(build(0x534B4950, 8))
	_, a := parse(t, file(light, skip, 0x40000000, -1))
	_, empty := parse(t, file(bare, skip, 0x40000000, -1))
	for _, test := range []struct {
		from *Tree
		to   []byte
		want archive.ValueChange
	}{
		{a, file(heavy, skip, 0x40000000, -1), archive.ValueChange{Path: "header.03043004.form", Old: "plain", New: "heavy"}},
		{a, file(light, "", 0x40000000, -1), archive.ValueChange{Path: "body.03043018.form", Old: "skippable", New: "plain"}},
		{a, file(light, skip, -1<<31, -1), archive.ValueChange{Path: "body.0304300D.playerModel.id", Old: `{"text":"Car","word":"40000000"}`, New: `{"text":"Car","word":"80000000"}`}},
		{a, file(light, skip, 0x40000000, -2), archive.ValueChange{Path: "body.0304300D.playerModel.author", Old: "none", New: "unknown FFFFFFFE"}},
		{empty, file(string(build(0)), skip, 0x40000000, -1), archive.ValueChange{Path: "header.userData", Old: "chunks", New: "0 bytes"}},
		{empty, file(string(build(5, 0, "\x00")), skip, 0x40000000, -1), archive.ValueChange{Path: "header.userData", Old: "chunks", New: "5 bytes: 00 00 00 00 00"}},
	} {
		_, b := parse(t, test.to)
		test.want.Kind = archive.Changed
		if d := diff(t, test.from, b); len(d) != 1 || d[0] != test.want {
			t.Errorf("%+v, want %+v", d, test.want)
		}
	}
}

func TestSetMistakes(t *testing.T) {
	for _, test := range []struct{ path, value, want string }{
		{"nothing", "1", "value not found"},
		{"nbLaps", "many", "whole number"},
		{"nbLaps", "99999999999", "whole number"},
		{"playerModel", "x", "can mean"},
		{"body.0304300D.playerModel", "x", "group of values"},
		{"opaque", "x", "unknown layout"},
	} {
		f, _ := parse(t, oddMap())
		_, err := Set(f, test.path, test.value)
		var e *archive.ValueError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s=%s: %v, want %q", test.path, test.value, err, test.want)
		}
	}
}

// FuzzReadJSON: whatever the document, there is a file or a typed error, and
// a file that can be saved can be read.
func FuzzReadJSON(f *testing.F) {
	for _, data := range [][]byte{oddMap(), cutMap()} {
		file, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			f.Fatal(err)
		}
		var b bytes.Buffer
		b.WriteByte('{')
		if err := WriteJSON(&b, file, archive.Everything); err != nil {
			f.Fatal(err)
		}
		b.WriteByte('}')
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		file, err := ReadJSON(doc, engine.Registry())
		var e *fault.Error
		if err != nil {
			if !errors.As(err, &e) {
				t.Fatalf("error is not a fault: %v", err)
			}
			return
		}
		saved, err := file.Encode()
		if err != nil {
			if !errors.As(err, &e) {
				t.Fatalf("error is not a fault: %v", err)
			}
			return
		}
		if _, err := gbx.Parse(saved, engine.Registry()); err != nil && !errors.As(err, &e) {
			t.Fatalf("error is not a fault: %v", err)
		}
	})
}

// Showing, comparing and bringing back a node with very many chunks of one
// name takes time in proportion to their number: with more than that, this
// test would not end.
func TestManyChunks(t *testing.T) {
	t.Parallel()
	const many = 100_000
	chunk := build(0x03043012, 1, "x")
	data := append(build("GBX\x06\x00BUUR", 0x03043000, 0, 1, 0), bytes.Repeat(chunk, many)...)
	data = append(data, build(0xFACADE01)...)
	_, a := parse(t, data)
	if n := len(a.Body.Children); n != many || a.Body.Children[many-1].Name != "03043012#100000" {
		t.Fatalf("%d chunks, the last is %s", n, a.Body.Children[many-1].Name)
	}
	data[len(data)-5] = 'y'
	_, b := parse(t, data)
	if d := diff(t, a, b); len(d) != 1 || d[0].Path != "body.03043012#100000.mapName" {
		t.Errorf("differences: %d", len(d))
	}
	if d, err := ByteDiff(a.File, b.File); err != nil || len(d) != 1 {
		t.Errorf("differences of bytes: %d", len(d))
	}
	if m, _ := b.Find("03043012#100000.mapName"); len(m) != 1 {
		t.Errorf("found %d times", len(m))
	}
	document := bytes.NewBufferString("{")
	if err := WriteJSON(document, b.File, archive.Everything); err != nil {
		t.Fatal(err)
	}
	document.WriteByte('}')
	f, err := ReadJSON(document.Bytes(), engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	if saved, err := f.Encode(); err != nil || !bytes.Equal(saved, data) {
		t.Errorf("the dump gives another file (%v)", err)
	}
}

// The same goes for references to very many files outside.
func TestManyExternals(t *testing.T) {
	t.Parallel()
	const many = 400_000
	data := build("GBX\x06\x00BUUR", 0x01026000, 0, many+1, many, 0, 0)
	for i := range many {
		data = append(data, build(1, 1, "x", i+1, 0, 0)...)
	}
	data = append(data, build(0x01026000, 0x03043000, 0, 10, many)...)
	data = append(data, bytes.Repeat(build(many), many)...)
	data = append(data, build(0xFACADE01)...)
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := WriteText(&text, f, false); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.String(), `#400000 file "x"`); n != many {
		t.Errorf("%d of %d references are shown", n, many)
	}
}
