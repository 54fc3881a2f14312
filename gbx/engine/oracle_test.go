package engine_test

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/internal/testkit/corpus"
)

// Beside the corpus lies what another implementation, GBX.NET, read from the
// same files: a tree of values for each. Here every value of it is compared
// with ours. The tables in the other oracle tests say, for each of its keys,
// where the value is to be found in our chunks.

// source is where values are taken from: a node, and the header of the file
// if it is the main one.
type source struct {
	file *gbx.File
	node *gbx.Node
	size int // of the file
}

// accepted lists the differences in which ours is right, with the bytes that
// show it. The key is the first eight digits of the file's name and the
// oracle's key.
var accepted = map[string]string{
	// The last chunk of this replay, 2403F008 at 0xb23b of the body, has the
	// text "TmSunrise 0.1.4.6" and nothing else about the program; its ghost's
	// chunks, 0xb14d to 0xb213, have no inputs. The other implementation's
	// zeroes are stored nowhere.
	"25c9a3ff replay.ghosts.cpu_kind":     "no such chunk",
	"25c9a3ff replay.ghosts.os_kind":      "no such chunk",
	"25c9a3ff replay.ghosts.exe_checksum": "no such chunk",
	// So in this replay: "TrackMania 0.1.2.5" at 0x1215 of the body is the last
	// of its values about the program.
	"fe87cc39 replay.ghosts.cpu_kind":     "no such chunk",
	"fe87cc39 replay.ghosts.os_kind":      "no such chunk",
	"fe87cc39 replay.ghosts.exe_checksum": "no such chunk",
	// The control is called Respawn there, which the other implementation has
	// no name for.
	"fe87cc39 replay.inputs_tm1.first":                "another name",
	"fe87cc39 replay.inputs_tm1.sha256":               "another name",
	"fe87cc39 replay.inputs_tm1.by_type.Respawn":      "another name",
	"fe87cc39 replay.inputs_tm1.by_type.UnknownInput": "another name",
}

// ignored are keys that say nothing about the file, by their last part.
var ignored = map[string]string{
	"n":               "the other implementation's name for a number",
	"collection_name": "the other implementation's name for a number",
	"coord_offset":    "how coordinates are to be read",
	"note":            "a remark",
	"generation":      "a guess of which game wrote the file",
	"class_name":      "compared by number",
	"ok":              "whether the other implementation read the file",
	"source":          "whether the other implementation read the file",
	"error":           "why the other implementation did not read the file",
	"sha256":          "the file itself",
	"custom_deltas":   "zero in all files",
	"max_speed_index": "one of several samples with the same speed",
	"sample_class":    "the other implementation's name for a number",

	"CPlugVehicleWheelPhyModel": "not a node in the file: it has neither index nor class ID",
}

// oracle compares and counts.
type oracle struct {
	t      *testing.T
	counts map[string]*tally
	// headerOnly is set for files of which the oracle has read no more; what
	// a value missing there is not compared.
	headerOnly bool
}

type tally struct {
	equal, accepted, different, absent, unknown int
	example                                     string // a file in which the value is absent
}

func (o *oracle) count(key string) *tally {
	if o.counts[key] == nil {
		o.counts[key] = new(tally)
	}
	return o.counts[key]
}

// object compares the oracle's values of one object, key by key.
func (o *oracle) object(where, key string, want map[string]any, keys table, prefix string, s source) {
	for _, k := range slices.Sorted(maps.Keys(want)) {
		v := want[k]
		if _, skip := ignored[k]; skip {
			continue
		}
		path := prefix + k
		if find, ok := keys[path]; ok {
			o.compare(where, key+path, v, find(s))
		} else if inner, ok := v.(map[string]any); ok {
			o.object(where, key, inner, keys, path+".", s)
		} else if v != nil {
			o.count(key+path).unknown++
		}
	}
}

// compare compares one value, or every value inside it.
func (o *oracle) compare(where, key string, want, got any) {
	got = plain(got)
	if w, ok := want.(map[string]any); ok {
		g, ok := got.(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(w)) {
			if _, skip := ignored[k]; skip && k != "sha256" {
				continue
			}
			switch v, has := g[k]; {
			case !ok:
				o.compare(where, key+"."+k, w[k], got)
			case has:
				o.compare(where, key+"."+k, w[k], v)
			case accepted[where[:8]+" "+key+"."+k] != "":
				o.count(key+"."+k).accepted++
			case w[k] != nil:
				o.count(key+"."+k).unknown++
			}
		}
		return
	}
	if list, ok := want.([]any); ok && len(list) > 0 {
		if _, objects := list[0].(map[string]any); objects {
			o.objects(where, key, list, got)
			return
		}
	}
	switch {
	case want == nil && (o.headerOnly || strings.HasSuffix(key, "names")): // long lists of names are left out too
	case accepted[where[:8]+" "+key] != "":
		o.count(key).accepted++
	case got == absent && want != nil:
		o.count(key).absent++
		o.count(key).example = where
	case got == absent || same(want, got, key):
		o.count(key).equal++
	default:
		o.count(key).different++
		o.t.Errorf("%s: %s is %s, want %s", where, key, brief(got), brief(want))
	}
}

