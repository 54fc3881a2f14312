package maps

import (
	"math"
	"slices"
	"sort"
	"testing"

	"pakbox/nadeo/nadeotest/roomtest"
)

func TestMacroblocksAgainstOracle(t *testing.T) {
	compared, n := 0, 0
	roomtest.Each(t, []string{"0310d000"}, func(c roomtest.File) {
		o, _ := c.Oracle["macroblock"].(map[string]any)
		m, err := MacroblockOf(c.File)
		if err != nil || o == nil {
			t.Fatalf("%s: err = %v; want no error, o other than nil", c.Path, err)
		}
		n++
		check := func(what string, got, want any) { roomtest.Same(t, c.Path, what, got, want, &compared) }
		blocks, items := m.Blocks(), m.Items()
		check("blocks", len(blocks), o["block_spawns"])
		check("items", len(items), o["object_spawns"])
		var names, models []string
		var sum [3]float64
		for _, b := range blocks {
			names = append(names, b.Name)
			if b.Direction < 0 || b.Direction > 3 || b.Name == "" {
				t.Errorf(`%s: b = %+v; want b.Direction at least 0, b.Direction at most 3, b.Name not empty`, c.Path, b)
			}
		}
		for _, it := range items {
			models = append(models, it.Model.ID.String())
			for i, v := range []float32{it.Position.X, it.Position.Y, it.Position.Z} {
				sum[i] += float64(v)
			}
		}
		distinct := func(list []string) int { sort.Strings(list); return len(slices.Compact(list)) }
		check("names of blocks", distinct(names), o["block_names"])
		check("models of items", distinct(models), o["object_models"])
		if want, ok := o["object_pos_sum"].([]any); ok {
			for i := range sum {
				if math.Abs(sum[i]-want[i].(float64)) > 0.01 {
					t.Errorf("%s: places sum up to %v, want %v", c.Path, sum, want)
				}
				compared++
			}
		}
		collector, _ := c.Oracle["collector"].(map[string]any)
		check("name", m.Name(), collector["name"])
		roomtest.CheckIdent(check, m.Ident(), collector)
	})
	if n < 10 || compared < 50 {
		t.Errorf("%d values of %d macroblocks compared", compared, n)
	}
}
