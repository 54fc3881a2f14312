package page_test

import (
	"bytes"
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/cmd/internal/answer"
	"pakbox/cmd/internal/page"
	form "pakbox/cmd/internal/question"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/table"
)

// Questions that are declared, with parameters. TestFrontend compares all of them with the
// answers of this process.
func TestDeclared(t *testing.T) {
	a := looking(t, []string{filepath.Join("..", "..", "..", "samples")})
	if _, err := a.files.Drop("a.Map.Gbx", bytes.NewReader(sampleMap(t)), int64(len(sampleMap(t)))); err != nil {
		t.Fatal(err)
	}
	const aMap = "dropped/a.Map.Gbx"
	f, err := gbx.Parse(sampleMap(t), engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	m, err := maps.Of(f)
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]table.Thing{
		"map.blocks?index=2&path=" + aMap:            table.On(m, false, false)[2],
		"map.blocks?index=1&items=true&path=" + aMap: table.On(m, false, true)[len(m.Blocks())+1],
	} {
		t.Run(question, func(t *testing.T) {
			text, err := form.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			if got := a.read(question); !bytes.Contains(got, append([]byte(`"blocks":[`), text...)) {
				t.Errorf("%s:\n%.2000s\nwant\n%.2000s", question, got, text)
			}
		})
	}
	a.expect([]expected{
		{"simutrans.vehicles?path=samples/simutrans/vehicle.Sample_Tram.pak", ".objects | map(.name, .topspeed, .power, .capacity, .intro)", `["Sample_Tram",60,120,60,"1924-04"]`},
		{"verify?path=samples/hello/readme.txt", ".ok, .error.kind", `false "bad_magic"`},
		{"diff?path=samples/hello.vpk&other=samples/Sample.Pack.Gbx", ".identical", "false"},
		{"diff?path=samples/hello.vpk&other=samples/hello.eix", ".identical, .other_path", `true "samples/hello.eix"`},
		{"map.blocks?path=" + aMap, ".blocks | map(.kind) | unique", `["block"]`},
	})
}

