package items

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"path/filepath"
	"reflect"
	"testing"

	"golang.org/x/image/webp"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/nadeo/internal/chunks"
	"pakbox/nadeo/nadeotest/roomtest"
)

// collector is an object whose header and body state the same.
func collector(b ...gbx.Body) *gbx.File {
	ident := gbx.Ident{ID: gbx.NewID("Tor"), Collection: gbx.NewID("Stadium"), Author: gbx.NewID("ada")}
	f := roomtest.NodeFile(classItemModel, append([]gbx.Body{
		&gamedata.Chunk2E001009{PageName: "Items", ParentCollectorID: gbx.NoID}, &gamedata.Chunk2E00100B{Model: ident}, &gamedata.Chunk2E00100C{Name: "$f00Tor"},
		&gamedata.Chunk2E00100D{Description: "A gate."}, &gamedata.Chunk2E002015{ItemType: gamedata.CGameItemModelItemTypeOrnament}}, b...)...)
	f.Chunks = []gbx.HeaderChunk{
		{ID: 0x2E001003, Body: &gamedata.Header2E001003{Model: ident, Version: 8, PageName: "Items", Name: "$f00Tor"}},
		{ID: 0x2E002000, Body: &gamedata.Header2E002000{ItemType: gamedata.CGameItemModelItemTypeOrnament}},
	}
	return f
}

// A card of an item has the facts in its file. An object that is not an item has only the facts
// of all objects.
func TestFactsOfItems(t *testing.T) {
	f := collector(&gamedata.Chunk2E00201F{WaypointType: gamedata.CGameItemModelWaypointTypeFinish}, &gamedata.Chunk2E002019{VisModel: gbx.NewRef(roomtest.Node(0x2E007000, &gamedata.Chunk2E007001{Mesh: "a.Mesh.gbx"}))})
	texts := func(f *gbx.File) (out []string) {
		for _, v := range FactsOf(f) {
			out = append(out, fmt.Sprint(v.Name, "=", v.Value, map[bool]string{true: " hidden"}[v.Hidden]))
		}
		return out
	}
	want := "[name=$f00Tor author_login=ada collection=Stadium collection_name=Stadium page=Items item_type=Ornament waypoint=Finish description=A gate. model=CGameObjectVisModel has_icon=false files=[a.Mesh.gbx]]"
	if got := fmt.Sprint(texts(f)); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := fmt.Sprint(texts(collector())); got != "[name=$f00Tor author_login=ada collection=Stadium collection_name=Stadium page=Items item_type=Ornament waypoint=None hidden description=A gate. has_icon=false files=[] hidden]" {
		t.Errorf("a plain item: %s", got)
	}
	block := collector()
	block.Class, block.Body.Class = 0x03122000, 0x03122000
	if got := fmt.Sprint(texts(block)); got != "[name=$f00Tor author_login=ada collection=Stadium collection_name=Stadium page=Items item_type=Ornament]" {
		t.Errorf("another object: %s", got)
	}
	if FactsOf(roomtest.NodeFile(0x03043000)) != nil {
		t.Error("a map has the facts of an item")
	}
	if name, ok := NameOf(f); name != "$f00Tor" || !ok {
		t.Errorf(`name = %s, ok = %t; want name = "$f00Tor", ok = true`, name, ok)
	}
	if _, ok := NameOf(roomtest.NodeFile(0x03043000)); ok {
		t.Error("a map has the name of an item")
	}
	if _, err := ModelOf(block); !errors.Is(err, fault.NotFormat) {
		t.Errorf("a block as an item: %v", err)
	}
}

// Contradictions between header and body are reported, each of them separately.
func TestContradictions(t *testing.T) {
	if got := Contradictions(collector()); len(got) != 0 {
		t.Errorf("got = %q; want empty got", got)
	}
	for what, change := range map[string]func(h *gamedata.Header2E001003, i *gamedata.Header2E002000){
		"name":   func(h *gamedata.Header2E001003, _ *gamedata.Header2E002000) { h.Name = "other" },
		"author": func(h *gamedata.Header2E001003, _ *gamedata.Header2E002000) { h.Model.Author = gbx.NewID("eve") },
		"page":   func(h *gamedata.Header2E001003, _ *gamedata.Header2E002000) { h.PageName = "Other" },
		"type": func(_ *gamedata.Header2E001003, i *gamedata.Header2E002000) {
			i.ItemType = gamedata.CGameItemModelItemTypePickUp
		},
	} {
		f := collector()
		change(f.Chunks[0].Body.(*gamedata.Header2E001003), f.Chunks[1].Body.(*gamedata.Header2E002000))
		if got := Contradictions(f); len(got) != 1 {
			t.Errorf("%s: got = %q; want got of length 1", what, got)
		}
	}
	// A new author is written to header and body, and to nothing else.
	f := collector()
	c, _ := CollectorOf(f)
	c.SetAuthor(gbx.NewID("eve"))
	if c.Author() != "eve" || c.AuthorID().String() != "eve" || len(Contradictions(f)) != 0 || c.Name() != "$f00Tor" || c.Ident().ID.String() != "Tor" || c.Collection() != "Stadium" {
		t.Errorf("c.Ident() = %+v, Contradictions(f) = %q", c.Ident(), Contradictions(f))
	}
	bare := &Collector{roomtest.NodeFile(classItemModel, &gamedata.Chunk2E00100B{Model: gbx.Ident{ID: gbx.NewID("Tor")}})}
	if bare.Name() != "Tor" || bare.HasIcon() || bare.Description() != "" {
		t.Errorf("an object without a name is called %s", bare.Name())
	}
	old := &Collector{roomtest.NodeFile(classItemModel, &gamedata.Chunk2E001002{Model: gbx.Ident{Author: gbx.NewID("ada")}})}
	if old.Author() != "ada" {
		t.Errorf("an old object is by %s", old.Author())
	}
}

