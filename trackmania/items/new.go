package items

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"image"
	"strings"

	"pakbox/fault"
	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
	"pakbox/gbx/mesh"
	"pakbox/internal/lib/styled"
	"pakbox/texture"
	"pakbox/trackmania"
	"pakbox/trackmania/internal/build"
	"pakbox/trackmania/internal/scenery"
)

// Options say what a new item is to be.
type Options struct {
	Game        trackmania.Generation // Trackmania2020, or ManiaPlanet4
	Environment string                // Stadium
	Name        string                // New Item
	Author      string                // nobody; a login
	Description string
	// Mesh is what the item looks like and is run into. Coordinates are in
	// metres, Y upwards. See the package gltf for how to read one.
	Mesh *mesh.Scene
	// Material says which of the game's materials stands for one of the mesh.
	// Without it, or where it gives nothing, that is the one of the same name,
	// or what the mesh has as Link.
	Material func(mesh.Material) Material
	Icon     image.Image // scaled to 64 by 64 pixels; nil for none
	// GridStep and FlyStep are the steps, in metres, in which the editor moves
	// the item to the sides and upwards; 0 for those of a block.
	GridStep, FlyStep float32
}

// Material is one of a game's materials.
type Material struct {
	// Link is the name of a material file of the game without its endings, such
	// as Stadium\Media\Material\PlatformTech, or its last part.
	Link string
	// Physics is the number of how it drives, as the game counts; nil for what
	// real items have for the material, and else for that of concrete.
	Physics *uint8
}

// New makes an item that could be saved by the item editor of its game: an
// ornament whose mesh is a crystal, which is what the editor keeps and edits,
// with the chunks, and the values in them, that all real items of that kind
// have. No game was at hand to load one.
//
// Normals are left to the game: a crystal has none. Triangles without an area
// are left out.
func New(o Options) (*Model, error) {
	p := &itemPlan{Options: o}
	if err := p.choose(); err != nil {
		return nil, err
	}
	crystal, err := p.crystal()
	if err != nil {
		return nil, err
	}
	f := gbx.New(&gbx.Node{Class: classItemModel, Chunks: p.body(crystal)}, engine.Registry())
	f.RawUserData = nil
	f.Chunks = p.header()
	return ModelOf(f)
}

// itemPlan is a new item before it is made.
type itemPlan struct {
	Options
	ident gbx.Ident
}

func (p *itemPlan) choose() error {
	if p.Game == "" {
		p.Game = trackmania.Trackmania2020
	}
	if p.Game != trackmania.Trackmania2020 && p.Game != trackmania.ManiaPlanet4 {
		return fault.New(fault.Unsupported, "new items of %s cannot be made", p.Game)
	}
	p.Environment = cmp.Or(p.Environment, "Stadium")
	p.Name, p.Author = cmp.Or(p.Name, "New Item"), cmp.Or(p.Author, "nobody")
	p.Description = cmp.Or(p.Description, "No Description")
	for _, text := range []string{p.Name, p.Author, p.Description} {
		if err := trackmania.CheckName(text); err != nil {
			return err
		}
	}
	if !(p.GridStep >= 0 && p.FlyStep >= 0) {
		return fault.New(fault.Unsupported, "an item cannot be moved in steps of less than nothing")
	}
	const blockWidth, blockHeight = 32, 8
	p.GridStep, p.FlyStep = cmp.Or(p.GridStep, blockWidth), cmp.Or(p.FlyStep, blockHeight)
	var known []string
	for _, s := range scenery.All[p.Game] {
		if strings.EqualFold(s.Name, p.Environment) {
			p.Environment = s.Name
			p.ident = gbx.Ident{ID: gbx.NoID, Collection: s.Collection, Author: gbx.NewID(p.Author)}
			return nil
		}
		known = append(known, s.Name)
	}
	return fault.New(fault.Unsupported, "%s has no environment %q; it has %s", p.Game, p.Environment, strings.Join(known, ", "))
}

func (p *itemPlan) is2020() bool { return p.Game == trackmania.Trackmania2020 }

// either is the version that one of the two games writes.
func (p *itemPlan) either(mp4, tm2020 uint32) uint32 {
	if p.is2020() {
		return tm2020
	}
	return mp4
}

const (
	itemPage     = "Items" // of the editor's list
	itemPosition = 1
)

