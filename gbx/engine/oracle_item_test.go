package engine_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"pakbox/gbx"
	"pakbox/gbx/classid"
	"pakbox/gbx/engine"
	"pakbox/gbx/engine/game"
	"pakbox/gbx/engine/gamedata"
	"pakbox/gbx/engine/plug"
)

var collectorDesc = head("Version", 0x2E001003)

func inDesc(field string, version int) value {
	return from(version, head(field, 0x2E001003), collectorDesc)
}

var collectorValues = table{
	"name":             first(body("Name", 0x2E00100C), inDesc("Name", 7)),
	"ident":            first(body("Model", 0x2E00100B, 0x2E001002), head("Model", 0x2E001003)),
	"page":             first(body("PageName", 0x2E001009), head("PageName", 0x2E001003)),
	"parent":           first(body("ParentCollectorID", 0x2E001009), inDesc("ParentCollectorID", 4)),
	"description":      body("Description", 0x2E00100D),
	"skin_directory":   body("SkinDirectory", 0x2E001010),
	"default_skin":     className(body("DefaultSkin", 0x2E001010)),
	"catalog_position": first(body("CatalogPosition", 0x2E001011, 0x2E001007), inDesc("CatalogPosition", 3)),
	"desc_version":     collectorDesc,
	"prod_state.v": first(
		from(1, body("ProdState", 0x2E001011), body("Version", 0x2E001011)), inDesc("ProdState", 8)),
	"header.ident": head("Model", 0x2E001003),
	"header.page":  head("PageName", 0x2E001003),
	"header.name":  inDesc("Name", 7),
	"header.flags": inDesc("Flags", 3),
	"icon":         icon,
}

func icon(s source) any {
	c, ok := gbx.FindHeader[*gamedata.Header2E001004](&s.file.Header)
	if !ok {
		return absent
	}
	if c.Width >= 0x8000 && c.Height >= 0x8000 {
		v := plain(c.Webp).(map[string]any)
		v["format"] = "webp"
		return v
	}
	sum := plain(c.Pixels).(map[string]any)["sha256"]
	return map[string]any{"format": "bgra", "w": plain(c.Width), "h": plain(c.Height), "stored_sha256": sum}
}

var itemValues = table{
	"item_type.v":          head("ItemType", 0x2E002000),
	"item_type_e.v":        body("ItemType", 0x2E002015),
	"waypoint_type.v":      body("WaypointType", 0x2E00201F),
	"archetype":            body("ArchetypeRef", 0x2E00201E),
	"icon_fid":             from(2, body("IconFid", 0x2E002020), body("Version", 0x2E002020)),
	"entity_model":         className(body("EntityModel", 0x2E002019)),
	"entity_model_edition": className(body("EntityModelEdition", 0x2E002019)),
	"phy_model":            first(className(body("PhyModelCustom", 0x2E002019)), className(body("PhyModel", 0x2E002019))),
	"vis_model":            first(className(body("VisModelCustom", 0x2E002019)), className(body("VisModel", 0x2E002019))),
	"v019":                 body("Version", 0x2E002019),
	"default_cam.v":        from(7, body("DefaultCam", 0x2E002019), body("Version", 0x2E002019)),
	"body_chunks":          chunkIDs,
}

var macroblockValues = table{
	"auto_terrains":     count(body("AutoTerrains", 0x0310D008)),
	"block_names":       macroblockBlocks,
	"block_skin_spawns": count(body("BlockSkinSpawns", 0x0310D001)),
	"block_spawns":      count(body("BlockSpawns", 0x0310D000)),
	"body_chunks":       chunkIDs,
	"card_events":       count(body("CardEventsSpawns", 0x0310D002)),
	"object_models":     macroblockModels,
	"object_pos_sum":    macroblockPositions,
	"object_spawns":     count(body("ObjectSpawns", 0x0310D00E)),
}

func macroblockBlocks(s source) any {
	c, ok := gbx.Find[*game.Chunk0310D000](s.node)
	if !ok {
		return absent
	}
	names := map[string]bool{}
	for i := range c.BlockSpawns {
		names[c.BlockSpawns[i].BlockModel.ID.String()] = true
	}
	return len(names)
}

