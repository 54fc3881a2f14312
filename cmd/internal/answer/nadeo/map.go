package nadeo

import (
	"bufio"
	"bytes"
	"context"
	"image"
	"iter"
	"slices"
	"strconv"

	"pakbox/cmd/internal/question"
	"pakbox/cmd/internal/source"
	"pakbox/fact"
	"pakbox/fault"
	"pakbox/finding"
	"pakbox/gbx"
	"pakbox/gbx/mesh/view"
	"pakbox/internal/lib/csvline"
	"pakbox/internal/lib/quote"
	"pakbox/nadeo/lint"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/maps/mapmesh"
	"pakbox/nadeo/maps/table"
	"pakbox/nadeo/picture"
	"pakbox/nadeo/runs"
)

// Items is the answer about the embedded files of a map, and those that are missing.
type Items struct {
	ItemCount int            `json:"item_count" doc:"number of items on the map"`
	Embedded  []embeddedItem `json:"embedded" doc:"files that the map embeds"`
	Missing   []string       `json:"missing" doc:"items that the map uses, but neither embeds nor has from the game"`
}

// embeddedItem is an embedded file of a map.
type embeddedItem struct {
	Name       string  `json:"name" doc:"path in the map, such as Items/Tree.Item.Gbx"`
	Size       int64   `json:"size" kind:"bytes" doc:"size of the file"`
	StoredSize int64   `json:"stored_size" kind:"bytes" doc:"compressed size"`
	Model      *string `json:"model" doc:"name by which the map uses the file"`
	Listed     bool    `json:"listed" doc:"whether the map's own list has the file"`
	Used       int     `json:"used" doc:"number of blocks and items that use the file"`
}

// listedItem is a row of the table of items.
type listedItem struct {
	State      string  `json:"state" doc:"used, unused or missing; empty for a file that is not a model"`
	Name       string  `json:"name" doc:"path in the map, or name of a missing model"`
	Used       *int    `json:"used" doc:"number of blocks and items that use the file"`
	Size       *int64  `json:"size" kind:"bytes" doc:"size of the file"`
	StoredSize *int64  `json:"stored_size" kind:"bytes" doc:"compressed size"`
	Model      *string `json:"model" doc:"name by which the map uses the file"`
	Listed     *bool   `json:"listed" doc:"whether the map's own list has the file"`
}

// ItemFacts are the columns of a table of items.
var ItemFacts = question.ListFacts[listedItem]()

// Rows returns the items as rows of a table.
func (a *Items) Rows(file string) iter.Seq[fact.Record] {
	return func(yield func(fact.Record) bool) {
		for i := range a.Embedded {
			e := &a.Embedded[i]
			if !yield(question.ListRow(ItemFacts, file, listedItem{e.State(), e.Name, &e.Used, &e.Size, &e.StoredSize, e.Model, &e.Listed})) {
				return
			}
		}
		for _, name := range a.Missing {
			if !yield(question.ListRow(ItemFacts, file, listedItem{State: "missing", Name: name})) {
				return
			}
		}
	}
}

// State is the use of the file by the map: used, unused, or "" for a file that is not a
// model itself, such as the mesh of an item.
func (e *embeddedItem) State() string {
	switch {
	case e.Used > 0:
		return "used"
	case e.Model != nil:
		return "unused"
	}
	return ""
}

// MapItems is the question which files a map embeds.
var MapItems = question.New(&room, "map.items", "the files that a map embeds, and those that it lacks", func(ctx context.Context, at *question.At, _ question.NoParams) (*Items, error) {
	return OpenMap(ctx, at, func(m *maps.Map) (*Items, error) {
		e, err := m.EmbeddedFiles()
		if err != nil {
			return nil, err
		}
		a := &Items{ItemCount: len(m.Items()), Embedded: []embeddedItem{}, Missing: append([]string{}, e.Missing...)}
		for _, f := range e.Files {
			a.Embedded = append(a.Embedded, embeddedItem{f.Name, f.Size, f.StoredSize, question.NonEmpty(f.Model), f.Listed, f.Uses})
		}
		return a, nil
	})
})

// Lightmap lists the images of computed light.
type Lightmap struct {
	Pictures []lightmapPicture `json:"pictures" doc:"pictures of computed light" method:"result"`
}

// lightmapPicture is one image of computed light.
type lightmapPicture struct {
	maps.Picture
	Size int `json:"size" kind:"bytes" doc:"size of the picture"`
}

// MapLightmap is the question for the images of computed light.
var MapLightmap = question.New(&room, "map.lightmap", "the pictures of computed light in a map", func(ctx context.Context, at *question.At, _ question.NoParams) (*Lightmap, error) {
	return OpenMap(ctx, at, func(m *maps.Map) (*Lightmap, error) {
		a := &Lightmap{Pictures: []lightmapPicture{}}
		for _, p := range m.Lightmap() {
			a.Pictures = append(a.Pictures, lightmapPicture{p, len(p.Data)})
		}
		return a, nil
	})
})

