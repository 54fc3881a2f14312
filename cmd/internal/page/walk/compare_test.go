package walk

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// compare: the runs of a file against each other, as the command compares them.
func (w *trip) compare() {
	w.compared(w.commandJSON("runs.Replay.Gbx", "replay", "compare"))
}

// compared compares the screen with the output of replay compare.
func (w *trip) compared(said map[string]any) {
	w.Helper()
	w.contains("#status", fmt.Sprintf("%d runs", len(said["runs"].([]any))))
	for _, r := range said["runs"].([]any) {
		w.contains("main", clock(r.(map[string]any)["time"]))
	}
	for _, a := range said["against"].([]any) {
		for _, s := range a.(map[string]any)["splits"].([]any) {
			w.contains(".compare-splits", difference(s.(map[string]any)["delta"].(float64)))
		}
	}
	w.wait(`document.querySelectorAll(".lane-plot").length === 3`)
	w.wait(fmt.Sprintf(`document.querySelectorAll(".plan-car[cx]").length === %d`, len(said["runs"].([]any))))
}

// difference is one of times as the page shows it.
func difference(ms float64) string {
	sign := "±"
	switch {
	case ms > 0:
		sign = "+"
	case ms < 0:
		sign, ms = "−", -ms
	}
	return fmt.Sprintf("%s%d.%03d", sign, int(ms)/1000, int(ms)%1000)
}

// tenRuns makes a folder of ten ghosts out of those of a replay.
func tenRuns(t *testing.T, replay string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "runs")
	if out, err := exec.Command(program, "replay", "ghosts", replay, "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) == 0 {
		t.Fatalf("no ghosts: %v", err)
	}
	for i := range 10 {
		data, err := os.ReadFile(filepath.Join(dir, list[i%len(list)].Name()))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, fmt.Sprintf("%d.Ghost.Gbx", i)), data)
	}
	for _, e := range list {
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tenRuns: ten files are chosen one by one and compared, and the page follows a
// slider. Its speed is logged, and documented in docs/evidence/explorer.md.
func (w *trip) tenRuns(dir string) {
	var files, names []string
	for i := range 10 {
		files = append(files, filepath.Join(dir, fmt.Sprintf("%d.Ghost.Gbx", i)))
		if i > 0 {
			names = append(names, filepath.Base(files[i]))
		}
	}
	w.size(1280, "light")
	w.visit("#/runs/0.Ghost.Gbx?tab=compare")
	w.contains("main", "it needs two")
	w.wait(`document.querySelectorAll(".compare-choice input").length === 9`)
	eval[any](w.tab, `document.querySelector(".compare-choice input").click(); null`)
	w.contains("#status", "2 runs")
	w.visit("#/runs/0.Ghost.Gbx?tab=compare&with=" + strings.Join(names, "%2F"))
	w.compared(printedJSON(w.T, append([]string{"replay", "compare"}, files...)...))
	w.looks(screen{name: "ten-runs"})
	for _, view := range []string{"plan", "3d"} {
		eval[any](w.tab, fmt.Sprintf(`(() => { const s = document.querySelector('select[aria-label="View"]'); s.value = %s; s.dispatchEvent(new Event("change")); })(); null`, quote(view)))
		w.wait(`document.querySelector(".replay-lines, .scene[data-frames]") !== null`)
		frame := eval[float64](w.tab, `(async () => {
			const s = document.querySelector('input[aria-label="Time"]'), start = performance.now();
			for (let i = 0; i < 30; i++) { s.value = i * 0.3; s.dispatchEvent(new Event("input")); await new Promise(requestAnimationFrame); }
			return (performance.now() - start) / 30;
		})()`)
		w.Logf("ten runs, %s: a frame takes %.1f ms", view, frame)
	}
	w.calm()
}