func macroblockModels(s source) any {
	c, ok := gbx.Find[*game.Chunk0310D00E](s.node)
	if !ok {
		return absent
	}
	names := map[string]bool{}
	for i := range c.ObjectSpawns {
		names[c.ObjectSpawns[i].ItemModel.ID.String()] = true
	}
	return len(names)
}

func macroblockPositions(s source) any {
	c, ok := gbx.Find[*game.Chunk0310D00E](s.node)
	if !ok {
		return absent
	}
	var sum [3]float64
	for i := range c.ObjectSpawns {
		p := c.ObjectSpawns[i].AbsolutePositionInMap
		sum[0] += float64(p.X)
		sum[1] += float64(p.Y)
		sum[2] += float64(p.Z)
	}
	return sum[:]
}

// props compares the members of a class that the oracle gives by name. Ours
// have the same names; where a value is in two chunks the last one counts.
func (o *oracle) props(where string, want map[string]any, s source) {
	for key, v := range want {
		if m, ok := v.(map[string]any); ok && m["v"] != nil {
			v = m["v"]
		}
		var got any = absent
		switch key {
		case "Icon", "IconWebP", "itemTypeE", "ident", "phyModelCustom", "visModelCustom":
			continue // compared under item and collector
		case "fileWriteTime":
			continue // a date made from a number
		}
		name := propName(key)
		for _, c := range bodies(s) {
			if _, opaque := c.(*gbx.Opaque); opaque {
				continue
			}
			// The oracle writes Id where Go writes ID.
			sameName := func(field string) bool { return strings.EqualFold(field, name) }
			if f := reflect.ValueOf(c).Elem().FieldByNameFunc(sameName); f.IsValid() {
				got = propValue(s, f.Interface(), v)
			}
		}
		o.compare(where, "props."+key, v, got)
	}
}

// propNames are members that we call otherwise.
var propNames = map[string]string{
	"lodMaxDistAtFov90": "LodDistances", "tuning": "Tunings", "audioDevice_Oal": "AudioDevice",
	"tmOpponents": "Opponents", "tmMaxOpponents": "MaxOpponents", "tmCarQuality": "CarQuality",
	"tmBackgroundQuality": "BackgroundQuality", "smMaxPlayerResimStepPerFrame": "MaxPlayerResimStepPerFrame",
	"fileTransferEnableDownload": "FileTransferEnableDownload", "fileTransferEnableUpload": "FileTransferEnableUpload",
}

// propName is the name of a member in Go. A file outside has its own member
// in the other implementation.
func propName(key string) string {
	if name, ok := propNames[key]; ok {
		return name
	}
	key = strings.TrimPrefix(strings.TrimSuffix(key, "File"), "fileTransferEnable")
	return strings.ToUpper(key[:1]) + key[1:]
}

func bodies(s source) []gbx.Body {
	var list []gbx.Body
	for i := range s.file.Chunks {
		list = append(list, s.file.Chunks[i].Body)
	}
	for i := range s.node.Chunks {
		list = append(list, s.node.Chunks[i].Body)
	}
	return list
}

// propValue gives a value the form the oracle has it in.
func propValue(s source, v, want any) any {
	text, _ := want.(string)
	switch r := v.(type) {
	case gbx.Ref:
		if r.Node != nil {
			return "node:" + engine.Registry().ClassName(r.Node.Class)
		}
		t := &s.file.Refs
		for i := range t.External {
			if int(t.External[i].NodeIndex) == r.Index() {
				return "ref:" + t.Paths()[i]
			}
		}
		return absent
	case gbx.Ident:
		return r
	case uint32:
		if n, ok := want.(float64); ok && n < 0 {
			return int32(r)
		}
	case gbx.ID:
		if _, ok := want.(float64); ok {
			return collection(r)
		}
	}
	if strings.HasPrefix(text, "count:") {
		return fmt.Sprintf("count:%d", reflect.ValueOf(v).Len())
	}
	return v
}

