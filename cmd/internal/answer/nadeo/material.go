package nadeo

import (
	"context"
	"strings"

	"pakbox/cmd/internal/question"
	"pakbox/fault"
	"pakbox/nadeo/items/library"
)

// MaterialList lists materials for items.
type MaterialList struct {
	Materials []MaterialKind `json:"materials" doc:"materials in the order of Nadeo's table"`
}

// MaterialKind has the facts about a material from the importer's table.
type MaterialKind struct {
	Name     string   `json:"name" doc:"name to write as Link"`
	Link     string   `json:"link" doc:"path of the material in the game"`
	Surface  string   `json:"surface" doc:"physical surface, unless an item sets another"`
	Number   int      `json:"surface_number" doc:"number of the surface in files"`
	Effects  bool     `json:"effects" doc:"whether faces may have a gameplay effect, such as Turbo"`
	UVLayers []string `json:"uv_layers" doc:"layers of texture coordinates that a mesh must have"`
	Color    bool     `json:"color" doc:"whether an item may choose its colour"`
}

type materialParams struct {
	Word string `json:"word" doc:"part of a name or of a surface; all by default"`
}

// ItemMaterials is the question which materials items may use.
var ItemMaterials = question.New(&room, "item.materials", "which materials items of Trackmania (2020) may use", func(_ context.Context, _ *question.At, p materialParams) (*MaterialList, error) {
	list := &MaterialList{Materials: []MaterialKind{}}
	word := strings.ToLower(p.Word)
	for _, m := range library.Materials() {
		if !strings.Contains(strings.ToLower(m.Name), word) && !strings.EqualFold(m.Surface, word) {
			continue
		}
		number, _ := library.Surface(m.Surface)
		list.Materials = append(list.Materials, MaterialKind{
			Name: m.Name, Link: m.Full(), Surface: m.Surface, Number: int(number), Effects: m.Effects(),
			UVLayers: append([]string{}, m.UVLayers...), Color: m.Color,
		})
	}
	if len(list.Materials) == 0 {
		err := fault.Usagef("no material has %q in its name", p.Word)
		if near := library.Near(p.Word); len(near) > 0 {
			return nil, err.Hint("there are %s", strings.Join(near, ", "))
		}
		return nil, err
	}
	return list, nil
}).AboutNoFile()
