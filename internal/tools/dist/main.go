// Dist makes what is handed to people: for every system an archive with the
// static program, completions, manual pages, the licences and the README, for
// Linux the same as a Debian package, the explorer as a static site, and one list
// of checksums.
//
// The same commit gives the same bytes, on any machine with the same Go: the
// program is built without paths (-trimpath), names and order in archives are
// fixed, everything has the time of the commit and belongs to nobody. With
// -check it proves that: it builds twice, from two folders and with two build
// caches, and compares.
//
//	make dist          into dist/
//	make dist-check
//	go run ./internal/tools/dist -sizes
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// system is one that a program is built for.
type system struct{ os, arch string }

var systems = []system{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
	{"freebsd", "amd64"}, {"freebsd", "arm64"},
}

// tags leave out HTTP/2, which no browser speaks without TLS.
const tags = "nethttpomithttp2"

func main() {
	out := flag.String("o", "dist", "folder for the archives; it is made anew")
	check := flag.Bool("check", false, "build twice and compare")
	parts := flag.Bool("sizes", false, "print what the parts of the program weigh, and make nothing")
	only := flag.String("only", "", "build for one system, such as linux/amd64")
	flag.Parse()
	whole := *only == ""
	if !whole {
		name, arch, _ := strings.Cut(*only, "/")
		systems = []system{{name, arch}}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch {
	case *parts:
		err = sizes(ctx)
	case *check:
		err = checkTwice(ctx, *only)
	default:
		err = dist(ctx, *out, whole)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// commit is what is built.
type commit struct {
	version string
	time    time.Time
}

// dist builds from the checkout it runs in: for all systems, and if that is the
// whole, the site too.
func dist(ctx context.Context, out string, whole bool) error {
	at, err := head(ctx)
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(out, 0o777)); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "pakbox-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	extras, err := makeExtras(ctx, work)
	if err != nil {
		return err
	}
	h := hand{out: out, sums: map[string][sha256.Size]byte{}}
	for _, sys := range systems {
		files, err := pack(ctx, work, sys, extras)
		if err != nil {
			return err
		}
		if err := h.system(at, sys, files); err != nil {
			return err
		}
	}
	if whole {
		if err := h.site(ctx, at, work); err != nil {
			return err
		}
	}
	return h.list()
}

// hand is the folder of what is handed out.
type hand struct {
	out  string
	sums map[string][sha256.Size]byte
}

// add puts a file there.
func (h *hand) add(name string, data []byte) error {
	h.sums[name] = sha256.Sum256(data)
	fmt.Printf("%8.1f MiB  %s\n", float64(len(data))/(1<<20), filepath.Join(h.out, name))
	return os.WriteFile(filepath.Join(h.out, name), data, 0o666)
}

// system adds what one system gets: an archive, and of Linux a Debian package.
func (h *hand) system(at commit, sys system, files []file) error {
	name := fmt.Sprintf("pakbox-%s-%s-%s", at.version, sys.os, sys.arch)
	var b bytes.Buffer
	write, ext := writeTarGz, ".tar.gz"
	if sys.os == "windows" {
		write, ext = writeZip, ".zip"
	}
	if err := write(&b, name, at.time, files); err != nil {
		return err
	}
	if err := h.add(name+ext, b.Bytes()); err != nil || sys.os != "linux" {
		return err
	}
	b.Reset()
	if err := writeDeb(&b, at, sys.arch, files); err != nil {
		return err
	}
	return h.add(fmt.Sprintf("pakbox_%s_%s.deb", strings.TrimPrefix(at.version, "v"), sys.arch), b.Bytes())
}

// site adds the explorer without a server.
func (h *hand) site(ctx context.Context, at commit, work string) error {
	dir := filepath.Join(work, "site")
	if _, err := output(ctx, []string{"GOFLAGS="}, "go", "run", "-trimpath", "./internal/tools/site", "-o", dir); err != nil {
		return err
	}
	licences, err := thirdParty(ctx, system{"js", "wasm"}, "./internal/web/site")
	if err != nil {
		return err
	}
	files := []file{{"LICENSES-OF-OTHERS.txt", 0o644, licences}}
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		files = append(files, file{name, 0o644, data})
		return err
	})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	name := fmt.Sprintf("pakbox-%s-site", at.version)
	if err := writeTarGz(&b, name, at.time, files); err != nil {
		return err
	}
	return h.add(name+".tar.gz", b.Bytes())
}

// list writes the checksums.
func (h *hand) list() error {
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(h.sums)) {
		fmt.Fprintf(&list, "%x  %s\n", h.sums[name], name)
	}
	return os.WriteFile(filepath.Join(h.out, "SHA256SUMS"), []byte(list.String()), 0o666)
}