// A placement that is written is read back; each switch stands for itself, and bits of
// unknown meaning stay.
func TestPlacementReadsBack(t *testing.T) {
	all := Placement{YawOnly: true, NotOnObject: true, AutoRotation: true, SwitchPivotManually: true, GhostMode: true,
		GridStep: gbx.Vec2{X: 1, Y: 2}, GridOffset: gbx.Vec2{X: 3, Y: 4}, FlyStep: 5, FlyOffset: 6, PivotSnap: 7, Pivots: []gbx.Vec3{{X: 1}, {Y: 2}}}
	list := []Placement{all, {}, {YawOnly: true}, {NotOnObject: true}, {AutoRotation: true}, {SwitchPivotManually: true}, {GhostMode: true}}
	for _, from := range list {
		for _, to := range list {
			values, pivots := from.Chunks()
			values.Flags |= 0x20
			magnets := &gamedata.Chunk2E020004{MagnetLocs: make([]gamedata.CGameItemPlacementParamMagnetLoc, 1)}
			magnets.MagnetLocs[0].Position.Y = 9
			m := &Model{Collector{collector(&gamedata.Chunk2E00201C{DefaultPlacement: gbx.NewRef(roomtest.Node(0x2E020000, values, pivots, magnets))})}}
			from.Magnets, to.Magnets = []gbx.Vec3{{Y: 9}}, []gbx.Vec3{{Y: 9}}
			if got, ok := m.Placement(); !ok || !reflect.DeepEqual(got, from) {
				t.Fatalf("%+v, want %+v", got, from)
			}
			if err := m.SetPlacement(to); err != nil {
				t.Fatal(err)
			}
			if got, _ := m.Placement(); !reflect.DeepEqual(got, to) || values.Flags&0x20 == 0 {
				t.Fatalf("%+v, want %+v, flags %x", got, to, values.Flags)
			}
		}
	}
}

// A file without a place for a placement is refused, and so are pivots that it cannot hold.
func TestRefusedPlacements(t *testing.T) {
	item := func(b ...gbx.Body) *Model {
		return &Model{Collector{collector(&gamedata.Chunk2E00201C{DefaultPlacement: gbx.NewRef(roomtest.Node(0x2E020000, b...))})}}
	}
	one, two := Placement{Pivots: []gbx.Vec3{{}}}, Placement{Pivots: []gbx.Vec3{{}, {}}}
	turned := &gamedata.Chunk2E020001{PivotPositions: []gbx.Vec3{{}}, PivotRotations: make([]gbx.Quat, 1)}
	for name, test := range map[string]struct {
		m    *Model
		p    Placement
		fits bool
	}{
		"nothing": {&Model{Collector{collector()}}, one, false}, "empty": {item(), one, false}, "no pivots": {item(&gamedata.Chunk2E020000{}), one, false}, "none": {item(&gamedata.Chunk2E020000{}), Placement{}, true},
		"turned, more": {item(&gamedata.Chunk2E020000{}, turned), two, false}, "turned, as many": {item(&gamedata.Chunk2E020000{}, turned), one, true},
	} {
		if err := test.m.SetPlacement(test.p); (err == nil) != test.fits || err != nil && !errors.Is(err, fault.Unsupported) {
			t.Errorf("%s: err = %v; want success = %v, (no error or err matching fault.Unsupported)", name, err, test.fits)
		}
	}
	if _, ok := (&Model{Collector{collector()}}).Placement(); ok {
		t.Error("a file without a placement has one")
	}
	if _, ok := (&Model{Collector{collector(&gamedata.Chunk2E00201C{})}}).Placement(); ok {
		t.Error("a file with an empty placement has one")
	}
}