// Validation is the answer about the run that proved that a map can be finished.
type Validation struct {
	Validated  bool           `json:"validated" doc:"whether the map is marked as validated"`
	AuthorTime *int64         `json:"author_time" kind:"time" doc:"author medal; null if missing"`
	Ghost      *validationRun `json:"ghost" doc:"run in the map; null if missing"`
}

// validationRun is the run that validated a map.
type validationRun struct {
	RaceTime *int64 `json:"race_time" kind:"time" doc:"time of the run"`
	Nick     string `json:"nick" doc:"nickname of the driver"`
	Login    string `json:"login" doc:"login of the driver"`
}

// MapValidation is the question which run validated a map.
var MapValidation = question.New(&room, "map.validation", "the run that proved that a map can be finished", func(ctx context.Context, at *question.At, _ question.NoParams) (*Validation, error) {
	return OpenMap(ctx, at, func(m *maps.Map) (*Validation, error) {
		said := m.Validation()
		v := &Validation{Validated: said.Marked, AuthorTime: KnownTime(said.Time)}
		if g := runs.ValidationGhost(m); g != nil {
			v.Ghost = &validationRun{KnownTime(g.Time()), g.Player().Nick, g.Player().Login}
		}
		return v, nil
	})
})

// Meta are the values that scripts stored in a map.
type Meta struct {
	Values []maps.MetaValue `json:"values" doc:"values that scripts stored" method:"result"`
}

// metaParams choose values.
type metaParams struct {
	Names []string `json:"name" arg:"" doc:"names of the values; without names all"`
}

// MapMeta is the question which values scripts stored.
var MapMeta = question.New(&room, "map.meta", "the values that scripts stored in a map", func(ctx context.Context, at *question.At, p metaParams) (*Meta, error) {
	return OpenMap(ctx, at, func(m *maps.Map) (*Meta, error) {
		a := &Meta{Values: []maps.MetaValue{}}
		values := m.Meta()
		for _, name := range p.Names {
			if !slices.ContainsFunc(values, func(v maps.MetaValue) bool { return v.Name == name }) {
				return nil, fault.Usagef("%s: the map holds no value %q", at.Path, name).Hint("'pakbox map meta %s' lists those it holds", quote.Word(at.Path))
			}
		}
		for _, v := range values {
			if len(p.Names) == 0 || slices.Contains(p.Names, v.Name) {
				a.Values = append(a.Values, v)
			}
		}
		return a, nil
	})
})

// Password reports whether a password protects a map.
type Password struct {
	Password bool `json:"password" doc:"whether a password is set"`
	CRCOK    bool `json:"crc_ok" doc:"whether the password's checksum fits the map's UID"`
}

// MapPassword is the question whether a password protects a map.
var MapPassword = question.New(&room, "map.password", "whether a password protects a map", func(ctx context.Context, at *question.At, _ question.NoParams) (*Password, error) {
	return OpenMap(ctx, at, func(m *maps.Map) (*Password, error) {
		p := m.Password()
		return &Password{p.Set, !p.HasCRC || p.CRC == p.WantCRC}, nil
	})
})

// medalTimes has the medals in the form of JSON.
type medalTimes struct {
	Author *int32 `json:"author"`
	Gold   *int32 `json:"gold"`
	Silver *int32 `json:"silver"`
	Bronze *int32 `json:"bronze"`
}

func timesOf(m maps.Medals) (out medalTimes) {
	to := []**int32{&out.Author, &out.Gold, &out.Silver, &out.Bronze}
	for i, t := range m.List() {
		if *t != gbx.NoTime {
			n := int32(*t)
			*to[i] = &n
		}
	}
	return out
}

// Medals is the answer about the results required for the medals of a map.
type Medals struct {
	Mode    string     `json:"mode" doc:"Race, Platform, Stunts, …"`
	Medals  medalTimes `json:"medals" doc:"author, gold, silver and bronze; null for none"`
	InOrder bool       `json:"in_order" doc:"whether better medals are harder to get"`

	Values  maps.Medals  `json:"-"`
	Scoring maps.Scoring `json:"-"`
}

// MapMedals is the question which results the medals of a map require.
var MapMedals = question.New(&room, "map.medals", "times or points for the medals of a map", func(ctx context.Context, at *question.At, _ question.NoParams) (*Medals, error) {
	return OpenMap(ctx, at, func(m *maps.Map) (*Medals, error) {
		return MedalsOf(m), nil
	})
})

