package items

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine/gamedata"
	"pakbox/nadeo/nadeotest/roomtest"
)

// itemFolders are the folders of items, by the class IDs that files have.
var itemFolders = []string{"2e002000", "0301c000"}

func TestItemModelsAgainstOracle(t *testing.T) {
	items, compared, meshes, placed := 0, 0, 0, 0
	roomtest.Each(t, itemFolders, func(c roomtest.File) {
		m, err := ModelOf(c.File)
		if err != nil {
			t.Errorf("%s: %v", c.Path, err)
			return
		}
		s, err := m.Mesh()
		if err != nil {
			t.Errorf("%s: %v", c.Path, err)
			return
		}
		if p, ok := m.Placement(); ok {
			placed++
			if !(p.GridStep.X >= 0 && p.GridStep.X < 1000) || len(p.Pivots) > 1000 {
				t.Errorf("%s: placement %+v", c.Path, p)
			}
		}
		if c.Oracle["ok"] != true {
			return
		}
		items++
		check := func(what string, got, want any) { roomtest.Same(t, c.Path, what, got, want, &compared) }
		o, _ := c.Oracle["collector"].(map[string]any)
		check("name", m.Name(), o["name"])
		check("page", m.Page(), o["page"])
		check("description", m.Description(), o["description"])
		roomtest.CheckIdent(check, m.Ident(), o)
		if m.HasIcon() != (o["icon"] != nil) {
			t.Errorf("%s: icon %v, want %v", c.Path, m.HasIcon(), o["icon"])
		}
		o, _ = c.Oracle["item"].(map[string]any)
		check("type", uint32(m.Type()), part(o, "item_type_e", "v"))
		check("waypoint", uint32(m.Waypoint()), part(o, "waypoint_type", "v"))
		check("model", m.Model(), o["entity_model_edition"])
		if o["entity_model_edition"] == nil {
			check("model", m.Model(), o["entity_model"])
		}
		o, _ = c.Oracle["mesh"].(map[string]any)
		_, triangles := s.Finest().Count()
		check("has triangles", triangles > 0, sum(part(o, "visual", "triangles"), part(o, "crystal", "triangles")) > 0)
		if triangles > 0 {
			meshes++
		}
	})
	if items < 100 || meshes < 80 || placed < 80 {
		t.Errorf("only %d items, %d with meshes, %d with a placement", items, meshes, placed)
	}
	t.Logf("%d values of %d items, %d of them with meshes, %d with a placement", compared, items, meshes, placed)
}

// part returns a member of a member, or nil.
func part(o map[string]any, name, key string) any {
	m, _ := o[name].(map[string]any)
	return m[key]
}

func sum(values ...any) float64 {
	total := 0.0
	for _, v := range values {
		n, _ := v.(float64)
		total += n
	}
	return total
}