// The question "what" returns the kind of a file, its title, and its views.
func TestWhat(t *testing.T) {
	a := samples(t)
	data := sampleMap(t)
	for name, content := range map[string][]byte{"a.Map.Gbx": data, "cut.Map.Gbx": data[:len(data)-40], "head.Map.Gbx": data[:20], "it's.txt": []byte("x"), "az/AZ09._-+,@%": nil} {
		t.Run(name, func(t *testing.T) {
			if _, err := a.files.Drop(name, bytes.NewReader(content), int64(len(content))); err != nil {
				t.Fatal(err)
			}
		})
	}
	const tabs = `(.tabs | map(.name + ":" + .screen) | join(" "))`
	const gbxTabs = " files:folder bytes:bytes query:query check:check"
	a.expect([]expected{
		{"what?path=samples", ".kind, .title, .dropped, " + tabs, `"folder" "samples" false "files:folder"`},
		{"what?path=samples/simutrans", ".kind, .title, " + tabs, `"folder" "simutrans" "files:folder vehicles:vehicles buildings:vehicles factories:vehicles ways:vehicles findings:findings"`},
		{"what?path=dropped", ".kind, .title, .dropped", `"folder" "dropped" false`},
		{"what?path=samples/hello.vpk", ".kind, .format, .title, .command, " + tabs, `"archive" "vpk42" "hello.vpk" "pakbox info samples/hello.vpk" "files:folder bytes:bytes check:check"`},
		{"what?path=samples/hello.vpk", ".values, .changes, .facts.entries, (.tabs[1].title)", `null ["put","rm","mv"] 4 "Bytes"`},
		{"what?path=samples/hello.vpk", `.card[:4]`, `[{"label":"Format","storage":true,"text":"vpk42"},{"label":"Version","name":"version","text":"1"},{"label":"Encrypted","name":"encrypted","text":"no"},{"label":"Compression","name":"compression_algorithm","text":"lz4"}]`},
		{"what?path=samples/hello.vpk/locale", ".kind, .title, " + tabs, `"archive" "locale" "files:folder bytes:bytes check:check"`},
		// A file in an archive has the same answer as on disk.
		{"what?path=samples/hello.vpk/readme.txt", ".kind, .title, .size, .looks, .command, " + tabs, `"file" "readme.txt" 123 "text" "pakbox cat samples/hello.vpk/readme.txt" "preview:preview bytes:bytes"`},
		{"what?path=samples/hello/readme.txt", ".kind, .title, .size, .looks, .format", `"file" "readme.txt" 123 "text" null`},
		{"what?path=samples/simutrans/tram.png", ".looks", `"picture"`},
		{"what?path=samples/hello/empty.txt", ".size, .looks", `0 "empty"`},
		{"what?path=samples/simutrans/vehicle.Sample_Tram.pak", ".format, .title, .changes, " + tabs, `"simutrans" "Sample_Tram" ["set"] "objects:simutrans files:folder bytes:bytes query:query check:check"`},
		{"what?path=samples/trackmania/Sample.Map.Gbx", ".title, .thumbnail, .values, .question, " + tabs, `"Sample map" true true ".header.chunks[].chunk" "map:map 3d:scene blocks:blocks` + gbxTabs + `"`},
		{"what?path=samples/trackmania/Sample.Map.Gbx", `.changes, (.card[] | select(.label == "Map"))`, `["map.blocks.set","map.edit","map.items.change","map.lightmap.strip","map.medals.set","map.merge","map.mirror","map.move","map.password.remove","map.rename","map.replace","map.scrub.clean","map.set","map.shrink.apply","map.thumbnail.set","map.turn","map.uid.new","map.validation.remove","set"] {"label":"Map","name":"name","spans":[{"color":"#0066ff","text":"Sample "},{"color":"#ffffff","text":"map"}],"text":"Sample map"}`},
		// A file in an archive cannot be changed.
		{"what?path=samples/Sample.Pack.Gbx/Sample.Map.Gbx", ".title, .changes, " + tabs, `"Sample map" null "map:map 3d:scene blocks:blocks` + gbxTabs + `"`},
		{"what?path=samples/trackmania/Sample.Replay.Gbx", ".map, .changes, " + tabs, `"map.Map.Gbx" null "replay:replay compare:compare` + gbxTabs + `"`},
		{"what?path=samples/trackmania/Sample.Ghost.Gbx", ".map, " + tabs, `null "replay:replay compare:compare` + gbxTabs + `"`},
		{"what?path=samples/trackmania/Sample.Mesh.Gbx", ".mesh, .thumbnail, .changes, " + tabs, `true false ["set"] "item:mesh` + gbxTabs + `"`},
		{"what?path=dropped/a.Map.Gbx", ".dropped, .title, .changes, .shell_path", `true "Sample map" ["map.blocks.set","map.edit","map.items.change","map.lightmap.strip","map.medals.set","map.merge","map.meta.set","map.mirror","map.move","map.password.remove","map.rename","map.replace","map.scrub.clean","map.set","map.shrink.apply","map.thumbnail.set","map.turn","map.uid.new","map.validation.remove","set"] "dropped/a.Map.Gbx"`},
		{"what?path=dropped/az/AZ09._-%2B,@%25", ".shell_path", `"dropped/az/AZ09._-+,@%"`},
		{"what?path=dropped/it's.txt", ".shell_path, .command", `"'dropped/it'\\''s.txt'" "pakbox cat 'dropped/it'\\''s.txt'"`},
		// A damaged file has the view of the error, and those of its readable parts.
		{"what?path=dropped/cut.Map.Gbx", ".kind, .title, .values, .error.kind, .command, " + tabs, `"damaged" "cut.Map.Gbx" true "truncated" "pakbox verify dropped/cut.Map.Gbx" "damage:damage bytes:bytes"`},
		{"what?path=dropped/cut.Map.Gbx", ".tabs | map(.title)", `["Damage","Values and bytes"]`},
		{"what?path=dropped/head.Map.Gbx", ".kind, .values, (.tabs | map(.title))", `"damaged" null ["Damage","Bytes"]`},
		{"layers?path=dropped/cut.Map.Gbx", ".layers | map(.name, .title)", `["file","File","body","Body up to where it breaks","inside-0","Inside 0304303D.lightmaps.cache"]`},
	})
	a.refuses([]refused{
		{"what?path=samples/nothing", nil, page.NotFound, "no such file or folder"},
		{"what?path=nothing", nil, page.NotFound, "no such file or folder"},
		{"verify?path=samples/nothing", nil, page.NotFound, "no such file or folder"},
		{"map.blocks?path=dropped/cut.Map.Gbx", nil, page.Unusable, "truncated"},
	})
	readOnly := looking(t, []string{filepath.Join("..", "..", "..", "samples")}, func(o *page.Options) { o.ReadOnly = true })
	for _, name := range []string{"trackmania/Sample.Map.Gbx", "trackmania/Sample.Mesh.Gbx", "simutrans/tree.Sample_Fir.pak"} {
		readOnly.expect([]expected{{"what?path=samples/" + name, ".changes", "null"}})
	}
}