// MedalsOf returns the medals of a map.
func MedalsOf(m *maps.Map) *Medals {
	medals, by := m.Medals(), m.Scoring()
	return &Medals{m.Mode().String(), timesOf(medals), medals.InOrder(by), medals, by}
}

// sizePart is a part of a map in JSON.
type sizePart struct {
	Name   string     `json:"name"`
	ID     *string    `json:"id"` // of a chunk or class
	Count  int        `json:"count"`
	Bytes  int64      `json:"bytes"`        // before compression
	Stored *int64     `json:"stored_bytes"` // an estimate, of the parts of the file
	Parts  []sizePart `json:"parts"`
}

func partObjects(parts []*maps.Part, least int64) []sizePart {
	out := []sizePart{}
	for _, p := range parts {
		if p.Bytes < least {
			continue
		}
		j := sizePart{Name: p.Name, Count: p.Count, Bytes: p.Bytes, Parts: partObjects(p.Parts, least)}
		if p.ID != 0 {
			id := p.ID.String()
			j.ID = &id
		}
		if p.Stored > 0 {
			j.Stored = &p.Stored
		}
		out = append(out, j)
	}
	return out
}

// Size is the answer about the sizes of a map's parts.
type Size struct {
	Size              int64      `json:"size" kind:"bytes" doc:"size of the file"`
	Limits            sizeLimits `json:"limits" doc:"largest maps that servers take"`
	WithinManiaPlanet bool       `json:"within_maniaplanet" doc:"whether servers of ManiaPlanet take the map"`
	WithinTrackmania  bool       `json:"within_trackmania" doc:"whether servers of Trackmania take the map"`
	Parts             []sizePart `json:"parts" doc:"parts of the map, largest first"`

	Whole *maps.Part `json:"-"`
	Least int64      `json:"-"` // smaller parts are left out
}

// sizeLimits are the largest maps that servers accept, in bytes.
type sizeLimits struct {
	ManiaPlanet int64 `json:"maniaplanet" kind:"bytes"`
	Trackmania  int64 `json:"trackmania" kind:"bytes"`
}

// sizeParams choose parts.
type sizeParams struct {
	All bool `json:"all" doc:"show small parts too"`
}

// MapSize is the question which parts take the bytes of a map. Parts below one percent
// are omitted, unless all are requested.
var MapSize = question.New(&room, "map.size", "sizes of the parts of a map", func(ctx context.Context, at *question.At, p sizeParams) (*Size, error) {
	return OpenMap(ctx, at, func(m *maps.Map) (*Size, error) {
		parts, err := m.Parts()
		if err != nil {
			return nil, err
		}
		least := parts.Bytes / 100
		if p.All {
			least = 0
		}
		return &Size{
			Size: parts.Stored, Limits: sizeLimits{lint.ManiaPlanetLimit, lint.TrackmaniaLimit},
			WithinManiaPlanet: parts.Stored <= lint.ManiaPlanetLimit, WithinTrackmania: parts.Stored <= lint.TrackmaniaLimit,
			Parts: partObjects(parts.Parts, least), Whole: parts, Least: least,
		}, nil
	})
})

// Linted is the answer of the command lint.
type Linted struct {
	Findings []finding.Finding `json:"findings" doc:"what may go wrong with the file" method:"result"`
}

// Rows returns the findings as rows of a table.
func (l *Linted) Rows(file string) iter.Seq[fact.Record] {
	return func(yield func(fact.Record) bool) {
		for _, f := range l.Findings {
			f.File = file
			if !yield(question.FindingRow(f)) {
				return
			}
		}
	}
}

// Found reports whether there is anything to repair. A note does not count.
func (l *Linted) Found() bool {
	worst := finding.Worst(l.Findings)
	return worst == finding.Error || worst == finding.Warning
}

// lintParams choose rules.
type lintParams struct {
	Strict bool `json:"strict" doc:"compare with what all real maps of the game share, too"`
}

// MapLint is the question what games refuse, drop or show wrongly in a map.
var MapLint = question.New(&room, "map.lint", "parts of a map or macroblock that games refuse, drop or show wrongly", func(ctx context.Context, at *question.At, p lintParams) (*Linted, error) {
	return OpenGBX(ctx, at, func(_ *source.Source, f *gbx.File) (*Linted, error) {
		if macro, err := maps.MacroblockOf(f); err == nil {
			return &Linted{append([]finding.Finding{}, lint.Macroblock(macro, macro.Collection())...)}, nil
		}
		m, err := maps.Of(f)
		if err != nil {
			return nil, err
		}
		findings := append([]finding.Finding{}, lint.Map(m, int64(len(f.Source())))...)
		if p.Strict {
			findings = append(findings, m.LintStrict()...)
		}
		return &Linted{findings}, nil
	})
})

// Blocks lists the blocks on a map, and its items if requested.
type Blocks struct {
	Blocks question.Seq[*table.Thing] `json:"blocks" doc:"blocks and items in the order of the map" method:"result"`
}