// The properties of an item are read from its model.
func TestItemModelSays(t *testing.T) {
	node := func(b ...gbx.Body) gbx.Ref { return gbx.NewRef(roomtest.Node(0x2E007000, b...)) }
	made := &gamedata.Chunk2E002019{
		VisModel: node(
			&gamedata.Chunk2E007001{Mesh: "mesh", SolidRef: "solid", ParticleModelAlive: "alive", SmashParticleRef: "smash", VisEntFx: "fx", SoundRefSpawn: "spawn", SoundRefUnspawn: "unspawn", SoundRefGrab: "grab"},
			&gamedata.Chunk2E007002{SoundRefSpawn: "spawn", SoundRefUnspawn: "unspawn 2", SoundRefGrab: "grab", SoundRefSmashed: "smashed", SoundRefPermanent: "permanent"},
		),
		PhyModel: node(&gamedata.Chunk2E006001{MoveShape: "move", HitShape: "hit", TriggerShape: "trigger", Solid: "solid", ActionModel: "action"}),
	}
	item := func(b ...gbx.Body) *Model { return &Model{Collector{roomtest.NodeFile(classItemModel, b...)}} }
	if got, want := strings.Join(item(made).Files(), ","), "mesh,solid,alive,smash,fx,spawn,unspawn,grab,unspawn 2,smashed,permanent,move,hit,trigger,action"; got != want {
		t.Errorf("files %s, want %s", got, want)
	}
	entity := &gamedata.Chunk2E002019{EntityModel: node(&gamedata.Chunk2E027000{VisModel: made.VisModel, PhyModel: made.PhyModel})} // as ManiaPlanet since 2017
	if got, want := item(entity).Files(), item(made).Files(); !slices.Equal(got, want) {
		t.Errorf("files %s of an entity, want %s", got, want)
	}
	if got := item(made).Model(); got != "CGameObjectVisModel" {
		t.Errorf("is made of %s", got)
	}
	bare := item(&gamedata.Chunk2E002019{})
	if bare.Model() != "" || len(bare.Files()) != 0 || item().Model() != "" || item().Files() == nil || len(item().Files()) != 0 || item().Description() != "" {
		t.Error("an item of nothing names files")
	}
	if w := item().Waypoint(); w != gamedata.CGameItemModelWaypointTypeNone {
		t.Errorf("waypoint %v", w)
	}
	const flag = gamedata.CGameItemPlacementParamPlacementFlagsYawOnly
	for bit, want := range map[gamedata.CGameItemPlacementParamPlacementFlags]string{
		0: "false false false false false", flag: "true false false false false", 0x10: "false false false false true",
		gamedata.CGameItemPlacementParamPlacementFlagsNotOnObject:         "false true false false false",
		gamedata.CGameItemPlacementParamPlacementFlagsAutoRotation:        "false false true false false",
		gamedata.CGameItemPlacementParamPlacementFlagsSwitchPivotManually: "false false false true false",
	} {
		params := gbx.NewRef(roomtest.Node(0x2E020000,
			&gamedata.Chunk2E020000{Flags: bit, GridSnapHStep: 1, GridSnapVStep: 2, GridSnapHOffset: 3, GridSnapVOffset: 4, FlyVStep: 5, FlyVOffset: 6, PivotSnapDistance: 7},
			&gamedata.Chunk2E020001{PivotPositions: []gbx.Vec3{{X: 8}}},
			&gamedata.Chunk2E020004{MagnetLocs: []gamedata.CGameItemPlacementParamMagnetLoc{{Position: gbx.Vec3{Y: 9}}, {Position: gbx.Vec3{Z: 10}}}},
		))
		p, ok := item(&gamedata.Chunk2E00201C{DefaultPlacement: params}).Placement()
		if got := fmt.Sprint(p.YawOnly, p.NotOnObject, p.AutoRotation, p.SwitchPivotManually, p.GhostMode); got != want || !ok {
			t.Errorf("flags %x: %s, want %s", uint32(bit), got, want)
		}
		p.YawOnly, p.NotOnObject, p.AutoRotation, p.SwitchPivotManually, p.GhostMode = false, false, false, false, false
		if got := fmt.Sprint(p); got != "{false false false false false {1 2} {3 4} 5 6 7 [{8 0 0}] [{0 9 0} {0 0 10}]}" {
			t.Errorf(`got = %v; want "{false false false false false {1 2} {3 4} 5 6 7 [{8 0 0}] [{0 9 0} {0 0 10}]}"`, got)
		}
	}
	if _, ok := item(&gamedata.Chunk2E00201C{}).Placement(); ok {
		t.Error("an item without a placement has one")
	}
	if c, ok := CollectorOf(roomtest.NodeFile(classItemModel, &gamedata.Chunk2E00100B{Model: gbx.Ident{ID: gbx.NewID("n"), Author: gbx.NewID("a"), Collection: gbx.NoID}})); !ok || c.Name() != "n" || c.Author() != "a" {
		t.Error("a collector is not known by its ident")
	}
	if _, ok := CollectorOf(roomtest.NodeFile(0x03043000)); ok {
		t.Error("a map is taken for a collector")
	}
	for icon, want := range map[*gamedata.Header2E001004]bool{{}: false, {Pixels: make([]byte, 1)}: true, {Webp: make([]byte, 1)}: true} {
		f := roomtest.NodeFile(classItemModel)
		f.Header.Chunks = []gbx.HeaderChunk{{Body: icon}}
		if c := (&Collector{f}); c.HasIcon() != want {
			t.Errorf("icon %+v", icon)
		}
	}
}
