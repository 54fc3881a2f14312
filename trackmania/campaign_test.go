package trackmania

import (
	"bytes"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// A real campaign, read and built again from what was read, is the same to the
// last byte of its body.
func TestCampaign(t *testing.T) {
	eachFile(t, []string{"03090000"}, func(c corpusFile) {
		got, err := CampaignOf(c.file)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Groups) != 5 || len(got.Groups[0].Maps) != 15 || len(got.Groups[4].Maps) != 5 || got.Groups[1].Name != "1" {
			t.Errorf("%s: %+v", c.path, got)
		}
		fresh := *got // with Ids that were never in a file
		for i := range fresh.Groups {
			for k := range fresh.Groups[i].Maps {
				id := &fresh.Groups[i].Maps[k].Ident
				id.ID, id.Author = gbx.NewId(id.ID.String()), gbx.NewId(id.Author.String())
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
		if !bytes.Equal(made.BodyBytes(), c.file.BodyBytes()) || made.NumNodes != c.file.NumNodes || made.Class != c.file.Class {
			t.Errorf("%s: built again it has %d bytes and %d nodes, not %d and %d",
				c.path, len(made.BodyBytes()), made.NumNodes, len(c.file.BodyBytes()), c.file.NumNodes)
		}
	})
	if _, err := CampaignOf(&gbx.File{Header: gbx.Header{Class: classMap}}); err == nil {
		t.Error("a map passes for a campaign")
	}
}
