package index

import "sync"

// MapCache remembers the rows of the maps that were last read from replays, because a folder
// of replays often contains the same map many times. The zero value is ready, also for
// several goroutines.
type MapCache struct {
	mu    sync.Mutex
	maps  map[Hash]*knownMap
	order []Hash // oldest first
}

// knownMap has the rows of a map, and the number of bytes that were unpacked for them.
type knownMap struct {
	rows  Rows
	bytes int64
}

// knownMaps is the number of maps that are remembered.
const knownMaps = 128

func (k *MapCache) get(hash Hash) *knownMap {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.maps[hash]
}

func (k *MapCache) put(hash Hash, m *knownMap) {
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

// replayed adds the rows of the map inside a replay, and returns the map's key.
func (w *walker) replayed(s Source, replay *file, depth int) any {
	if w.Maps == nil || depth > 0 { // at a greater depth the limit on depth may change the rows
		return w.file(s, replay, depth+1)
	}
	if m := w.Maps.get(s.BLAKE3); m != nil && m.bytes <= w.bytes {
		w.bytes -= m.bytes
		return w.rows.adopt(&m.rows, s, replay)
	}
	before, left := w.rows.mark(), w.bytes
	key := w.file(s, replay, depth+1)
	if added := w.rows.since(before); added.Len(filesTable) == 1 && w.ctx.Err() == nil {
		w.Maps.put(s.BLAKE3, &knownMap{added, left - w.bytes})
	}
	return key
}

// adopt adds the rows of one file as the rows of another file with the same content and
// name, and returns the key of the other file.
func (r *Rows) adopt(rows *Rows, s Source, parent *file) any {
	var key any = Key(s.Path)
	before := r.mark()
	r.Append(rows)
	for _, t := range tables {
		cells := r.cells[t.number]
		for at := before[t.number]; at < len(cells); at += len(t.Columns()) {
			cells[at] = key
		}
	}
	f := r.Row(filesTable, r.Len(filesTable)-1)
	filesTable.set(f, "path", s.Path)
	filesTable.set(f, "parent", parent.key)
	filesTable.set(f, "mtime_ns", s.MtimeNS)
	return key
}
