package runs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"pakbox/gbx"
	"pakbox/internal/testkit/corpus"
	"pakbox/nadeo/maps"
	"pakbox/nadeo/nadeotest/roomtest"
)

// column finds a column by its name.
func column(t *testing.T, name string) func(*Sample) float64 {
	t.Helper()
	i := slices.IndexFunc(AllColumns(), func(c SampleColumn) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("no column %s", name)
	}
	return AllColumns()[i].Get
}

// turn is a vector that turns with the car.
func turn(q gbx.Quat, v [3]float64) [3]float64 {
	w, x, y, z := float64(q.W), float64(q.X), float64(q.Y), float64(q.Z)
	cross := func(a, b [3]float64) [3]float64 {
		return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
	}
	u := [3]float64{x, y, z}
	c := cross(u, v)
	d := cross(u, c)
	for i := range v {
		v[i] += 2 * (w*c[i] + d[i])
	}
	return v
}

func dot(v gbx.Vec3, a [3]float64) float64 {
	return float64(v.X)*a[0] + float64(v.Y)*a[1] + float64(v.Z)*a[2]
}

// middle is the median, by sorting.
func middle(list []float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// relations are the figures of one form of sample: how far columns are from what
// other columns say about the same car.
type relations struct {
	forward, side, spin, radius, fall, stand, angle []float64
	gears                                           [8][]float64 // rpm for a metre a second
}

// allGhosts is ghosts, and those of the second corpus.
func allGhosts(t testing.TB, test func(path string, i int, g *Ghost)) {
	ghosts(t, test)
	for _, pattern := range []string{"*.Ghost.Gbx", "*.Replay.Gbx", "telemetry/*.Ghost.Gbx"} {
		for _, path := range corpus.Files(t, corpus.Dir(t, "gbx-hard"), pattern) {
			name := path[len(corpus.Dir(t, "gbx-hard"))+1:]
			for i, g := range GhostsOf(roomtest.Hard(t, name)) {
				test(path, i, g)
			}
		}
	}
}

// Each column that is called measured agrees with an independent relation, in every
// form of sample that has it. The figures stand in docs/evidence/runs.md.
func TestColumnsAgainstRelations(t *testing.T) {
	t.Parallel()
	forward, side, rpm := column(t, "forward_speed_m_s"), column(t, "side_speed_m_s"), column(t, "rpm")
	wheel, angle := column(t, "fl_rotation_rad"), column(t, "steer_angle_rad")
	spins := [3]func(*Sample) float64{column(t, "wx_rad_s"), column(t, "wy_rad_s"), column(t, "wz_rad_s")}
	var contact [4]func(*Sample) float64
	for i, w := range wheels {
		contact[i] = column(t, w+"_contact")
	}
	touching := func(s *Sample) (n float64) {
		for _, c := range contact {
			n += c(s)
		}
		return n
	}
	figures, forms := map[int]*relations{}, map[int]int{}
	allGhosts(t, func(path string, _ int, g *Ghost) {
		lines, err := g.lines(full)
		if err != nil {
			return
		}
		for k := range lines {
			l := &lines[k]
			form := len(l.Samples[0].bytes)
			if l.Samples[0].old != nil && l.Samples[0].old.HasMotion() {
				form = -1
			}
			if form == 0 {
				continue
			}
			r := figures[form]
			if r == nil {
				r = &relations{}
				figures[form] = r
			}
			forms[form] += len(l.Samples)
			for i := 1; i+1 < len(l.Samples); i++ {
				a, s, b := &l.Samples[i-1], &l.Samples[i], &l.Samples[i+1]
				dt := float64(b.Time-a.Time) / 1000
				if dt <= 0 || b.Time-a.Time != 2*l.Period || Jumped(a, s) || Jumped(s, b) || !(s.Speed > slow) {
					continue
				}
				ahead, left := turn(s.Rotation, [3]float64{0, 0, 1}), turn(s.Rotation, [3]float64{1, 0, 0})
				r.forward = append(r.forward, math.Abs(forward(s)-dot(s.Velocity, ahead)))
				r.side = append(r.side, math.Abs(side(s)-dot(s.Velocity, left)))
				w, far := spun(a.Rotation, b.Rotation, dt), 0.0
				want := [3]float64{float64(w.X), float64(w.Y), float64(w.Z)}
				for j, get := range spins {
					far = max(far, math.Abs(get(s)-want[j]))
				}
				r.spin = append(r.spin, far)
				if math.Abs(s.Steer) > 0.1 {
					r.angle = append(r.angle, math.Abs(angle(s))*math.Copysign(1, -angle(s)*s.Steer))
				}
				turned := math.Mod(wheel(b)-wheel(a)+512*math.Pi, 512*math.Pi)
				if w := touching(s); (w == 4 || form < 0) && turned > 1 && turned < 1000 {
					r.radius = append(r.radius, distance(a.Position, b.Position)/turned)
				}
				fall := float64(b.Velocity.Y-a.Velocity.Y) / dt
				if touching(a)+touching(s)+touching(b) == 0 {
					r.fall = append(r.fall, fall)
				} else if touching(s) == 4 {
					r.stand = append(r.stand, fall)
				}
				if gear := s.Gear; gear > 0 && gear < len(r.gears) && s.Gas == 1 && touching(s) == 4 {
					r.gears[gear] = append(r.gears[gear], rpm(s)/forward(s))
				}
			}
		}
	})
	if len(figures) != 5 {
		t.Errorf("%d forms of samples, want those of four writers and of CGameGhost", len(figures))
	}
	for form, r := range figures {
		near := func(what string, got, low, high float64) {
			t.Logf("%d bytes, %d samples: %s %.4f", form, forms[form], what, got)
			if !(got >= low && got <= high) {
				t.Errorf("%d bytes, %d samples: %s is %.4f, want %g to %g", form, forms[form], what, got, low, high)
			}
		}
		near("forward speed against velocity, m/s", middle(r.forward), 0, 0.15)
		near("sideways speed against velocity, m/s", middle(r.side), 0, 0.5)
		near("angular velocity against rotations, rad/s", middle(r.spin), 0, 0.06)
		near("way for a radian of a wheel, m", middle(r.radius), 0.36, 0.37)
		near("angle of the wheel against steering, rad", middle(r.angle), 0.1, 0.6)
		if form < 0 {
			continue // the games before record neither contact nor gear
		}
		near("vertical acceleration on four wheels, m/s²", middle(r.stand), -0.2, 0.2)
		if form >= carLeast {
			near("vertical acceleration without contact, m/s²", middle(r.fall), -30, -15)
		}
		for gear, want := range []float64{1: 368, 220, 160, 110, 85} {
			if len(r.gears[gear]) > 100 {
				near(fmt.Sprintf("revolutions a minute for 1 m/s in gear %d", gear), middle(r.gears[gear]), want*0.98, want*1.02)
			}
		}
	}
}

// Columns have names and titles that no other column has: NumPy refuses others.
func TestColumnTitles(t *testing.T) {
	seen, header := map[string]bool{}, 0
	for _, c := range AllColumns() {
		if seen[c.Name] || seen[c.Title()] || c.Doc == "" || strings.ContainsAny(c.Title(), `'\`) || c.Evidence == "" {
			t.Errorf("%s: c.Title() = %s; want seen[c.Name] = false, seen[c.Title()] = false, c.Doc not empty, strings.ContainsAny(c.Title(), `'\\`) = false, c.Sure not empty", c.Name, c.Title())
		}
		seen[c.Name], seen[c.Title()] = true, true
		header += len(c.Name) + len(c.Title()) + len("(('', ''), '<f8'), ")
	}
	if header > 9_800 { // NumPy reads no longer header without being asked to
		t.Errorf("a header of %d bytes", header)
	}
	if len(AllColumns()) != len(Columns)+21+4*8 {
		t.Errorf("%d columns", len(AllColumns()))
	}
}

// The checkpoints in the record of Trackmania (2020) are those that the ghost
// declares, to the millisecond, in runs that the game saved.
func TestEvents(t *testing.T) {
	g := hardGhost(t, "telemetry/p00001_19538.Ghost.Gbx")
	events, err := g.Events()
	if err != nil {
		t.Fatal(err)
	}
	var times []gbx.Time
	var kinds []string
	for _, e := range events {
		if e.Driver == 0 && e.Kind != EventEffect {
			times = append(times, e.Time)
		}
		kinds = append(kinds, e.Kind+e.Effect)
	}
	if !slices.Equal(times, g.Checkpoints()) {
		t.Errorf("%v, declared are %v", times, g.Checkpoints())
	}
	if !slices.Equal(kinds, []string{"effectTurbo", "checkpoint", "checkpoint", "checkpoint", "finish"}) {
		t.Errorf(`kinds = %v; want kinds equal to []string{"effectTurbo", "checkpoint", "checkpoint", "checkpoint", "finish"}`, kinds)
	}
	equal, differ, effects := 0, 0, 0
	allGhosts(t, func(path string, i int, g *Ghost) {
		recorded, err := g.recordedEvents()
		if err != nil || len(recorded) == 0 {
			return
		}
		var times []gbx.Time
		for _, e := range recorded {
			switch {
			case e.Kind == EventEffect:
				effects++
			case e.Driver == 0:
				times = append(times, e.Time)
			}
		}
		if slices.Equal(times, g.Checkpoints()) {
			equal++
		} else {
			differ++
		}
	})
	if equal < 40 || effects < 100 { // the others were written by programs, and replay check reports them
		t.Errorf("%d runs whose checkpoints are those of the record, %d others, %d effects", equal, differ, effects)
	}
}

// The tables in docs/telemetry.md are the declared columns.
func TestColumnDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/telemetry.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range AllColumns() {
		if row := fmt.Sprintf("| `%s` | %s | %s | %s |\n", c.Name, c.Unit, c.Evidence, c.Doc); !strings.Contains(string(text), row) {
			t.Errorf("docs/telemetry.md lacks %s", row)
		}
	}
}