// header returns the chunks of the header.
func (p *itemPlan) header() []gbx.HeaderChunk {
	const flags = 0x10 // in all items that a player has saved
	list := []gbx.HeaderChunk{{ID: 0x2E001003, IDVersion: build.IDVersion, Body: &gamedata.Header2E001003{
		Model: p.ident, Version: 8, PageName: itemPage, ParentCollectorID: gbx.NoID, Flags: flags, CatalogPosition: itemPosition,
		Name: styled.Marked(p.Name), ProdState: gamedata.CGameCtnCollectorProdStateRelease,
	}}}
	if p.Icon != nil {
		list = append(list, IconHeader(p.Icon))
	}
	return append(list,
		gbx.HeaderChunk{ID: 0x2E001006, Body: &gamedata.Header2E001006{}},
		gbx.HeaderChunk{ID: 0x2E002000, Body: &gamedata.Header2E002000{ItemType: gamedata.CGameItemModelItemTypeOrnament}},
		gbx.HeaderChunk{ID: 0x2E002001, Body: &gamedata.Header2E002001{}},
	)
}

// iconSize is the width and height of all icons that are stored as pixels.
const iconSize = 64

// maxIcon bounds the pixels of a picture that is read for an icon.
const maxIcon = 4096 * 4096

// ReadIcon reads a picture for an icon: PNG, JPEG or TGA.
func ReadIcon(data []byte) (image.Image, error) {
	if t, err := texture.Open("icon.tga", data); err == nil {
		if t.Width*t.Height > maxIcon {
			return nil, fault.New(fault.Limit, "an icon of %d by %d pixels", t.Width, t.Height)
		}
		return t.Image(0, 0)
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fault.Wrap(fault.Corrupt, err, "icon")
	}
	if size.Width*size.Height > maxIcon {
		return nil, fault.New(fault.Limit, "an icon of %d by %d pixels", size.Width, size.Height)
	}
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fault.Wrap(fault.Corrupt, err, "icon")
	}
	return m, nil
}

// IconHeader is the chunk of a header that holds a picture as the icon.
func IconHeader(m image.Image) gbx.HeaderChunk {
	return build.Header(&gamedata.Header2E001004{Width: iconSize, Height: iconSize, Pixels: iconPixels(m)}, true)
}

// iconPixels scales a picture to the size of icons: the mean of the pixels
// that fall on one, or the nearest one where there are fewer. Rows begin with
// the lowest, pixels with blue; colours are not multiplied by how opaque they are.
func iconPixels(m image.Image) []byte {
	b := m.Bounds()
	span := func(i, n int) (from, to int) { return i * n / iconSize, max((i+1)*n/iconSize, i*n/iconSize+1) }
	out := make([]byte, 0, iconSize*iconSize*4)
	for y := iconSize - 1; y >= 0; y-- {
		top, bottom := span(y, b.Dy())
		for x := range iconSize {
			left, right := span(x, b.Dx())
			var sum [4]uint64 // multiplied by the opacity
			for py := top; py < bottom; py++ {
				for px := left; px < right; px++ {
					r, g, bl, a := m.At(b.Min.X+px, b.Min.Y+py).RGBA()
					sum[0], sum[1], sum[2], sum[3] = sum[0]+uint64(bl), sum[1]+uint64(g), sum[2]+uint64(r), sum[3]+uint64(a)
				}
			}
			pixel := [4]byte{}
			if sum[3] > 0 {
				for i := range 3 {
					pixel[i] = byte((sum[i]*255 + sum[3]/2) / sum[3])
				}
				n := uint64((bottom - top) * (right - left))
				pixel[3] = byte((sum[3]*255 + n*0xFFFF/2) / (n * 0xFFFF))
			}
			out = append(out, pixel[:]...)
		}
	}
	return out
}