// meshValues sums up all meshes of a file.
func meshValues(f *gbx.File) any {
	w := &nodeWalk{seen: map[*gbx.Node]bool{}}
	if err := f.Walk(w); err != nil {
		return absent
	}
	classes := map[string]any{}
	var m meshes
	for i := range f.Chunks {
		if f.Chunks[i].ID.Class().Latest() == 0x090F4000 { // not a node, but one in the other implementation
			classes["CPlugGameSkin"] = 1.0
		}
	}
	for _, n := range w.nodes {
		name := engine.Registry().ClassName(n.Class)
		if n.Class.Latest() == visualIndexedTriangles {
			name = "CPlugVisualIndexedTriangles" // has no chunks of its own
			if _, ok := gbx.Find[*plug.Chunk0906A000](n); ok {
				name = "CPlugIndexBuffer" // the other implementation makes one of the indices in the visual
				classes["CPlugVisualIndexedTriangles"] = float64(m.visuals + 1)
			}
		}
		c, _ := classes[name].(float64)
		classes[name] = c + 1
		m.add(n)
	}
	v := map[string]any{"nodes_by_class": classes}
	if m.crystals > 0 {
		v["crystal"] = map[string]any{
			"count": float64(m.crystals), "layers": m.layers, "positions": float64(m.positions), "edges": float64(m.edges),
			"faces": float64(m.faces), "triangles": float64(m.triangles), "bbox": m.crystalBox.value(),
		}
	}
	v["surface"] = map[string]any{
		"count": float64(m.surfaces), "kinds": m.kinds, "vertices": float64(m.surfVertices),
		"triangles": float64(m.surfTriangles), "bbox": m.surfBox.value(),
	}
	v["visual"] = map[string]any{
		"solid2": float64(m.solid2), "solid": float64(m.solid), "visuals": float64(m.visuals), "vertices": float64(m.vertices),
		"positions_decoded": float64(m.decoded), "indices": float64(m.indices), "triangles": float64(m.indices / 3), "bbox": m.visualBox.value(),
	}
	return v
}

// nodeWalk collects all nodes of a file.
type nodeWalk struct {
	nodes []*gbx.Node
	seen  map[*gbx.Node]bool
}

func (w *nodeWalk) Value(string, any)               {}
func (w *nodeWalk) Coded(string, any, int64, int64) {}
func (w *nodeWalk) End(int64)                       {}
func (w *nodeWalk) Begin(_ string, p any, _ int64) {
	if n, ok := p.(*gbx.Node); ok && !w.seen[n] {
		w.seen[n] = true
		w.nodes = append(w.nodes, n)
	}
}

const visualIndexedTriangles = 0x0901E000

type meshes struct {
	crystals, positions, edges, faces, triangles int
	layers                                       map[string]any
	crystalBox                                   bounds

	surfaces, surfVertices, surfTriangles int
	kinds                                 map[string]any
	surfBox                               bounds

	solid, solid2, visuals, vertices, decoded, indices int
	visualBox                                          bounds
}

func (m *meshes) add(n *gbx.Node) {
	switch n.Class.Latest() {
	case 0x09003000: // CPlugCrystal
		m.crystals++
		if c, ok := gbx.Find[*plug.Chunk09003005](n); ok {
			for i := range c.Layers.List {
				m.layer(&c.Layers.List[i])
			}
		}
	case 0x09005000: // CPlugSolid
		m.solid++
	case 0x090BB000: // CPlugSolid2Model
		m.solid2++
	case 0x0900C000: // CPlugSurface
		m.surfaces++
		if c, ok := gbx.Find[*plug.Chunk0900C003](n); ok {
			m.surf(&c.Surf, true)
		}
	case 0x0900F000: // CPlugSurfaceGeom
		if c, ok := gbx.Find[*plug.Chunk0900F004](n); ok {
			m.surf(&c.Surf, true)
		}
	case 0x09057000: // CPlugIndexBuffer
		if c, ok := gbx.Find[*plug.Chunk09057000](n); ok {
			m.indices += len(c.Indices)
		}
		if c, ok := gbx.Find[*plug.Chunk09057001](n); ok {
			m.indices += len(c.IndexDeltas)
		}
	case visualIndexedTriangles:
		m.visual(n)
	}
}