// children lists folders and archives level by level.
func TestChildren(t *testing.T) {
	a := folder(t, map[string][]byte{"b.txt": []byte("four"), "sub/c.txt": nil, ".hidden": nil})
	a.expect([]expected{
		{"children?path=", ".archive, .command, .children", `false "pakbox ls ." [{"kind":"folder","name":"files","size":null}]`},
		{"children?path=files", ".path, .archive, .command, (.children | map(del(.changed)))", `"files" false "pakbox ls files" [{"kind":"file","name":"b.txt","size":4},{"kind":"folder","name":"sub","size":null}]`},
		{"children?path=files/sub", ".children | map(del(.changed))", `[{"kind":"file","name":"c.txt","size":0}]`},
		{"home", ".roots, .read_only, .parquet, .collection", `[{"kind":"folder","name":"files"}] false false null`},
		{"home", ".formats | map(.name) | contains([\"gbx\", \"vpk42\", \"simutrans\"])", "true"},
	})
	samples(t).expect([]expected{
		// Folders of archives have the sum of the sizes of their files: 55 bytes in
		// d:/ymir work, 1262 in locale/en, and the files in the folder hello.
		{"children?path=samples/hello.vpk", ".archive, .format, .command", `true "vpk42" "pakbox ls -l samples/hello.vpk"`},
		{"children?path=samples/hello.vpk", ".children | map(del(.changed))", `[{"kind":"file","method":"stored","name":"empty.txt","size":0,"stored_size":0},{"kind":"folder","name":"locale","size":1262,"stored_size":387},{"kind":"file","method":"stored","name":"readme.txt","size":123,"stored_size":123},{"kind":"folder","name":"d:","size":55,"stored_size":55}]`},
		{"children?path=samples/simutrans/vehicle.Sample_Tram.pak", `.children | map(.name, .kind)`, `["vehicle.Sample_Tram","folder"]`},
		{"children?path=samples/Sample.Pack.Gbx", `.children | map(.size) | add`, "30168"},
	})
}

