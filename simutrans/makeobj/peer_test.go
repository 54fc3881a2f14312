package makeobj_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pakbox/internal/testkit/peer"
)

// TestListsInKeysStandForWhatMakeobjReads expands lists of names and numbers,
// among them those with dashes that makeobj drops.
func TestListsInKeysStandForWhatMakeobjReads(t *testing.T) {
	program := peer.Makeobj(t)
	dir := t.TempDir()
	var source strings.Builder
	source.WriteString("obj=way\nname=a\n")
	for i, list := range []string{
		"nsew,-", "n,-", "n,-,s", "ns,ew,-,0", "n,-,s,-,e,w", "n,,s", "n,s,", "n,--,s", "s-,n", "n--,s", "n,1", "n, s", "nl,sl", "ne,xx",
		"1,-", "1-3,-,5", "1,,2", "1,2,", "3-1", "1-3-5", "5--7", "1-", "1-,3", "1,-3", "2,-,4-6", "0x2,3", "08,9", "1,2n", "1,n", "x1,-,2", "1-3,a-b", "1 - 3",
		"n,-][s,-", "ns,-][0-1", "0-1][ns,-",
	} {
		fmt.Fprintf(&source, "k%d[%s]=a.<$0>\n", i, list)
	}
	src := writeFile(t, filepath.Join(dir, "a.dat"), source.String())
	theirs, ours := filepath.Join(dir, "theirs.dat"), filepath.Join(dir, "ours.dat")
	if out, err := exec.Command(program, "QUIET", "EXPAND", theirs, src).CombinedOutput(); err != nil {
		t.Fatalf("makeobj: %v\n%s", err, out)
	}
	if _, stderr, code := run("EXPAND", ours, src); code != 0 {
		t.Fatalf("stderr = %v; want code = 0", stderr)
	}
	want, got := keysOf(t, theirs), keysOf(t, ours)
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || want[i] != got[i] {
			t.Fatalf("line %d: %q, makeobj has %q", i, got[i:min(i+1, len(got))], want[i:min(i+1, len(want))])
		}
	}
	t.Logf("%d keys", len(want))
}

// keysOf are the first lines of all keys of a source, which are those that
// count.
func keysOf(t *testing.T, path string) (lines []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		key, _, isKey := strings.Cut(line, "=")
		if isKey && !seen[key] {
			lines = append(lines, strings.TrimSpace(line))
		}
		seen[key] = true
	}
	return lines
}

// TestCompilingEndsWithMakeobjsExitCode: a makefile must not stop where it
// would go on with makeobj, and the other way round.
func TestCompilingEndsWithMakeobjsExitCode(t *testing.T) {
	program := peer.Makeobj(t)
	const good = "obj=good\nname=Coal\n---\n"
	for name, source := range map[string]string{
		"two objects of one name":   good + good,
		"an unknown type":           "obj=veicle\nname=a\n---\n" + good,
		"no type":                   "name=a\n---\n" + good,
		"no name":                   "obj=good\n---\n" + good,
		"an unknown key":            "obj=good\nname=a\nvallue=3\n",
		"a byte order mark":         "\ufeff# x\n" + good,
		"nothing":                   "# nothing\n",
		"a missing picture":         good + "obj=symbol\nname=a\nimage[0]=none.0.0\n",
		"an unknown way type":       good + "obj=tunnel\nname=a\nwaytype=raod\n",
		"a division by zero":        good + "obj=good\nname=a\nvalue=<1/0>\n",
		"an unknown building type":  good + "obj=building\nname=a\ntype=station\n",
		"a tree without its images": good + "obj=tree\nname=a\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			src := writeFile(t, filepath.Join(dir, "a.dat"), source)
			if name == "nothing" {
				src = filepath.Join(dir, "*.dat") // as a shell leaves it without a match
				os.Remove(filepath.Join(dir, "a.dat"))
			}
			for _, out := range []string{"out/", "lib.pak"} {
				theirs, ours := filepath.Join(dir, "theirs")+"/", filepath.Join(dir, "ours")+"/"
				for _, folder := range []string{theirs + "out", ours} {
					if err := os.MkdirAll(folder, 0o755); err != nil {
						t.Fatal(err)
					}
				}
				cmd := exec.Command(program, "QUIET", "PAK64", theirs+out, src)
				if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
					t.Fatalf("err = %v; want no error or cmd.ProcessState other than nil", err)
				}
				want := cmd.ProcessState.ExitCode()
				_, stderr, code := run("QUIET", "PAK64", ours+out, src)
				if code != want {
					t.Errorf("%s to %s: exit code %d, makeobj has %d: %s", name, out, code, want, stderr)
				}
				_, err := os.Stat(ours + "lib.pak")
				if hasGood := strings.Contains(source, "Coal"); out == "lib.pak" && (err == nil) != (want == 0 && (hasGood || name == "an unknown key")) {
					t.Errorf("%s: the file of all objects: %v", name, err)
				}
			}
		})
	}
}
