package gbxarchive

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/fact"
	"pakbox/internal/testkit/corpus"
	"pakbox/internal/testkit/mapsample"
)

// sampleFile reads a sample that comes with pakbox.
func sampleFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "samples", "trackmania", name))
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

// The whole cards of files that are made from known values.
func TestCards(t *testing.T) {
	sample, err := mapsample.Map()
	if err != nil {
		t.Fatal(err)
	}
	const container = "version encoding compressed body_size node_count references"
	const ofMap = "class class_name game name uid author_login author_nick collection collection_name title_id map_type medals laps checkpoints block_count baked_block_count item_count embedded_items thumbnail_sha256 thumbnail_size password " + container
	for name, k := range map[string]struct {
		data          []byte
		lines, fields string
	}{
		"Sample.Map.Gbx": {sampleFile(t, "Sample.Map.Gbx"), `Class: CGameCtnChallenge (03043000)
Game: TrackMania Forever
Map: Sample map
UID: pakbox_sample_map_000000000
Author: pakbox
Nickname: 
Environment: Stadium
Title: 
Map type: 
Medals: author 0:09.950, gold 0:11.000, silver 0:13.000, bronze 0:16.000
Checkpoints: 1
Blocks: 10
Items: 0
Thumbnail: 1159 bytes, stored upside down
Password: no
Stored as: GBX version 6, binary, body compressed
Body: 708 bytes
Nodes: 3`, ofMap},
		"mapsample": {sample, `Class: CGameCtnChallenge (03043000)
Game: Trackmania (2020)
Map: Sample map
UID: Sample_0000000000000000Map0
Author: Ada
Nickname: 
Environment: Stadium
Title: TMStadium
Map type: TrackMania\TM_Race
Medals: author 0:36.217, gold 0:43.000, silver 0:48.000, bronze 1:00.000
Checkpoints: 1
Blocks: 6
Items: 3
Embedded: 5
Thumbnail: 664 bytes, stored upside down
Password: yes
Stored as: GBX version 6, binary, body compressed
Body: 2721 bytes
Nodes: 2`, ofMap},
		"Sample.Replay.Gbx": {sampleFile(t, "Sample.Replay.Gbx"), `Class: CGameCtnReplayRecord (03093000)
Time: 0:09.950
Driver: Pakbox
Login: pakbox
Map UID: pakbox_sample_map_000000000
Ghosts: 1
Stored as: GBX version 6, binary, body compressed
Body: 8802 bytes
Nodes: 2`, "class class_name game time nick login map_uid ghosts " + container},
		"Sample.Ghost.Gbx": {sampleFile(t, "Sample.Ghost.Gbx"), `Class: CGameCtnGhost (03092000)
Game: TrackMania Forever
Driver: Pakbox
Login: pakbox
Time: 0:09.950
Checkpoints: 1
Samples: 101
Inputs: 5
Stored as: GBX version 6, binary, body compressed
Body: 6481 bytes
Nodes: 1`, "class class_name game nick login race_time respawns checkpoints sample_count input_count " + container},
		"Sample.Item.Gbx": {sampleFile(t, "Sample.Item.Gbx"), `Class: CGameItemModel (2E002000)
Called: Sample
Author: Ada
Environment: Stadium
Page: 
Mesh: 0 vertices, 0 triangles
Stored as: GBX version 6, binary, body compressed
Body: 4 bytes
Nodes: 1`, "class class_name game name author_login collection collection_name page files vertex_count triangle_count collision_triangle_count nodes " + container},
		"Sample.Mesh.Gbx": {sampleFile(t, "Sample.Mesh.Gbx"), `Class: CPlugSolid2Model (090BB000)
Game: ManiaPlanet
Mesh: 7 vertices, 3 triangles
Made of: 2 CPlugIndexBuffer, 2 CPlugMaterialUserInst, 2 CPlugVisualIndexedTriangles
Stored as: GBX version 6, binary, body compressed
Body: 832 bytes
Nodes: 5`, "class class_name game vertex_count triangle_count collision_triangle_count nodes " + container},
	} {
		lines, fields := cardLines(open(t, k.data, name).Facts())
		if lines != k.lines {
			t.Errorf("%s:\n%s\nwant\n%s", name, lines, k.lines)
		}
		if fields != k.fields {
			t.Errorf("%s: the fields are %s, want %s", name, fields, k.fields)
		}
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
		for _, file := range corpus.Files(t, corpus.Dir(t, "gbx"), name) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if lines, _ := cardLines(open(t, data, filepath.Base(file)).Facts()); !strings.Contains("\n"+lines+"\n", "\n"+want+"\n") {
				t.Errorf("%s: no %q in\n%s", file, want, lines)
			}
		}
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

// What every card says about how a file is stored, and what is said about
// classes that are rare, agree with another reader.
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