// objects compares a list of objects one by one.
func (o *oracle) objects(where, key string, want []any, got any) {
	list, ok := got.([]any)
	if ok && len(list) != len(want) {
		o.count(key).different++
		o.t.Errorf("%s: %s has %d elements, want %d", where, key, len(list), len(want))
		return
	}
	for i := range want {
		if ok {
			got = list[i]
		}
		o.compare(where, key+"[]", want[i], got)
	}
}

func brief(v any) string {
	s := fmt.Sprintf("%#v", v)
	if len(s) > 400 {
		s = s[:400] + "…"
	}
	return s
}

// same compares two values as JSON has them. Numbers are rounded in the
// oracle, sums of many of them a little more.
func same(want, got any, key string) bool {
	tolerance := 0.0011
	if strings.Contains(key, "sum") {
		tolerance = 0.01
	}
	switch w := want.(type) {
	case float64:
		g, ok := got.(float64)
		return ok && (math.Abs(w-g) <= tolerance || math.Abs(w-g) <= 1e-6*math.Abs(w))
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(w, g, func(a, b any) bool { return same(a, b, key) })
	}
	return reflect.DeepEqual(want, got)
}

// fileValues are the values of any file.
var fileValues = table{
	"class":        func(s source) any { return s.file.Class },
	"class_latest": func(s source) any { return s.file.Class.Latest() },
	"format": func(s source) any {
		return strings.TrimRight(string([]byte{s.file.Format, s.file.RefCompression, s.file.BodyCompression, s.file.Unknown}), "\x00")
	},
	"nodes": func(s source) any { return s.file.NumNodes },
	"body_size": func(s source) any {
		if !s.file.IsCompressed() {
			return absent
		}
		return len(s.file.BodyBytes())
	},
	"body_csize": func(s source) any {
		if !s.file.IsCompressed() {
			return absent
		}
		return len(s.file.PackedBody())
	},
	"size": func(s source) any { return s.size },
	"refs": referenceTable,
}

func referenceTable(s source) any {
	t := &s.file.Refs
	if len(t.External) == 0 {
		return absent
	}
	files, resources := []string{}, 0
	for i, path := range t.Paths() {
		if t.External[i].IsResource() {
			resources++
		} else {
			files = append(files, path)
		}
	}
	return map[string]any{"ancestor": plain(t.AncestorLevel), "files": plain(files), "resources": float64(resources)}
}

// file compares all values of the oracle about a file.
func (o *oracle) file(name string, want map[string]any, f *gbx.File, size int) {
	s := source{f, f.Body, size}
	o.headerOnly = want["source"] == "header"
	rest := map[string]any{}
	for k, v := range want {
		inner, _ := v.(map[string]any)
		switch {
		case inner == nil && v == nil:
		case k == "map":
			o.mapFile(name, "map.", inner, s)
		case k == "replay":
			o.replay(name, inner, s)
		case k == "ghost":
			o.ghost(name, "ghost.", inner, s)
		case k == "clip":
			o.compare(name, "clip", inner, clipValues(f.Body))
		case k == "collector":
			o.object(name, "collector.", inner, collectorValues, "", s)
		case k == "item":
			o.object(name, "item.", inner, itemValues, "", s)
		case k == "macroblock":
			o.object(name, "macroblock.", inner, macroblockValues, "", s)
		case k == "mesh":
			o.compare(name, "mesh", inner, meshValues(f))
		case k == "props":
			o.props(name, inner, s)
		default:
			rest[k] = v
		}
	}
	o.object(name, "", rest, fileValues, "", s)
}

// TestOracle compares every value the oracle gives.
func TestOracle(t *testing.T) {
	known := corpus.Oracle[map[string]any](t)
	o := &oracle{t: t, counts: map[string]*tally{}}
	unknown := 0
	files(t, func(path string, data []byte) {
		name := corpus.Name(path)
		want := known[name]
		if want == nil {
			unknown++
			return
		}
		f, err := gbx.Parse(data, engine.Registry())
		if err != nil {
			t.Errorf("%s: %v", path, err)
			return
		}
		o.file(name, want, f, len(data))
	})
	if unknown > mostUnknown {
		t.Errorf("the oracle does not know %d files", unknown)
	}
	o.report()
}

// mostUnknown is the number of files that the other implementation has not
// read: some that were found later, and eight with their telemetry.
const mostUnknown = 30

// leastEqual guards against a table that compares nothing any more.
const leastEqual = 64900

// report sums up.
func (o *oracle) report() {
	var sum tally
	for _, key := range slices.Sorted(maps.Keys(o.counts)) {
		c := o.counts[key]
		sum.equal += c.equal
		sum.accepted += c.accepted
		sum.different += c.different
		sum.absent += c.absent
		sum.unknown += c.unknown
		if c.different+c.absent+c.unknown > 0 {
			o.t.Errorf("%s: %d equal, %d different, %d absent (%s), %d not compared", key, c.equal, c.different, c.absent, c.example, c.unknown)
		}
	}
	o.t.Logf("in all: %d values equal, %d differences accepted, %d others, %d absent, %d not compared", sum.equal, sum.accepted, sum.different, sum.absent, sum.unknown)
	if sum.equal < leastEqual {
		o.t.Errorf("%d values were compared and equal, there used to be %d", sum.equal, leastEqual)
	}
}
