package maps_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/game"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/mapsample"
)

// again saves a map and reads it back.
func again(t testing.TB, m *maps.Map) *maps.Map {
	t.Helper()
	data, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return mapsample.Parsed(t, data)
}

func TestSetMeta(t *testing.T) {
	m := mapsample.New(t)
	for _, c := range []struct{ name, value, fault string }{
		{"Race_Version", "-12", ""},
		{"Race_Note", "two\nlines", ""},
		{"Race_Version", "1.5", `"1.5" is not a value of type Integer`},
		{"Race_Version", "3000000000", "Integer"},
		{"Missing", "1", `no value "Missing"`},
	} {
		err := m.SetMeta(c.name, c.value)
		if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s=%s: %v, want %q", c.name, c.value, err, c.fault)
		}
	}
	got := fmt.Sprint(again(t, m).Meta())
	if want := "[{Race_Version Integer -12} {Race_Note Text two\nlines}]"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// halves names the colours of the upper and the lower half of a picture.
func halves(t testing.TB, data []byte) string {
	t.Helper()
	m, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	name := func(c color.Color) string {
		switch r, g, b, _ := c.RGBA(); {
		case r > g && r > b:
			return "red"
		case g > r && g > b:
			return "green"
		}
		return "blue"
	}
	b := m.Bounds()
	return name(m.At(b.Dx()/2, b.Dy()/4)) + " over " + name(m.At(b.Dx()/2, b.Dy()*3/4))
}

