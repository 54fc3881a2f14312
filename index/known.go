package index

import (
	"reflect"
	"sync"
)

// Known remembers what was last read of the maps inside replays, because a
// folder of replays often holds the same map over and over. What it gives is
// what reading would give again. The zero value is ready, also for several
// goroutines.
type Known struct {
	mu    sync.Mutex
	maps  map[Hash]*knownMap
	order []Hash // the oldest first
}

// knownMap are the rows of a map, and how much was unpacked for them.
type knownMap struct {
	rows  Rows
	bytes int64
}

// knownMaps is how many are remembered.
const knownMaps = 128

func (k *Known) get(hash Hash) *knownMap {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.maps[hash]
}

func (k *Known) put(hash Hash, m *knownMap) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.maps[hash] != nil {
		return
	}
	if k.maps == nil {
		k.maps = map[Hash]*knownMap{}
	}
	if len(k.order) == knownMaps {
		delete(k.maps, k.order[0])
		k.order = k.order[1:]
	}
	k.maps[hash] = m
	k.order = append(k.order, hash)
}

// replayed adds the rows of the map inside a replay, and gives its key.
func (w *walker) replayed(s Source, replay *File, depth int) int64 {
	if w.Known == nil || depth > 0 { // deeper, the limit on depth may show
		return w.file(s, &replay.File, depth+1)
	}
	if m := w.Known.get(s.BLAKE3); m != nil && m.bytes <= w.bytes {
		w.bytes -= m.bytes
		return w.rows.adopt(&m.rows, s, replay)
	}
	before, left := *w.rows, w.bytes
	key := w.file(s, &replay.File, depth+1)
	if len(w.rows.Files) == len(before.Files)+1 && w.ctx.Err() == nil {
		w.Known.put(s.BLAKE3, &knownMap{w.rows.since(&before), left - w.bytes})
	}
	return key
}

// since copies the rows that were added.
func (r *Rows) since(before *Rows) (added Rows) {
	for _, t := range Tables() {
		t.Of(&added).Set(t.Of(r).Slice(t.Of(before).Len(), t.Of(r).Len()))
	}
	var own Rows
	own.Append(&added)
	return own
}

// adopt adds the rows of one file as those of another with the same content and
// name, and gives its key.
func (r *Rows) adopt(rows *Rows, s Source, parent *File) int64 {
	key := Key(s.Path)
	for _, t := range Tables() {
		of := t.Of(r)
		at := of.Len()
		of.Set(reflect.AppendSlice(of, t.Of(rows)))
		for ; at < of.Len(); at++ {
			of.Index(at).Field(0).SetInt(key)
		}
	}
	f := &r.Files[len(r.Files)-1]
	f.Path, f.Parent, f.MtimeNS = s.Path, &parent.File, s.MtimeNS
	return key
}
