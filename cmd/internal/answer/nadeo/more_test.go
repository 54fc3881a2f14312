package nadeo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pakbox/cmd/internal/asked"
	"pakbox/cmd/internal/question"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/mesh"
	"pakbox/nadeo/campaigns"
	"pakbox/nadeo/nadeotest/mapsample"
)

// Files are looked for as games do: without regard to letter case, with both slashes, and
// only below the folder.
func TestFilesOutside(t *testing.T) {
	dir := asked.Files(t)
	for in, want := range map[string]string{"": "null null 0", "player": "true false 1", "runs": "false false 2", "nowhere": "false false 2"} {
		t.Run(in, func(t *testing.T) {
			if in != "" {
				in = filepath.Join(dir, in)
			}
			d, err := MapDeps.Ask(t.Context(), at(filepath.Join(dir, "a.Map.Gbx")), depsParams{In: in})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for i := range d.Dependencies {
				text, _ := json.Marshal(d.Dependencies[i].Present)
				got += string(text) + " "
			}
			if got += fmt.Sprint(d.Missing); got != want || d.Found() != (d.Missing > 0) || len(slices.Collect(d.Rows("x"))) != 2 {
				t.Errorf("in %s: %s, want %s", in, got, want)
			}
		})
	}
	for path, want := range map[string]bool{
		"a.Map.Gbx": true, "A.MAP.gbx": true, `player\.\skins/Stadium/mod/snow.zip`: true, "player": false, "player/../a.Map.Gbx": false, "a.Map.Gbx/x": false, "b.Map.Gbx": false, "": false,
	} {
		if got := isBelow(dir, path); got != want {
			t.Errorf("%q: got = %v; want %v", path, got, want)
		}
	}
}

func TestCampaignList(t *testing.T) {
	c := campaigns.Campaign{ID: "c", Name: "All", Groups: []campaigns.Group{
		{Name: "White", Maps: []campaigns.Map{{Ident: gbx.Ident{ID: gbx.NewID("u1"), Collection: gbx.NewID("Stadium"), Author: gbx.NewID("me")}, Path: "A1.Map.Gbx"}}},
		{Name: "Green", Maps: []campaigns.Map{{Ident: gbx.Ident{ID: gbx.NewID("u2"), Collection: gbx.NewID("Stadium"), Author: gbx.NewID("me")}, Path: "B1.Map.Gbx"}, {Ident: gbx.Ident{ID: gbx.NewID("u3"), Collection: gbx.NewID("Stadium"), Author: gbx.NewID("me")}}}},
	}}
	data, err := c.File().Encode()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "c.Campaign.Gbx")
	write(t, path, data)
	for _, known := range []map[string]MapFile{nil, {"u2": {Path: "maps/b.Map.Gbx", Name: "Second"}}} {
		got, err := CampaignList.Ask(t.Context(), at(path), campaignParams{Known: known})
		if err != nil || got.ID != "c" || got.Name != "All" || got.MapCount != 3 || len(got.Groups) != 2 {
			t.Fatalf(`got = %+v err = %v; want no error, got.ID = "c", got.Name = "All", got.MapCount = 3, got.Groups of length 2`, got, err)
		}
		var lines []string
		for _, g := range got.Groups {
			for _, m := range g.Maps {
				text, _ := json.Marshal(m)
				lines = append(lines, g.Name+string(text))
			}
		}
		want := []string{
			`White{"uid":"u1","collection":"Stadium","author_login":"me","map_path":"A1.Map.Gbx","found":false,"name":"","file":""}`,
			`Green{"uid":"u2","collection":"Stadium","author_login":"me","map_path":"B1.Map.Gbx","found":true,"name":"Second","file":"maps/b.Map.Gbx"}`,
			`Green{"uid":"u3","collection":"Stadium","author_login":"me","map_path":"","found":false,"name":"","file":""}`,
		}
		if known == nil {
			for i := range want {
				want[i], _, _ = strings.Cut(want[i], `,"found"`)
				want[i] += "}"
			}
		}
		if !slices.Equal(lines, want) {
			t.Errorf("%s; want lines equal to %v", strings.Join(lines, "\n"), want)
		}
	}
}