// Icons are read from TGA and PNG. A picture above 4096 by 4096 pixels is refused before
// its pixels are read.
func TestReadIcons(t *testing.T) {
	tga := func(w, h int, pixels ...byte) []byte {
		return append([]byte{0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte(w), byte(w >> 8), byte(h), byte(h >> 8), 32, 8}, pixels...)
	}
	m, err := ReadIcon(tga(2, 1, 1, 2, 3, 255, 4, 5, 6, 255))
	if err != nil || m.Bounds() != image.Rect(0, 0, 2, 1) {
		t.Fatalf("err = %v, m = %v; want no error, m.Bounds() = image.Rect(0, 0, 2, 1)", err, m)
	}
	if r, g, b, _ := m.At(1, 0).RGBA(); r>>8 != 6 || g>>8 != 5 || b>>8 != 4 {
		t.Errorf("r >> 8 = %d g >> 8 = %d b >> 8 = %d; want r >> 8 = 6, g >> 8 = 5, b >> 8 = 4", r>>8, g>>8, b>>8)
	}
	var b bytes.Buffer
	picture := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	picture.Set(2, 1, color.NRGBA{R: 7, A: 255})
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	if m, err = ReadIcon(b.Bytes()); err != nil || m.Bounds().Dx() != 3 || m.At(2, 1) != picture.At(2, 1) {
		t.Errorf("m = %v err = %v; want no error, m.Bounds().Dx() = 3, m.At(2, 1) = picture.At(2, 1)", m, err)
	}
	for size, want := range map[[2]int]error{{4097, 4096}: fault.Limit, {4096, 4096}: nil} {
		large := bytes.Clone(b.Bytes()) // the width and height of a PNG file stand at 16
		large[18], large[19], large[22], large[23] = byte(size[0]>>8), byte(size[0]), byte(size[1]>>8), byte(size[1])
		crc := crcOf(large[12:29])
		copy(large[29:], crc[:])
		if _, err := ReadIcon(large); want != nil && !errors.Is(err, want) || want == nil && errors.Is(err, fault.Limit) {
			t.Errorf("PNG of %v: %v", size, err)
		}
	}
	packed := tga(4097, 4096, bytes.Repeat([]byte{255, 1, 2, 3, 4}, 4097*4096/128)...) // runs of 128 pixels
	packed[2] = 10
	if _, err := ReadIcon(packed); !errors.Is(err, fault.Limit) {
		t.Errorf("a large TGA: %v", err)
	}
	for name, data := range map[string][]byte{"text": []byte("no picture"), "cut": b.Bytes()[:50]} {
		if _, err := ReadIcon(data); !errors.Is(err, fault.Corrupt) {
			t.Errorf("%s: err = %v; want err matching fault.Corrupt", name, err)
		}
	}
}

// An icon as WebP has the picture's rows and colours the right way up.
func TestWebPIcon(t *testing.T) {
	picture := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for i := range 64 {
		picture.Set(i, i/2, color.NRGBA{R: byte(i), G: 100, B: byte(255 - i), A: 255})
	}
	c, err := WebPIconHeader(picture)
	if err != nil {
		t.Fatal(err)
	}
	h := c.Body.(*gamedata.Header2E001004)
	m, err := webp.Decode(bytes.NewReader(h.Webp))
	if err != nil || h.Width != 0x8040 || h.Height != 0x8040 || h.Version != 1 || !c.Heavy || c.ID != 0x2E001004 || len(h.Pixels) != 0 {
		t.Fatalf("c = %+v err = %v; want no error, h.Width = 0x8040, h.Height = 0x8040, h.Version = 1, c.Heavy = true, c.ID = 0x2E001004, empty h.Pixels", c, err)
	}
	for y := range 64 {
		for x := range 64 {
			if got, want := color.NRGBAModel.Convert(m.At(x, y)), picture.At(x, y); got != want {
				t.Fatalf("%d, %d is %v, want %v", x, y, got, want)
			}
		}
	}
	both := &Collector{roomtest.NodeFile(classItemModel)}
	for i, header := range []*gamedata.Header2E001004{{}, {Webp: []byte{1}}, {Pixels: []byte{1}}} {
		if both.File.Chunks = []gbx.HeaderChunk{{ID: 0x2E001004, Body: header}}; both.HasIcon() != (i > 0) {
			t.Errorf("icon %d: %t", i, both.HasIcon())
		}
	}
}

// A saved item is read again from its path.
func TestSaveItem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.Item.Gbx")
	body := chunks.Node(&gamedata.Chunk2E00100C{Name: "$f00Tor"})
	body.Class = classItemModel
	f := gbx.New(body, engine.Registry())
	m, err := ModelOf(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	if again, err := Open(context.Background(), path); err != nil || again.Name() != "$f00Tor" {
		t.Errorf(`again.Name() = %q, err = %v; want no error, again.Name() = "$f00Tor"`, again.Name(), err)
	}
	if _, err := Open(context.Background(), path+"x"); err == nil {
		t.Error("a missing file was read")
	}
}

// crcOf is the checksum of a part of a PNG file.
func crcOf(data []byte) (out [4]byte) {
	binary.BigEndian.PutUint32(out[:], crc32.ChecksumIEEE(data))
	return out
}
