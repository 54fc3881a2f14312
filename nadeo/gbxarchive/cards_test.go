package gbxarchive

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/fact"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/nadeotest/mapsample"
)

// sampleFile reads a sample that comes with pakbox.
func sampleFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "samples", "trackmania", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// lines are what people see of a card; fields are the names of all facts.
func cardLines(facts fact.Record) (lines, fields string) {
	var text, names []string
	for _, f := range facts {
		names = append(names, f.Name)
		if f.Label != "" && !f.Hidden {
			text = append(text, f.Label+": "+f.Text())
		}
	}
	return strings.Join(text, "\n"), strings.Join(names, " ")
}

var update = flag.Bool("update", false, "write the golden file anew")

// The whole cards of files that are made from known values: what people see, and
// the fields of the JSON.
func TestCards(t *testing.T) {
	sample, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	show := func(name string, data []byte) {
		lines, _ := cardLines(open(t, data, name).Facts())
		fields, err := open(t, data, name).Facts().MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "-- %s --\n%s\n%s\n", name, lines, fields)
	}
	show("mapsample", sample)
	for _, kind := range []string{"Ghost", "Item", "Map", "Mesh", "Replay"} {
		name := "Sample." + kind + ".Gbx"
		show(name, sampleFile(t, name))
	}
	const golden = "testdata/cards.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("cards are not those of %s; go test -update writes it anew:\n%s", golden, b.String())
	}
}

// Lines of cards of real files, with what another reader found: nodes by their
// number, files outside, and the account that a login stands for.
func TestLinesOfCards(t *testing.T) {
	for name, want := range map[string]string{
		"0a030000/1e0c201da345*": "Made of: 572 CFuncKeysReal, 22 CPlugVehicleCarPhyTuning",
		"090bb000/601a98959579*": "Refers to: Material/DynaTrain.Material.Gbx",
		"03043000/6820167eec16*": "Author: vTr5QXsPTFi3a2QoTZkY2w (account bd3af941-7b0f-4c58-b76b-64284d9918db)", // the bytes of its Base64
	} {
		t.Run(name, func(t *testing.T) {
			for _, file := range corpus.Files(t, corpus.Dir(t, "gbx"), name) {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if lines, _ := cardLines(open(t, data, filepath.Base(file)).Facts()); !strings.Contains("\n"+lines+"\n", "\n"+want+"\n") {
					t.Errorf("%s: no %q in\n%s", file, want, lines)
				}
			}
		})
	}
}

// known is what another reader and the corpus' own list say about a file.
type known struct {
	OK        bool   `json:"ok"`
	Class     string `json:"class"`
	ClassName string `json:"class_name"`
	Format    string `json:"format"`
	Nodes     int    `json:"nodes"`
	BodySize  *int   `json:"body_size"`
	BodyCSize *int   `json:"body_csize"`
	Refs      *struct {
		Files     []string `json:"files"`
		Resources int      `json:"resources"`
	} `json:"refs"`
	Map *struct {
		AuthorLogin string `json:"author_login"`
		AuthorNick  string `json:"author_nick"`
		Collection  any    `json:"collection"`
		TitleID     string `json:"title_id"`
		MapType     string `json:"map_type"`
		Thumbnail   *struct {
			Length int    `json:"len"`
			SHA256 string `json:"sha256"`
		} `json:"thumbnail"`
		Baked *struct {
			Count int `json:"count"`
		} `json:"baked"`
		Items *struct {
			Count int `json:"count"`
		} `json:"items"`
	} `json:"map"`
	Replay *struct {
		XML int `json:"xml_len"`
		Map *struct {
			Length int    `json:"len"`
			SHA256 string `json:"sha256"`
		} `json:"embedded_map"`
	} `json:"replay"`
	Collector *struct {
		Icon *struct {
			Format string `json:"format"`
			W      int    `json:"w"`
			H      int    `json:"h"`
			Pixels string `json:"stored_sha256"`
			Length int    `json:"len"`
			SHA256 string `json:"sha256"`
		} `json:"icon"`
	} `json:"collector"`
	Item *struct {
		Type *struct {
			Name string `json:"n"`
		} `json:"item_type"`
	} `json:"item"`
	Clip *struct {
		Tracks int `json:"tracks"`
	} `json:"clip"`
	Props map[string]any `json:"props"`
	Mesh  *struct {
		Nodes map[string]int `json:"nodes_by_class"`
	} `json:"mesh"`
}