// The run that validates a map took the map's author time, in five of the six maps of the
// corpus that have both; taking the validation off leaves neither.
func TestValidationRuns(t *testing.T) {
	same, other := 0, 0
	roomtest.Each(t, roomtest.MapFolders, func(c roomtest.File) {
		m, err := maps.Of(c.File)
		if err != nil {
			t.Fatal(err)
		}
		g, author := ValidationGhost(m), m.Medals().Author
		if g == nil || g.Time() == gbx.NoTime || author == gbx.NoTime {
			return
		}
		if g.Time() == author {
			same++
		} else {
			other++
		}
		m.RemoveValidation()
		data, err := c.File.Encode()
		if err != nil {
			t.Fatal(err)
		}
		m, err = maps.Of(roomtest.Parse(t, data))
		if err != nil || ValidationGhost(m) != nil || m.Validation().Any() {
			t.Errorf("%s: m.Validation() = %+v, err = %v; want no error, ValidationGhost(m) = nil, m.Validation().Any() = false", c.Path, m.Validation(), err)
		}
	})
	if t.Logf("%d of %d runs took the author time", same, same+other); same < 5 || other > 1 {
		t.Errorf("%d of %d runs took the author time", same, same+other)
	}
}

// TestMedian: the median is that of the sorted list, whatever the list.
func TestMedian(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := 1; n < 400; n++ {
		list := make([]float64, n)
		for i := range list {
			list[i] = float64(rng.IntN(1 + n/2))
		}
		want := middle(slices.Clone(list))
		if got := median(list); got != want {
			t.Fatalf("of %d numbers: %v, want %v", n, got, want)
		}
	}
}

// TestFieldsFit: a field lies in two bytes, all that are read of it.
func TestFieldsFit(t *testing.T) {
	for _, c := range AllColumns() {
		if c.get == nil && c.now.shift+c.now.bits > 16 {
			t.Errorf("%s: bits %d to %d", c.Name, c.now.shift, c.now.shift+c.now.bits)
		}
	}
}