// body returns the chunks of the item, in the order of the games.
func (p *itemPlan) body(crystal *gbx.Node) []gbx.Chunk {
	var l build.Chunks
	ornament := gamedata.CGameItemModelItemTypeOrnament
	l.Add(
		&gamedata.Chunk2E001009{PageName: itemPage, ParentCollectorID: gbx.NoID},
		&gamedata.Chunk2E00100B{Model: p.ident}, &gamedata.Chunk2E00100C{Name: styled.Marked(p.Name)},
		&gamedata.Chunk2E00100D{Description: styled.Marked(p.Description)},
		&gamedata.Chunk2E00100E{IconUseAutoRender: gbx.True}, &gamedata.Chunk2E001010{Version: p.either(2, 3)},
		&gamedata.Chunk2E001011{Version: 1, CatalogPosition: itemPosition, ProdState: gamedata.CGameCtnCollectorProdStateRelease},
		&gamedata.Chunk2E002008{NadeoSkinFids: make([]gbx.Ref, 7)},
		&gamedata.Chunk2E002009{CamerasListVersion: build.ListVersion}, &gamedata.Chunk2E00200C{},
		&gamedata.Chunk2E002012{OrbitalRadiusBase: -1, OrbitalPreviewAngle: 0.15})
	if !p.is2020() {
		l.Add(&gamedata.Chunk2E002013{})
	}
	l.Add(&gamedata.Chunk2E002015{ItemType: ornament})
	l.Add(&gamedata.Chunk2E002019{
		Version: p.either(12, 13), DefaultWeaponName: gbx.NoID, EntityModelEdition: gbx.NewRef(p.edition(crystal)),
	})
	l.Add(
		&gamedata.Chunk2E00201A{}, &gamedata.Chunk2E00201C{Version: 5, DefaultPlacement: gbx.NewRef(p.placement())},
		&gamedata.Chunk2E00201E{Version: 6},
		&gamedata.Chunk2E00201F{Version: p.either(8, 11), WaypointType: gamedata.CGameItemModelWaypointTypeNone},
		&gamedata.Chunk2E002020{Version: 3, U01: 1}, &gamedata.Chunk2E002021{}, &gamedata.Chunk2E002023{})
	l.Skippable(&gamedata.Chunk2E002024{})
	if p.is2020() {
		l.Skippable(&gamedata.Chunk2E002025{}, &gamedata.Chunk2E002026{}, &gamedata.Chunk2E002027{})
	}
	return l
}

// edition is what the item editor edits.
func (p *itemPlan) edition(crystal *gbx.Node) *gbx.Node {
	var l build.Chunks
	l.Add(&gamedata.Chunk2E026000{
		Version: p.either(5, 7), ItemType: gamedata.CGameItemModelItemTypeOrnament, MeshCrystal: gbx.NewRef(crystal),
		SoundLocPermanent: gbx.Iso4(mesh.Identity), UseMeshAsHitShape: gbx.True, InventoryOccupation: 1000,
	})
	if p.is2020() {
		l.Skippable(&gamedata.Chunk2E026001{})
	}
	return &gbx.Node{Class: 0x2E026000, Chunks: l}
}

// placement is how the editor places the item: upright, in the steps of the
// options.
func (p *itemPlan) placement() *gbx.Node {
	var l build.Chunks
	l.Skippable(&gamedata.Chunk2E020000{
		Flags: gamedata.CGameItemPlacementParamPlacementFlagsYawOnly, GridSnapHStep: p.GridStep, GridSnapVStep: p.FlyStep,
		FlyVStep: p.FlyStep, PivotSnapDistance: -1,
	})
	l.Skippable(&gamedata.Chunk2E020001{})
	if p.is2020() {
		const classPlacement classid.ID = 0x09187000
		class := &gbx.Node{Class: classPlacement, Chunks: []gbx.Chunk{{ID: classPlacement, Body: &plug.Plain09187000{
			Version: 6, SizeGroup: gbx.NoID, AlignToInterior: gbx.True,
		}}}}
		l.Skippable(&gamedata.Chunk2E020003{Version: 3, PlacementClass: gbx.NewRef(class)})
	}
	return &gbx.Node{Class: 0x2E020000, Chunks: l}
}

// editorData is what the mesh modeler keeps of itself beside a mesh. It is the
// same in all real items: which layer is chosen, a number of 16 bytes, and an
// empty node of the class of scripts' values.
func (p *itemPlan) editorData() []byte {
	const layer, classTraits, nodeEnd = "Layer1", 0x11002000, 0xFACADE01
	var b bytes.Buffer
	words := func(list ...uint32) {
		for _, v := range list {
			b.Write(binary.LittleEndian.AppendUint32(nil, v))
		}
	}
	words(0, 1, 0, 1, 1, uint32(len(layer)))
	b.WriteString(layer)
	words(0, 1, 0)
	words(0x3FC966BF, 0x4BD549FB, 0x6869E4BB, 0x190893C9)
	words(0, classTraits, p.either(5, 6))
	b.Write([]byte{0, 0}) // no types, no values
	words(nodeEnd, 0)
	return b.Bytes()
}
