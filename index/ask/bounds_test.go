package ask_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"pakbox/index"
	"pakbox/index/ask"
	"pakbox/index/sqlite"
)

// Each of two bounds must hold for one of the times of a file, not both for the same one.
// A file has times in its runs, and a replay states one that may be another.
func TestBounds(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "index.sqlite")
	db, err := sqlite.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	var rows index.Rows
	var paths []string
	var runs, all [][]int // the times of each file: of its runs, and also of its replay
	for i := range 400 {
		path := fmt.Sprintf("%03d.Gbx", i)
		key := index.Key(path)
		rows.Add("files", row{"file": key, "path": path})
		var times []int
		for n := range random.IntN(4) {
			times = append(times, random.IntN(8))
			rows.Add("ghosts", row{"file": key, "ghost": n, "race_time": int64(times[n])})
		}
		runs = append(runs, slices.Clone(times))
		switch random.IntN(3) {
		case 0:
			rows.Add("replays", row{"file": key})
		case 1:
			times = append(times, random.IntN(8))
			rows.Add("replays", row{"file": key, "time": int64(times[len(times)-1])})
		}
		paths, all = append(paths, path), append(all, times)
	}
	if err := errors.Join(db.Put(ctx, sqlite.State{Path: "all"}, &rows), db.Finish(ctx), db.Close()); err != nil {
		t.Fatal(err)
	}
	x, err := ask.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	holds := map[string]func(v, than int) bool{
		"<": func(v, than int) bool { return v < than }, "<=": func(v, than int) bool { return v <= than },
		">": func(v, than int) bool { return v > than }, ">=": func(v, than int) bool { return v >= than },
	}
	apart := 0 // files with a value within each bound, and none within both
	for word, times := range map[string][][]int{"race_time": runs, "time": all} {
		for range 60 {
			ops := []string{"<", "<=", ">", ">="}
			op1, op2, v1, v2 := ops[random.IntN(4)], ops[random.IntN(4)], random.IntN(8), random.IntN(8)
			one, two := fmt.Sprintf("%s%s%dms", word, op1, v1), fmt.Sprintf("%s%s%dms", word, op2, v2)
			var want []string
			for i, path := range paths {
				first := func(v int) bool { return holds[op1](v, v1) }
				second := func(v int) bool { return holds[op2](v, v2) }
				if slices.ContainsFunc(times[i], first) && slices.ContainsFunc(times[i], second) {
					want = append(want, path+"\n")
					if !slices.ContainsFunc(times[i], func(v int) bool { return first(v) && second(v) }) {
						apart++
					}
				}
			}
			a, _, err := x.Find(ctx, ask.Search{Words: []string{one, two}, Fields: []string{"path"}})
			if got := lines(t, a, err); got != join(want) {
				t.Errorf("%s %s: got\n%swant\n%s", one, two, got, join(want))
			}
		}
	}
	if apart < 100 {
		t.Errorf("only %d files have their times on both sides of the bounds", apart)
	}
}

func join(lines []string) (text string) {
	for _, line := range lines {
		text += line
	}
	return text
}