// AppendFields writes the fields of the answer's JSON.
func (b *Blocks) AppendFields(to *bytes.Buffer) error {
	to.WriteString(`,"blocks":`)
	return b.Blocks.AppendJSON(to)
}

// Rows returns the blocks as rows of a table.
func (b *Blocks) Rows(file string) iter.Seq[fact.Record] {
	return func(yield func(fact.Record) bool) {
		for t := range b.Blocks {
			if !yield(t.Record(file)) {
				return
			}
		}
	}
}

// WriteRows writes the blocks as lines of CSV.
func (b *Blocks) WriteRows(w *bufio.Writer, file string) error {
	line := csvline.AppendText(nil, file)
	same := len(line) // length of the part that is the same in all lines
	for t := range b.Blocks {
		line = t.AppendCSV(line[:same])
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// blocksParams choose what is listed.
type blocksParams struct {
	Baked bool   `json:"baked" doc:"also the blocks that the game adds by itself"`
	Items bool   `json:"items" doc:"also the items"`
	Index string `json:"index" request:"" doc:"only the block, or with items the item, of this number, from 0"`
}

// MapBlocks is the question which blocks are on a map.
var MapBlocks = question.New(&room, "map.blocks", "the blocks on a map or in a macroblock", func(ctx context.Context, at *question.At, p blocksParams) (*Blocks, error) {
	return OpenThings(ctx, at, func(m table.Holder) (*Blocks, error) {
		if p.Index == "" {
			return &Blocks{Blocks: question.Seq[*table.Thing](table.Each(m, p.Baked, p.Items))}, nil
		}
		kind, number := "block", 0
		if p.Items {
			kind = "item"
		}
		for b := range table.Each(m, false, p.Items) {
			if b.Kind != kind {
				continue
			}
			if strconv.Itoa(number) == p.Index {
				return &Blocks{Blocks: question.Seq[*table.Thing](slices.Values([]*table.Thing{b}))}, nil
			}
			number++
		}
		return nil, fault.Usagef("the map has no %s %s", kind, p.Index)
	})
})

// mapPictureParams choose how a map is drawn.
type mapPictureParams struct {
	PictureParams
	Solid bool `json:"solid" request:"" doc:"draw the map in three dimensions, seen from a corner"`
}

// MapPicture is the question for a drawing of a map.
var MapPicture = question.New(&room, "map.picture", "a map from above, as PNG or SVG, or in three dimensions, as PNG", func(ctx context.Context, at *question.At, p mapPictureParams) (*question.File, error) {
	return OpenMap(ctx, at, func(m *maps.Map) (*question.File, error) {
		if p.Solid {
			return drawSolid(ctx, m, p.Kind)
		}
		return EncodeDrawing(picture.Map(m), p.Kind, Drawn{})
	})
})

// drawSolid draws the scene of a map.
func drawSolid(ctx context.Context, m *maps.Map, kind string) (*question.File, error) {
	if kind != "" && kind != "png" {
		return nil, fault.Usagef("kind: a picture in three dimensions is a png, not a %s", kind)
	}
	made, err := mapmesh.Of(ctx, m, mapmesh.Options{})
	if err != nil {
		return nil, err
	}
	return DrawScene(ctx, made.Scene, view.Options{Size: image.Pt(1400, 1050), Tilt: 35, Sky: true, Focus: made.Tracks})
}

type thumbnailParams struct {
	Size    int    `json:"size" value:"PIXELS" doc:"make the longer side so many PIXELS"`
	Quality int    `json:"quality" value:"N" doc:"quality of a JPEG, 1 to 100; 95 by default"`
	Format  string `json:"format" doc:"jpg or png; jpg by default"`
}

// Form returns how to encode the thumbnail.
func (p thumbnailParams) Form() maps.ThumbnailForm {
	return maps.ThumbnailForm{Size: p.Size, Quality: p.Quality, Format: p.Format}
}

// MapThumbnail is the question for the picture in a map. Maps store it upside down; the
// answer is upright.
var MapThumbnail = question.New(&room, "map.thumbnail", "the thumbnail in a map, as JPEG or PNG", func(ctx context.Context, at *question.At, p thumbnailParams) (*question.File, error) {
	return OpenMap(ctx, at, func(m *maps.Map) (*question.File, error) {
		data, err := m.Thumbnail(p.Form())
		if err == nil && data == nil {
			err = fault.New(fault.Unsupported, "the map has no thumbnail")
		}
		if p.Format == "png" {
			return &question.File{Name: "thumbnail.png", Type: "image/png", Data: data}, err
		}
		return &question.File{Name: "thumbnail.jpg", Type: "image/jpeg", Data: data}, err
	})
})