// The facts on every card about how a file is stored, and the facts of rare
// classes, agree with another reader.
func TestCorpusContainers(t *testing.T) {
	oracle := corpus.Oracle[known](t)
	compared := map[string]int{}
	corpusFiles(t, 4, func(path string, data []byte) {
		k, ok := oracle[corpus.Name(path)]
		if !ok {
			return
		}
		a := open(t, data, filepath.Base(path))
		facts := factMap(a.Facts())
		same := func(what string, got, want any) {
			if compared[what]++; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %s is %v, not %v", path, what, got, want)
			}
		}
		same("class", facts["class"], k.Class)
		same("node_count", facts["node_count"], k.Nodes)
		same("compressed", facts["compressed"], k.Format[2] == 'C')
		same("encoding", facts["encoding"], map[byte]string{'B': "binary", 'T': "text"}[k.Format[0]])
		if k.BodySize != nil {
			same("body_size", facts["body_size"], *k.BodySize)
		}
		for _, e := range a.Entries() {
			if e.Name == "body.bin" && k.BodyCSize != nil {
				same("stored size", e.StoredSize, *k.BodyCSize)
				same("method", e.Method, "lzo1x")
				same("entry's compressed", e.Compressed, true)
			}
		}
		if !k.OK {
			return
		}
		same("class_name", facts["class_name"], k.ClassName)
		if k.Refs != nil && k.Refs.Resources == 0 {
			same("references", strings.Join(facts["references"].([]string), " "), strings.Join(k.Refs.Files, " "))
		}
		if m := k.Map; m != nil {
			same("author_login", facts["author_login"], m.AuthorLogin)
			same("title_id", facts["title_id"], m.TitleID)
			same("map_type", facts["map_type"], m.MapType)
			same("collection", facts["collection"], m.Collection)
			if m.Baked != nil {
				same("baked_block_count", facts["baked_block_count"], m.Baked.Count)
			}
			if m.Items != nil {
				same("item_count", facts["item_count"], m.Items.Count)
			}
			if m.Thumbnail != nil && m.Thumbnail.Length > 0 {
				same("thumbnail_size", facts["thumbnail_size"], m.Thumbnail.Length)
			}
			return
		}
		if k.Item != nil && k.Item.Type != nil && facts["item_type"] != nil {
			same("item_type", facts["item_type"], k.Item.Type.Name)
		}
		if k.Mesh != nil {
			// It counts some that lie in no node of their own, and leaves some out.
			got := facts["nodes"].(map[string]int)
			for name, n := range k.Mesh.Nodes {
				if name == k.ClassName {
					n-- // the file itself
				}
				if got[name] > 0 || n > 0 && name == "CPlugMaterialUserInst" {
					same("nodes", fmt.Sprint(got[name], " ", name), fmt.Sprint(n, " ", name))
				}
			}
		}
		if link, ok := k.Props["link"]; ok && facts["link"] != nil {
			same("link", facts["link"], link)
		}
		if model, ok := k.Props["model"]; ok && facts["model"] != nil {
			same("model", facts["model"], model)
		}
	})
	for name, want := range map[string]map[string]any{
		"03079000/8180e2181a46.": {"track_count": 14}, "03079000/ac5849ff8f23.": {"track_count": 29},
		"03090000/80810155a194.": {"group_count": 5, "name": "TMValley@nadeo #0"},
		"090ec000/1e0c201da345.": {"tuning_count": 22}, "090ec000/bebbc22f054d.": {"tuning_count": 10},
		"090fd000/f18dfcc53d9d.": {"model": "TDSN"}, "090fd000/4e36beea3d6b.": {"link": `Stadium\Media\Material\Grass`, "model": "TDSN", "textures": "[]"},
	} {
		for _, file := range corpus.Files(t, corpus.Dir(t, "gbx"), "*", strings.Split(name, "/")[1]+"*") {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			facts := factMap(open(t, data, filepath.Base(file)).Facts())
			for fact, value := range want {
				if fmt.Sprint(facts[fact]) != fmt.Sprint(value) {
					t.Errorf("%s: %s is %v, not %v", file, fact, facts[fact], value)
				}
			}
		}
	}
	for what, least := range map[string]int{"class": 150, "body_size": 150, "references": 5, "title_id": 50, "item_type": 20, "nodes": 100} {
		if compared[what] < least {
			t.Errorf("%s was compared %d times", what, compared[what])
		}
	}
}