func TestItemChange(t *testing.T) {
	item, err := mapsample.Item("New")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change     ItemChange
		want, fail string
	}{
		{ItemChange{Remove: []string{"Items/Tree.txt", "Items/T*"}}, `{"added":[],"removed":["Items/Tree.txt","Items/Tree.Item.Gbx"]}`, ""},
		{ItemChange{Unused: true, Remove: []string{"Items/Unused.Item.Gbx"}}, `{"added":[],"removed":["Items/Unused.Item.Gbx","C:/Users/Ada/Items/Leak.Item.Gbx","../Evil.Item.Gbx"]}`, ""},
		{ItemChange{Add: []NewItem{{"Items/New.Item.Gbx", "new.Item.Gbx", item}}}, `{"added":["Items/New.Item.Gbx"],"removed":[]}`, ""},
		{ItemChange{Remove: []string{"Items/Tree.txt", "Items/X*"}}, "", "the map does not embed Items/X*"},
		{ItemChange{Add: []NewItem{{"../New.Item.Gbx", "new.Item.Gbx", item}}}, "", ".."},
		{ItemChange{Add: []NewItem{{"Items/New.Item.Gbx", "new.Item.Gbx", item[:9]}}}, "", "new.Item.Gbx: "},
	} {
		m := mapsample.New(t)
		before, _ := m.EmbeddedFiles()
		made, err := c.change.Apply(m)
		if c.fail != "" {
			if err == nil || !strings.Contains(err.Error(), c.fail) {
				t.Errorf("%+v: err = %v; want an error, err with %q", c.change.Remove, err, c.fail)
			}
			continue
		}
		text, _ := json.Marshal(made)
		if err != nil || string(text) != c.want {
			t.Errorf("%s %v, want %s", text, err, c.want)
		}
		if after, err := m.EmbeddedFiles(); err != nil || len(after.Files) == len(before.Files) {
			t.Errorf("%d files after, %d before, %v", len(after.Files), len(before.Files), err)
		}
	}
	if got := ItemName(`x\Items\a.Item.Gbx`); !strings.HasSuffix(got, "a.Item.Gbx") {
		t.Errorf(`got = %v; want got ending in "a.Item.Gbx"`, got)
	}
}

func TestSceneSummary(t *testing.T) {
	for want, s := range map[string]MapScene{
		"0 blocks and 1 item, 12 triangles": {Items: 1, Triangles: 12, Stored: 12},
		"2 blocks and 0 items, 24 triangles: 2 drawn as boxes (24 triangles); equal ones are stored once: 12 triangles": {Blocks: 2, Triangles: 24, Stored: 12, Boxes: share{1, 2, 24}},
		"2 blocks and 1 item, 3 triangles: 1 with meshes of the map (1 triangle), 2 with meshes of the game (2 triangles), 4 without a shape, 5 pillars and joints left out; 1 driven line of 31 points": {
			Blocks: 2, Items: 1, Triangles: 3, Stored: 3, Embedded: share{1, 1, 1}, Game: share{1, 2, 2}, Empty: 4, Hidden: 5, Lines: 1, Points: 31},
	} {
		if got := s.Summary(); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

func TestRowsOfTables(t *testing.T) {
	dir := asked.Files(t)
	items, err := MapItems.Ask(t.Context(), at(filepath.Join(dir, "a.Map.Gbx")), question.NoParams{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := range items.Rows("a.Map.Gbx") {
		state, _ := r.Get("state")
		name, _ := r.Get("name")
		got = append(got, state.Text()+" "+name.Text())
	}
	want := []string{"used Items/Tree.Item.Gbx", "unused Items/Unused.Item.Gbx", " Items/Tree.txt", "unused C:/Users/Ada/Items/Leak.Item.Gbx", "unused ../Evil.Item.Gbx", "missing Lost.Item.Gbx"}
	if !slices.Equal(got, want) {
		t.Errorf("got = %q; want got equal to %q", got, want)
	}
	for severity, found := range map[finding.Severity]bool{finding.Note: false, finding.Warning: true, finding.Error: true} {
		l := &Linted{[]finding.Finding{{Severity: severity, Rule: "r"}}}
		if l.Found() != found {
			t.Errorf("a %s is found: %v", severity, l.Found())
		}
		file, _ := slices.Collect(l.Rows("x.Gbx"))[0].Get("file")
		if file.Text() != "x.Gbx" {
			t.Errorf("the finding is about %q", file.Text())
		}
	}
}

type gameHost struct {
	question.Local
	models func(folder string) (mesh.Library, func(), error)
}

func (h gameHost) Models(_ context.Context, folder string) (mesh.Library, func(), error) {
	return h.models(folder)
}

// The folder of a game is closed when its meshes are no longer needed.
func TestGameIsClosed(t *testing.T) {
	of, closed := at(filepath.Join(asked.Files(t), "a.Map.Gbx")), 0
	of.Host = gameHost{models: func(folder string) (mesh.Library, func(), error) {
		if folder != "game" {
			return nil, nil, errors.New(folder)
		}
		return nil, func() { closed++ }, nil
	}}
	if _, err := MapMesh.Ask(t.Context(), of, mapMeshParams{Game: "game"}); err != nil || closed != 1 {
		t.Errorf("closed %d times, %v", closed, err)
	}
	if _, err := MapMesh.Ask(t.Context(), of, mapMeshParams{Game: "other"}); err == nil || err.Error() != "other" {
		t.Errorf(`err = %v; want an error, err = "other"`, err)
	}
}