// Maps store their picture on its head; people see it upright.
func TestThumbnail(t *testing.T) {
	m := mapsample.New(t)
	upright, err := m.Thumbnail(maps.ThumbnailForm{})
	if err != nil {
		t.Fatal(err)
	}
	if got := halves(t, upright) + ", stored " + halves(t, m.StoredThumbnail()); got != "red over blue, stored blue over red" {
		t.Errorf(`got = %v; want "red over blue, stored blue over red"`, got)
	}
	picture := image.NewRGBA(image.Rect(10, 10, 90, 90)) // not at the origin
	for y := range 40 {
		for x := range 80 {
			picture.Set(10+x, 10+y, color.RGBA{0, 200, 0, 255})
			picture.Set(10+x, 50+y, color.RGBA{200, 0, 0, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	if err := m.SetThumbnail(b.Bytes(), maps.ThumbnailForm{}); err != nil {
		t.Fatal(err)
	}
	m = again(t, m)
	upright, err = m.Thumbnail(maps.ThumbnailForm{})
	if err != nil {
		t.Fatal(err)
	}
	if got := halves(t, upright) + ", stored " + halves(t, m.StoredThumbnail()); got != "green over red, stored red over green" {
		t.Errorf(`got = %v; want "green over red, stored red over green"`, got)
	}
	if m.Comments() != "made by a test" {
		t.Error("the comments beside the thumbnail changed")
	}
	if err := m.SetThumbnail([]byte("no picture"), maps.ThumbnailForm{}); err == nil {
		t.Error("a text became a thumbnail")
	}
}

// A picture that declares a huge size is rejected before memory is allocated.
func TestThumbnailLimit(t *testing.T) {
	header := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x01\x00\x00\x00\x01\x00\x00\x08\x02\x00\x00\x00")
	header = append(header, 0x23, 0x8b, 0x21, 0xb3) // whatever: a wrong checksum is an error too
	if err := mapsample.New(t).SetThumbnail(header, maps.ThumbnailForm{}); err == nil {
		t.Error("a thumbnail of 65536 by 65536 pixels was taken")
	}
}

// A buffer of a lightmap may hold several pictures; a bad length ends them.
func TestLightmap(t *testing.T) {
	names := func(m *maps.Map) string {
		var out []string
		for _, p := range m.Lightmap() {
			out = append(out, fmt.Sprint(p.Name, " ", len(p.Data)))
		}
		return strings.Join(out, ", ")
	}
	m := mapsample.New(t)
	if got := names(m); got != "0.webp 34, 0-1-2.webp 34" {
		t.Errorf(`got = %v; want "0.webp 34, 0-1-2.webp 34"`, got)
	}
	c, _ := gbx.Find[*game.Chunk0304303D](m.File.Body)
	two := c.Lightmaps.Frame.Image1
	c.Lightmaps.Frame.Image1 = append(bytes.Clone(two[:33]), 0xff, 0xd8, 0xff, 1, 2)
	if got := names(m); got != "0.webp 34, 0-1-2.bin 4" {
		t.Errorf(`got = %v; want "0.webp 34, 0-1-2.bin 4"`, got)
	}
	huge := bytes.Clone(two)
	huge[4], huge[5], huge[6], huge[7] = 0xff, 0xff, 0xff, 0xff
	c.Lightmaps.Frame.Image1, c.Lightmaps.Frame.Image2 = huge, []byte{0xff, 0xd8, 0xff, 0}
	if got := names(m); got != "0.webp 68, 0-2.jpg 4" {
		t.Errorf(`got = %v; want "0.webp 68, 0-2.jpg 4"`, got)
	}
	if !m.StripLightmap() || m.StripLightmap() || names(again(t, m)) != "" {
		t.Error("the lightmap is still there")
	}
}

// The parts of a map add up to the map.
func TestParts(t *testing.T) {
	m := mapsample.New(t)
	parts, err := m.Parts()
	if err != nil {
		t.Fatal(err)
	}
	data, err := m.File.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if parts.Stored != int64(len(data)) || parts.Bytes != int64(len(m.File.BodyBytes()))+parts.Parts[1].Bytes {
		t.Errorf("%d of %d bytes, %d unpacked", parts.Stored, len(data), parts.Bytes)
	}
	var check func(p *maps.Part)
	check = func(p *maps.Part) {
		sum := int64(0)
		for _, sub := range p.Parts {
			sum += sub.Bytes
			check(sub)
		}
		if sum > p.Bytes {
			t.Errorf("the parts of %s %v take %d bytes, and it takes %d", p.Name, p.ID, sum, p.Bytes)
		}
	}
	check(parts)
	body := parts.Parts[0]
	if body.Name != "body" || body.Parts[0].Name != "embedded items" || len(body.Parts[0].Parts) != 5 {
		t.Errorf("the largest part is %s of %s", body.Parts[0].Name, body.Name)
	}
}

// Every change is one that the other fields of a map survive.
func TestEmbedded(t *testing.T) {
	m := mapsample.New(t)
	item, err := mapsample.Item("Rock")
	if err != nil {
		t.Fatal(err)
	}
	for name, fault := range map[string]string{"Items/Rock.txt": "is not a path of an item", "Items/Rock.Item.Gbx": ""} {
		err := m.AddEmbedded(name, item)
		if (err == nil) != (fault == "") || err != nil && !strings.Contains(err.Error(), fault) {
			t.Errorf(`%s: err = %v; want err is nil exactly if fault is "", (no error or err with %q)`, name, err, fault)
		}
	}
	if err := m.AddEmbedded("Items/Bad.Item.Gbx", []byte("no item")); err == nil {
		t.Error("a text became an item")
	}
	if err := m.RemoveEmbedded("Items/Rock.Item.Gbx", "Items/Nobody.Item.Gbx"); err == nil {
		t.Error("a file was removed that is not there")
	}
	e, err := again(t, m).EmbeddedFiles()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range e.Files {
		got = append(got, fmt.Sprintf("%s %v %d", f.Name, f.Listed, f.Uses))
	}
	want := "Items/Tree.Item.Gbx true 2, Items/Unused.Item.Gbx true 0, Items/Tree.txt false 0, " + mapsample.Leaked + " false 0, " + mapsample.Evil + " false 0, Items/Rock.Item.Gbx true 0"
	if strings.Join(got, ", ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, ", "), want)
	}
}