// Served folders and files have names, which resolve to their paths on disk.
func TestRoots(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"x/maps/a.txt", "y/maps/b.txt", "z/maps/c.txt", "dropped/d.txt", "one.txt", "two.txt"} {
		write(t, filepath.Join(dir, name), []byte(name))
	}
	a := looking(t, []string{filepath.Join(dir, "x/maps"), filepath.Join(dir, "y/maps"), filepath.Join(dir, "z/maps"), filepath.Join(dir, "dropped"), filepath.Join(dir, "one.txt")})
	a.expect([]expected{
		{"home", ".roots | map(.name, .kind)", `["maps","folder","maps (2)","folder","maps (3)","folder","dropped (2)","folder","one.txt","file"]`},
		{"text?path=maps (2)/b.txt", ".text, .size, .cut, .encoding", `"y/maps/b.txt" 12 false "UTF-8"`},
		{"text?path=dropped (2)/d.txt", ".text", `"dropped/d.txt"`},
		{"text?path=one.txt", ".text", `"one.txt"`},
	})
	a.refuses([]refused{
		{"text?path=two.txt", nil, page.NotFound, "two.txt: no such file"},
		{"text?path=one.txt/two.txt", nil, page.Unknown, "one.txt: magic"},
		{"text?path=maps/b.txt", nil, page.NotFound, "maps/b.txt: no such file"},
		{"text?path=maps", nil, page.Unknown, "is a folder"},
	})
	for disk, want := range map[string]string{
		"x/maps/a.txt": "maps/a.txt", "x/maps": "maps", "y/maps/deep/in.vpk/entry": "maps (2)/deep/in.vpk/entry", "one.txt": "one.txt", "one.txt/inside": "one.txt/inside", "two.txt": "", "x": "", "one.txt2": "",
	} {
		if got, ok := a.files.Named(filepath.Join(dir, disk)); got != want || ok != (want != "") {
			t.Errorf("Name(%s) = %q, %t, want %q", disk, got, ok, want)
		}
	}
	if _, err := a.files.Drop("e.txt", bytes.NewReader(nil), 0); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"maps/a.txt": "x/maps/a.txt", "maps/a.txt/inside/it": "x/maps/a.txt", "one.txt": "one.txt", "maps": "", "maps/none.txt": "", "dropped/e.txt": "", "nothing/a.txt": "", "": "",
	} {
		if want != "" {
			want = filepath.Join(real, want)
		}
		if got, err := a.OnDisk(name); got != want || (err == nil) != (want != "") {
			t.Errorf("path of %s = %q, %v, want %q", name, got, err, want)
		}
	}
	if _, err := page.NewFiles([]string{dir, filepath.Join(dir, "nothing")}); err == nil {
		t.Error("opening a missing folder succeeded")
	}
	if files, err := page.NewFiles([]string{"/"}); err != nil {
		t.Error(err)
	} else {
		defer files.Close()
		if list, err := files.ReadDir(""); err != nil || list[0].Name() != "root" {
			t.Errorf(`list = %v, err = %v; want no error, list[0].Name() = "root"`, list, err)
		}
	}
}

// Dropped files are in a folder like served ones, and halves of an archive are joined.
func TestDroppedFolder(t *testing.T) {
	a := looking(t, nil)
	for name, content := range map[string][]byte{`pair\hello.eix`: sample(t, "hello.eix"), "pair/hello.epk": sample(t, "hello.epk"), "/top.txt": []byte("top")} {
		t.Run(name, func(t *testing.T) {
			got := a.send("drop?name="+name, bytes.NewReader(content))
			if got.Status != page.OK {
				t.Fatalf("got.Status = %v; want page.OK", got.Status)
			}
			if size := a.pick(got, ".size"); size != "236" && size != "1280" && size != "3" {
				t.Errorf("size of %s = %s bytes", name, size)
			}
		})
	}
	a.expect([]expected{
		{"home", ".roots", `[{"kind":"folder","name":"dropped"}]`},
		{"children?path=dropped", ".children | map(del(.changed))", `[{"kind":"folder","name":"pair","size":null},{"kind":"file","name":"top.txt","size":3}]`},
		{"children?path=dropped/pair", ".children | map(.name, .size)", `["hello.eix",236,"hello.epk",1280]`},
		{"children?path=dropped/pair/hello.eix", ".format, (.children | length)", `"eterpack" 4`}, // its other half was dropped too
		{"text?path=dropped/pair/hello.eix/readme.txt", ".size", "123"},
	})
	a.refuses([]refused{
		{"children?path=dropped/nothing", nil, page.NotFound, "dropped/nothing"},
		{"children?path=dropped/pai", nil, page.NotFound, "dropped/pai"},
		{"bytes?path=dropped/pair/x", nil, page.NotFound, "dropped/pair/x"},
	})
	for _, name := range []string{"dropped/pair", "dropped"} {
		info, err := a.files.Stat(name)
		if err != nil || !info.IsDir() || info.Name() != path.Base(name) || info.Mode()&os.ModeDir == 0 {
			t.Errorf("%s: info = %v, err = %v; want no error, info.IsDir() = true, info.Name() = path.Base(name), info.Mode() & os.ModeDir other than 0", name, info, err)
		}
	}
	none := looking(t, nil)
	none.expect([]expected{{"home", ".roots", "[]"}, {"children?path=dropped", ".children | map(del(.changed))", "[]"}})
}