func (m *meshes) layer(l *plug.CPlugCrystalLayer) {
	if m.layers == nil {
		m.layers = map[string]any{}
	}
	name := l.Type.String() + "Layer"
	c, _ := m.layers[name].(float64)
	m.layers[name] = c + 1
	if l.Geometry == nil {
		return
	}
	c0 := &l.Geometry.Crystal
	if e := c0.Embedded; e != nil {
		g := &e.Geometry
		m.positions += len(g.Positions)
		m.edges += len(g.Edges) + len(g.UnfacedEdges.Indices)/2
		m.faces += len(g.Faces)
		for i := range g.Faces {
			m.triangles += len(g.Faces[i].Indices) - 2
		}
		m.crystalBox.add(g.Positions)
	}
	if e := c0.Editable; e != nil {
		g := &e.EditableGeometry
		m.positions += len(g.Mesh.Positions)
		m.edges += len(g.Edges)
		m.faces += len(g.Mesh.Faces)
		for i := range g.Mesh.Faces {
			m.triangles += len(g.Mesh.Faces[i].Vertices) - 2
		}
		m.crystalBox.add(g.Mesh.Positions)
	}
}

func (m *meshes) surf(s *plug.CPlugSurfaceSurf, count bool) {
	if m.kinds == nil {
		m.kinds = map[string]any{}
	}
	if count {
		name := s.Type.String()
		c, _ := m.kinds[name].(float64)
		m.kinds[name] = c + 1
	}
	if s.MeshSurf != nil {
		mesh := &s.MeshSurf.Mesh
		m.surfVertices += len(mesh.Vertices)
		m.surfTriangles += len(mesh.CookedTriangles) + len(mesh.Triangles)
		m.surfBox.add(mesh.Vertices)
	}
	if s.Compound != nil {
		for i := range s.Compound.Surfaces {
			m.surf(&s.Compound.Surfaces[i], true)
		}
	}
}

func (m *meshes) visual(n *gbx.Node) {
	m.visuals++
	s := source{node: n}
	if v, ok := body("VertexCount", 0x0900600F, 0x0900600E, 0x0900600D, 0x0900600C, 0x0900600A, 0x09006008)(s).(uint32); ok {
		m.vertices += int(v)
	}
	for _, id := range []classid.ID{0x0902C003, 0x0902C004} {
		list, ok := body("Vertices.List", id)(s).([]plug.CPlugVisual3DVertex)
		if !ok {
			continue
		}
		for i := range list {
			m.decoded++
			m.visualBox.add([]gbx.Vec3{list[i].Position})
		}
	}
	streams, _ := body("VertexStreams", 0x0900600F, 0x0900600E)(s).([]gbx.Ref)
	for _, r := range streams {
		c, ok := gbx.Find[*plug.Chunk09056000](r.Node)
		if !ok {
			continue
		}
		for i := range c.VertexData.Decls {
			if d := &c.VertexData.Decls[i]; d.Usage() == 0 && i < len(c.VertexData.Columns) {
				m.decoded += len(c.VertexData.Columns[i].Vec3s)
				m.visualBox.add(c.VertexData.Columns[i].Vec3s)
			}
		}
	}
	if c, ok := gbx.Find[*plug.Chunk0906A000](n); ok {
		m.indices += len(c.Indices)
	}
}

// bounds is the box around points.
type bounds struct {
	any      bool
	min, max gbx.Vec3
}

func (b *bounds) add(points []gbx.Vec3) {
	for _, p := range points {
		if !b.any {
			b.any, b.min, b.max = true, p, p
		}
		b.min = gbx.Vec3{X: min(b.min.X, p.X), Y: min(b.min.Y, p.Y), Z: min(b.min.Z, p.Z)}
		b.max = gbx.Vec3{X: max(b.max.X, p.X), Y: max(b.max.Y, p.Y), Z: max(b.max.Z, p.Z)}
	}
}

func (b *bounds) value() any {
	if !b.any {
		return nil
	}
	var out []any
	for _, f := range []float32{b.min.X, b.min.Y, b.min.Z, b.max.X, b.max.Y, b.max.Z} {
		out = append(out, math.Round(float64(f)*1000)/1000)
	}
	return out
}