// head describes the commit that is checked out. What is not committed cannot
// be built again by anyone, so it is refused.
func head(ctx context.Context) (c commit, err error) {
	if changed, err := output(ctx, nil, "git", "status", "--porcelain"); err != nil || changed != "" {
		return c, errors.Join(err, errors.New("there are changes that are not committed:\n"+changed))
	}
	fields, err := output(ctx, nil, "git", "log", "-1", "--format=%ct %cd %h", "--date=format-local:%Y%m%d", "--abbrev=12")
	if err != nil {
		return c, err
	}
	var seconds int64
	var date, hash string
	if _, err := fmt.Sscan(fields, &seconds, &date, &hash); err != nil {
		return c, err
	}
	c = commit{date + "-" + hash, time.Unix(seconds, 0).UTC()}
	if tag, err := output(ctx, nil, "git", "describe", "--tags", "--exact-match"); err == nil {
		c.version = strings.TrimSpace(tag)
	}
	return c, nil
}

// build compiles the program. Its version comes from the commit, which Go
// stamps by itself.
func build(ctx context.Context, sys system, out string) error {
	_, err := output(ctx, []string{"GOOS=" + sys.os, "GOARCH=" + sys.arch, "GOFLAGS="},
		"go", "build", "-trimpath", "-buildvcs=true", "-tags", tags, "-ldflags=-s -w -buildid=", "-o", out, "./cmd/pakbox")
	return err
}

// output runs a program and returns what it prints. Of the settings that
// could change a build, none are inherited.
func output(ctx context.Context, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "TZ=UTC", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
	cmd.Env = append(cmd.Env, env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return string(out), err
}

// pack builds the program of one system and lists the files of its archive.
func pack(ctx context.Context, work string, sys system, extras []file) ([]file, error) {
	name := "pakbox"
	if sys.os == "windows" {
		name += ".exe"
	}
	path := filepath.Join(work, name)
	if err := build(ctx, sys, path); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	licences, err := thirdParty(ctx, sys, "./cmd/pakbox")
	if err != nil {
		return nil, err
	}
	files := append([]file{{name, 0o755, data}, {"LICENSES-OF-OTHERS.txt", 0o644, licences}}, extras...)
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// makeExtras makes what is the same for every system, with a program for this
// one.
func makeExtras(ctx context.Context, work string) (files []file, err error) {
	program := filepath.Join(work, "host")
	if err := build(ctx, system{runtime.GOOS, runtime.GOARCH}, program); err != nil {
		return nil, err
	}
	// Go stamps the commit only where it understands the checkout, and says
	// nothing where it does not.
	if version, err := output(ctx, nil, program, "version", "--json"); err != nil || !strings.Contains(version, `"revision":"`) {
		return nil, errors.Join(err, errors.New("go build found no commit to stamp the version from: build in a clone, not in a linked worktree"))
	}
	for shell, name := range map[string]string{"bash": "pakbox.bash", "zsh": "_pakbox", "fish": "pakbox.fish", "powershell": "pakbox.ps1"} {
		script, err := output(ctx, nil, program, "completion", shell)
		if err != nil {
			return nil, err
		}
		files = append(files, file{"completions/" + name, 0o644, []byte(script)})
	}
	man := filepath.Join(work, "man")
	if _, err := output(ctx, nil, program, "man", "--dir", man); err != nil {
		return nil, err
	}
	pages, err := filepath.Glob(filepath.Join(man, "*"))
	if err != nil {
		return nil, err
	}
	for _, page := range append(pages, "LICENSE", "README.md", "SECURITY.md", "CHANGELOG.md") {
		data, err := os.ReadFile(page)
		if err != nil {
			return nil, err
		}
		name := page
		if filepath.Dir(page) == man {
			name = "man/man1/" + filepath.Base(page)
		}
		files = append(files, file{name, 0o644, data})
	}
	return files, nil
}

// thirdParty collects the licences of everything that is linked into the
// program, which ask to be handed on with it.
func thirdParty(ctx context.Context, sys system, program string) ([]byte, error) {
	env := []string{"GOOS=" + sys.os, "GOARCH=" + sys.arch, "GOFLAGS="}
	list, err := output(ctx, env, "go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", program)
	if err != nil {
		return nil, err
	}
	goroot, err := output(ctx, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	modules := append(strings.Split(list, "\n"), "Go "+runtime.Version()+" "+strings.TrimSpace(goroot))
	slices.Sort(modules)
	var b bytes.Buffer
	b.WriteString("pakbox contains the works below. Their licences:\n")
	for _, m := range slices.Compact(modules) {
		fields := strings.Fields(m)
		if len(fields) != 3 {
			continue
		}
		texts, err := licenceFiles(fields[2])
		if err != nil {
			return nil, err
		}
		if len(texts) == 0 {
			return nil, fmt.Errorf("%s has no licence file", fields[0])
		}
		fmt.Fprintf(&b, "\n%s\n%s %s\n\n", strings.Repeat("=", 72), fields[0], fields[1])
		for _, name := range texts {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			b.Write(text)
		}
	}
	scripts, err := os.ReadFile(filepath.Join("internal", "web", "shell", "vendor", "LICENSES.txt"))
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, "\n%s\nThe scripts of the explorer\n\n%s", strings.Repeat("=", 72), scripts)
	return b.Bytes(), nil
}

// licenceFiles lists the licences of a module. What it carries besides code has
// its own: typefaces.
func licenceFiles(dir string) (texts []string, err error) {
	for _, pattern := range []string{"LICEN[SC]E*", "font/gofont/ttfs/README"} {
		some, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		texts = append(texts, some...)
	}
	return texts, nil
}