// A question that cannot be answered has the HTTP status for its error.
func TestRefusals(t *testing.T) {
	a := folder(t, map[string][]byte{"a.Map.Gbx": sampleMap(t), "hello.vpk": sample(t, "hello.vpk")}, func(o *page.Options) { o.ReadOnly = true })
	huge := bytes.NewReader(make([]byte, 1<<20+1))
	a.refuses([]refused{
		{"nothing", nil, page.NotFound, "unknown question nothing"},
		{"set?path=files/a.Map.Gbx", nil, page.WrongWay, "another way"},
		{"info?path=files/a.Map.Gbx", map[string]any{}, page.WrongWay, "another way"},
		{"set?path=files/a.Map.Gbx", map[string]any{}, page.Forbidden, "read-only"},
		{"set?path=dropped/a.Map.Gbx", huge, page.TooLarge, "size limit"},
		{"set?path=dropped/a.Map.Gbx", map[string]any{"odd": 1}, page.Bad, "odd"},
		{"set?path=dropped/a.Map.Gbx", map[string]any{}, page.NotFound, "no such file"},
		{"map.blocks?index=-1&path=files/a.Map.Gbx", nil, page.Bad, "the map has no block -1"},
		{"map.blocks?index=6&path=files/a.Map.Gbx", nil, page.Bad, "the map has no block 6"},
		{"map.blocks?index=3&items=true&path=files/a.Map.Gbx", nil, page.Bad, "the map has no item 3"},
		{"map.blocks?path=files/hello.vpk", nil, page.Unknown, "is not a GBX file"},
		{"replay.info?path=files/a.Map.Gbx", nil, page.Unknown, "no recorded run"},
		{"mesh.file?path=files/a.Map.Gbx", nil, page.Unusable, "mesh not found"},
		{"mesh.file?level=x&path=files/a.Map.Gbx", nil, page.Bad, "is not a number"},
		{"values?path=files/hello.vpk", nil, page.Unusable, "vpk42 files have no values"},
		{"simutrans.objects?path=files/a.Map.Gbx", nil, page.Unknown, "not a Simutrans object file"},
		{"query?q=%7B&path=files/a.Map.Gbx", nil, page.Bad, "is not jq"},
		{"query?q=nothing&path=files/a.Map.Gbx", nil, page.Bad, "is not jq"},
		{"query?q=.%2B1&path=files/a.Map.Gbx", nil, page.Bad, "does not fit"},
		{"thumbnail?path=files/hello.vpk", nil, page.NotFound, "thumbnail"},
		{"find?q=x", nil, page.Unusable, "no index is open"},
	})
	// An error is in the same envelope as an answer, with its kind.
	if got, want := a.pick(a.ask("map.blocks?path=files/hello.vpk"), ".schema, .path, .error.kind, (.error | keys)"), `"pakbox.map.blocks/1" "files/hello.vpk" "bad_magic" ["entry","file","hints","kind","message","offset"]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for post, want := range map[bool]int{true: 9, false: 64} {
		if names := page.Questions(post); len(names) < want-3 || !slices.IsSorted(names) {
			t.Errorf("%d questions: %v", len(names), names)
		}
	}
}

// makers are the questions that make a file of other things than the file at the path, with
// the status for some paths.
var makers = map[string]map[string]page.Status{
	"campaign.create":     {"cut.Map.Gbx": page.Unknown, "hello.vpk/none": page.Unknown},
	"create":              {"text.txt": page.Bad, "hello.vpk": page.Bad, "cut.Map.Gbx": page.Bad, "none": page.Bad, "hello.vpk/none": page.Bad},
	"item.create":         {"cut.Map.Gbx": page.Unknown},
	"item.import":         {"text.txt": page.Unusable, "hello.vpk": page.Unusable},
	"map.create":          {"cut.Map.Gbx": page.OK, "text.txt": page.OK, "hello.vpk": page.OK, "none": page.OK, "hello.vpk/none": page.OK},
	"map.list":            {"cut.Map.Gbx": page.Unknown, "hello.vpk/none": page.Unknown},
	"simutrans.compile":   {"cut.Map.Gbx": page.Bad, "text.txt": page.Bad, "hello.vpk": page.Bad, "hello.vpk/none": page.Bad},
	"simutrans.decompile": {"hello.vpk": page.Unusable},
}

// Every question about a missing file, a file of another format or a damaged file returns an
// error. Questions about any file are the exception.
func TestWrongFiles(t *testing.T) {
	data := sampleMap(t)
	a := folder(t, map[string][]byte{"hello.vpk": sample(t, "hello.vpk"), "cut.Map.Gbx": data[:len(data)-40], "text.txt": []byte("no archive")})
	const anyway = " changed formats home spans "
	const anyFile = anyway + "bytes content grep layers search simutrans.check text verify what "
	for _, k := range []struct {
		name     string
		status   page.Status
		answered string
		other    map[string]page.Status
	}{
		{"none", page.NotFound, anyway, nil},
		{"hello.vpk/none", page.NotFound, anyway + "verify ", nil},
		{"hello.vpk", page.Unknown, anyFile + "children convert diff dump info left ls query ", map[string]page.Status{"thumbnail": page.NotFound, "get": page.Unusable, "picture": page.Unusable, "value": page.Unusable, "value-at": page.Unusable, "values": page.Unusable}},
		{"cut.Map.Gbx", page.Unusable, strings.ReplaceAll(anyFile, "grep ", "") + "left thumbnail value-at values ", map[string]page.Status{"value": page.Bad}},
		{"text.txt", page.Unknown, anyFile, map[string]page.Status{"picture": page.Unusable}},
	} {
		for _, question := range page.Questions(false) {
			want := k.status
			if status, ok := k.other[question]; ok {
				want = status
			}
			switch question {
			case "collection", "facets", "find", "find.csv", "sql", "sql.csv": // no index is open
				want = page.Unusable
			case "block", "forms", "item.materials", "rules", "tiles": // about no file, or about several, each with its own error
				want = page.OK
			case "class", "member":
				want = page.Bad
			}
			if status, ok := makers[question][k.name]; ok {
				want = status
			}
			if strings.Contains(k.answered, " "+question+" ") {
				want = page.OK
			}
			path := "files/" + k.name
			got := a.ask(question + "?path=" + path + "&other=" + path + "&with=" + path + "&q=.&value=mapName&text=x&kind=csv&format=vpk42")
			if text, err := got.Read(); err != nil || got.Status != want || want != page.OK && !bytes.Contains(text, []byte(`"message":"`)) {
				t.Errorf("%s of %s: status %d, want %d: %.200s", question, k.name, got.Status, want, text)
			}
		}
	}
	var changes []string
	for _, q := range answer.Questions() {
		if q.Change {
			changes = append(changes, q.Name)
		}
	}
	for _, question := range changes {
		for _, name := range []string{"none", "hello.vpk", "hello.vpk/readme.txt", "cut.Map.Gbx", "text.txt"} {
			want := page.Unusable
			if name == "none" {
				want = page.NotFound
			}
			if ofArchive := slices.Contains([]string{"put", "rm", "mv"}, question); name == "hello.vpk" && ofArchive {
				want = page.Bad // there is nothing to do
			} else if name == "text.txt" || name == "hello.vpk" && question != "set" {
				want = page.Unknown
			}
			a.refuses([]refused{{question + "?path=files/" + name, map[string]any{}, want, "files/" + name}})
		}
	}
	a.refuses([]refused{
		{"drop?name=", strings.NewReader("x"), page.Forbidden, "the name is empty"},
		{"drop?name=a%00b", strings.NewReader("x"), page.Forbidden, "name"},
	})
}

// A cancelled question gets no answer; a question that takes too long ends with an
// error.
func TestGone(t *testing.T) {
	a := folder(t, map[string][]byte{"a.Map.Gbx": sampleMap(t)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got := a.Ask(ctx, page.Request{Name: "info", Params: map[string][]string{"path": {"files/a.Map.Gbx"}}})
	if got.Status != page.Interrupted && got.Status != page.Busy {
		t.Errorf("got.Status = %d; want got.Status = page.Interrupted or got.Status = page.Busy", got.Status)
	}
}
