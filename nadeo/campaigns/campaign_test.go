package campaigns

import (
	"bytes"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/internal/places"
	"pakbox/nadeo/nadeotest/roomtest"
)

// A real campaign, read and built again from what was read, is the same to the
// last byte of its body.
func TestCampaign(t *testing.T) {
	roomtest.Each(t, []string{"03090000"}, func(c roomtest.File) {
		got, err := Of(c.File)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Groups) != 5 || len(got.Groups[0].Maps) != 15 || len(got.Groups[4].Maps) != 5 || got.Groups[1].Name != "1" {
			t.Errorf(`%s: got = %+v; want got.Groups of length 5, got.Groups[0].Maps of length 15, got.Groups[4].Maps of length 5, got.Groups[1].Name = "1"`, c.Path, got)
		}
		fresh := *got // with IDs that were never in a file
		for i := range fresh.Groups {
			for k := range fresh.Groups[i].Maps {
				id := &fresh.Groups[i].Maps[k].Ident
				id.ID, id.Author = gbx.NewID(id.ID.String()), gbx.NewID(id.Author.String())
			}
		}
		data, err := fresh.File().Encode()
		if err != nil {
			t.Fatal(err)
		}
		made, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(made.BodyBytes(), c.File.BodyBytes()) || made.NumNodes != c.File.NumNodes || made.Class != c.File.Class {
			t.Errorf("%s: built again it has %d bytes and %d nodes, not %d and %d",
				c.Path, len(made.BodyBytes()), made.NumNodes, len(c.File.BodyBytes()), c.File.NumNodes)
		}
	})
	if _, err := Of(&gbx.File{Header: gbx.Header{Class: 0x03043000}}); err == nil {
		t.Error("a map passes for a campaign")
	}
}

// Texts beyond ASCII have a mark in the file, which nobody sees.
func TestCampaignMark(t *testing.T) {
	c := Campaign{Name: "Täler", Groups: []Group{{Name: "é", Maps: []Map{{Ident: places.NoIdent, Path: `Maps\Ö.Map.Gbx`}}}}}
	data, err := c.File().Encode()
	if err != nil {
		t.Fatal(err)
	}
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := gbx.Find[*game.Chunk0309000F](f.Body); !ok || n.Name != "\ufeffTäler" {
		t.Errorf("n = %+v; want ok = true, n.Name = \"\\ufeffTäler\"", n)
	}
	if bytes.Count(f.BodyBytes(), []byte("\ufeff")) != 3 {
		t.Errorf("f.BodyBytes() = %q; want bytes.Count(f.BodyBytes(), []byte(\"\\ufeff\")) = 3", f.BodyBytes())
	}
	got, err := Of(f)
	if err != nil || got.Name != c.Name || got.Groups[0].Name != "é" || got.Groups[0].Maps[0].Path != c.Groups[0].Maps[0].Path {
		t.Errorf(`got = %+v (err = %v); want no error, got.Name = %v, got.Groups[0].Name = "é", got.Groups[0].Maps[0].Path = c.Groups[0].Maps[0].Path`, got, err, c.Name)
	}
}
