package gbxarchive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/archive"
	"pakbox/codec/lzo1x"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/nadeotest/mapsample"
)

// recoded writes a file in another form.
func recoded(t *testing.T, a archive.Archive, params map[string]string) ([]byte, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out.Gbx")
	stage, err := archive.NewStage(path, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Abort()
	if err := (Format{}).Recode(context.Background(), a, stage, archive.CreateOptions{Params: params}); err != nil {
		return nil, err
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data, nil
}

// A file that is stored in another way keeps its content.
func TestRecode(t *testing.T) {
	data, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	whole := open(t, data, "a.Map.Gbx")
	body := whole.file.BodyBytes()
	plain, err := recoded(t, whole, map[string]string{"body": "uncompressed"})
	if err != nil {
		t.Fatal(err)
	}
	if f, err := gbx.Parse(plain, engine.Registry()); err != nil || f.IsCompressed() || !bytes.HasSuffix(plain, body) {
		t.Fatalf("err = %v, f.IsCompressed() = %t; want no error, f.IsCompressed() = false, plain ending in %q", err, f.IsCompressed(), body)
	}
	fast, err := lzo1x.AppendCompress(nil, body, lzo1x.Fast)
	if err != nil {
		t.Fatal(err)
	}
	best, err := lzo1x.AppendCompress(nil, body, lzo1x.Best)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		from []byte
		how  string
		end  []byte // of the file that it gives
	}{
		{data, "", fast}, {data, "level=fast", fast}, {data, "level=best", best}, {data, "body=compressed", fast}, {data, "body=compressed level=best", best}, {data, "body=uncompressed level=best", body},
		{plain, "", body}, {plain, "level=best", body}, {plain, "body=uncompressed", body}, {plain, "body=compressed", fast}, {plain, "body=compressed level=best", best},
	} {
		params := map[string]string{}
		for _, p := range strings.Fields(k.how) {
			name, value, _ := strings.Cut(p, "=")
			params[name] = value
		}
		got, err := recoded(t, open(t, k.from, "x.Gbx"), params)
		if err != nil || !bytes.HasSuffix(got, k.end) {
			t.Errorf("%q of %d bytes: %v, %d bytes", k.how, len(k.from), err, len(got))
			continue
		}
		f, err := gbx.Parse(got, engine.Registry())
		if err != nil || !bytes.Equal(f.BodyBytes(), body) {
			t.Errorf("%q: another body (%v)", k.how, err)
		}
	}
	// A body that was compressed best stays so where no level is named.
	well, err := recoded(t, whole, map[string]string{"level": "best"})
	if err != nil {
		t.Fatal(err)
	}
	for _, params := range []map[string]string{{}, {"body": "compressed"}} {
		if again, err := recoded(t, open(t, well, "x.Gbx"), params); err != nil || !bytes.Equal(again, well) {
			t.Errorf("%v: %v, %d bytes of %d", params, err, len(again), len(well))
		}
	}
	for _, params := range []map[string]string{{"level": "odd"}, {"body": "odd"}} {
		var wrong *archive.ParamError
		if _, err := recoded(t, whole, params); !errors.As(err, &wrong) || wrong.Value != "odd" || params[wrong.Name] != "odd" {
			t.Errorf(`%v: err = %v; want err of the type of wrong, wrong.Value = "odd", params[wrong.Name] = "odd"`, params, err)
		}
	}
	if _, err := recoded(t, nil, nil); err == nil {
		t.Error("a file of another format was written as a GBX file")
	}
}

// A file becomes text and comes back, unless text cannot hold its values.
func TestRecodeText(t *testing.T) {
	binary := words("GBX\x06\x00BUUR", 0x0301B000, 0, 1, 0, 0x0301B000, 0, 0xFACADE01) // a collector list without collectors
	text, err := recoded(t, open(t, binary, "x.Gbx"), map[string]string{"body": "text"})
	if err != nil || !bytes.HasPrefix(text, []byte("GBX\x06\x00T")) {
		t.Fatalf("err = %v, text = %q; want no error, text beginning with []byte(\"GBX\\x06\\x00T\")", err, text)
	}
	a := open(t, text, "x.Gbx")
	if facts := factMap(a.Facts()); facts["encoding"] != "text" || facts["compressed"] != false {
		t.Errorf(`facts = %v; want facts["encoding"] = "text", facts["compressed"] = false`, facts)
	}
	lines, _ := cardLines(a.Facts())
	if !strings.Contains(lines, "Stored as: GBX version 6, text, body uncompressed") {
		t.Errorf(`lines = %v; want lines with "Stored as: GBX version 6, text, body uncompressed"`, lines)
	}
	again, err := recoded(t, a, map[string]string{"body": "text"})
	if err != nil || !bytes.Equal(again, text) {
		t.Errorf("err = %v, again = %q; want no error, again equal to text", err, again)
	}
	back, err := recoded(t, a, map[string]string{"body": "uncompressed"})
	if err != nil || !bytes.Equal(back, binary) {
		t.Errorf("%v, %q, want %q", err, back, binary)
	}
	// A mesh has whole numbers; with a small fraction it is not a text any more.
	mesh := open(t, sampleFile(t, "Sample.Mesh.Gbx"), "x.Gbx")
	if _, err := recoded(t, mesh, map[string]string{"body": "text"}); err != nil {
		t.Error(err)
	}
	const place = "body.090BB000.visuals[0].0900600F.boundingBox.min.x"
	set, err := mesh.Set([]archive.Assignment{{Path: place, Value: "0.0000123456"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := recoded(t, open(t, set.Data, "x.Gbx"), map[string]string{"body": "text"}); err == nil || !strings.Contains(err.Error(), "six decimals") {
		t.Errorf("a fraction that text does not keep gives %v", err)
	}
}

// A dumped document is encoded to the same file again.
func TestDocuments(t *testing.T) {
	for _, name := range []string{"Sample.Map.Gbx", "Sample.Replay.Gbx", "Sample.Mesh.Gbx"} {
		data := sampleFile(t, name)
		a := open(t, data, name)
		var b bytes.Buffer
		b.WriteString("{")
		if err := a.DumpJSON(&b, archive.Everything); err != nil {
			t.Fatal(err)
		}
		b.WriteString("}")
		if !json.Valid(b.Bytes()) {
			t.Fatalf("%s: b.Bytes() = %.200s; want json.Valid(b.Bytes()) = true", name, b.Bytes())
		}
		again, err := (Format{}).ReadDocument(b.Bytes())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f, err := gbx.Parse(again, engine.Registry()); err != nil || !bytes.Equal(f.BodyBytes(), a.file.BodyBytes()) {
			t.Errorf("%s: another body (%v)", name, err)
		}
	}
	if _, err := (Format{}).ReadDocument([]byte(`{"class":`)); err == nil {
		t.Error("half a document was read")
	}
	var text bytes.Buffer
	a := open(t, sampleFile(t, "Sample.Map.Gbx"), "Sample.Map.Gbx")
	if err := a.DumpText(&text, false); err != nil || !strings.Contains(text.String(), `mapName "$06fSample $fffmap"`) {
		t.Errorf("%v: text.String() = %.500s; want no error, text.String() with `mapName \"$06fSample $fffmap\"`", err, text.String())
	}
	plain := text.String()
	text.Reset()
	if err := a.DumpText(&text, true); err != nil || text.Len() <= len(plain) {
		t.Errorf("%v: %d bytes with offsets, %d without", err, text.Len(), len(plain))
	}
}

// Coverage counts the chunks and bytes of a file; values are got as JSON and for people.
func TestCoverageAndGet(t *testing.T) {
	data := sampleFile(t, "Sample.Map.Gbx")
	a := open(t, data, "Sample.Map.Gbx")
	c, err := a.Coverage()
	if err != nil || c.Bytes != 708 || c.Decoded != 708 {
		t.Fatalf("c = %+v, err = %v; want no error, c.Bytes = 708, c.Decoded = 708", c, err)
	}
	var body, header []string
	for _, p := range c.Parts {
		if p.Bytes != p.Decoded {
			t.Errorf("p = %+v; want p.Bytes = %v", p, p.Decoded)
		}
		if p.Header {
			header = append(header, fmt.Sprint(p.Name, " ", p.Class, " ", p.Count, " ", p.Bytes))
		} else {
			body = append(body, fmt.Sprint(p.Name, " ", p.Class, " ", p.Count))
		}
	}
	// The sizes of the header's chunks stand in the file's table.
	if got, want := strings.Join(header, ", "), "03043002 CGameCtnChallenge 1 45, 03043003 CGameCtnChallenge 1 160, 03043004 CGameCtnChallenge 1 4, 03043005 CGameCtnChallenge 1 322, 03043007 CGameCtnChallenge 1 12824"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := strings.Join(body, ", "); !strings.Contains(got, "0304301F CGameCtnChallenge 1") || !strings.Contains(got, "0305B004 CGameCtnChallengeParameters 1") {
		t.Errorf(`got = %v; want got with "0304301F CGameCtnChallenge 1", got with "0305B004 CGameCtnChallengeParameters 1"`, got)
	}
	for path, want := range map[string][2]string{
		"body.0304301F.mapName":               {`"$06fSample $fffmap"`, "$06fSample $fffmap"},
		"body.0304301F.size":                  {`{"x":32,"y":32,"z":32}`, "size (32, 32, 32)"},
		"body.0304301F.blocks.count":          {"10", "10"},
		"header.03043002.authorTime":          {"9950", "0:09.950"},
		"body.0304301F.blocks.blocks[0].name": {`"StadiumRoadMainStartLine"`, "StadiumRoadMainStartLine"},
	} {
		got, err := a.Get(path)
		if err != nil || len(got) != 1 || got[0].Path != path || string(got[0].JSON) != want[0] || got[0].Text != want[1] {
			t.Errorf("%s: %+v, %v, want %q", path, got, err, want)
		}
	}
	if _, err := a.Get("nothing"); err == nil {
		t.Error("there is a value nothing")
	}
}

// A file that was set is the old one with the new value, and differs in it alone.
func TestSetAndDiff(t *testing.T) {
	data := sampleFile(t, "Sample.Map.Gbx")
	a := open(t, data, "Sample.Map.Gbx")
	got, err := a.Set([]archive.Assignment{{Path: "body.0304301F.blocks.blocks[0].direction", Value: "3"}, {Path: "body.0304301F.mapName", Value: "A name that is much longer than before"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "name") {
		t.Errorf(`got.Notes = %q; want got.Notes of length 1, got.Notes[0] with "name"`, got.Notes)
	}
	b := open(t, got.Data, "Sample.Map.Gbx")
	list, ok, err := a.DiffValues(b)
	if err != nil || !ok || len(list) != 2 || list[0].Path != "body.0304301F.mapName" || list[1].Path != "body.0304301F.blocks.blocks[0].direction" || list[1].New != "3" {
		t.Errorf("list = %+v, ok = %t, err = %v", list, ok, err)
	}
	if !bytes.Equal(a.data, data) {
		t.Error("the archive has changed")
	}
	if same, ok, err := a.DiffValues(open(t, data, "x.Gbx")); err != nil || !ok || len(same) != 0 {
		t.Errorf("same = %+v, err = %v; want no error, ok = true, empty same", same, err)
	}
	if _, ok, err := a.DiffValues(nil); ok || err != nil {
		t.Errorf("ok = %t, err = %v; want ok = false, no error", ok, err)
	}
	for _, bad := range []archive.Assignment{{Path: "nothing", Value: "1"}, {Path: "body.0304301F.blocks.blocks[0].direction", Value: "north"}} {
		if _, err := a.Set([]archive.Assignment{bad}); err == nil {
			t.Errorf("%+v was set", bad)
		}
	}
}
