// Dist makes the files for people who use pakbox: for every system an archive
// with the static program, completions, manual pages, licences, bill of materials and
// README, for Linux also a Debian package (made by nfpm), packages for Python and Node, the
// explorer as a static site, and one list of checksums.
//
// The same commit gives the same bytes on every machine with the same Go. The
// program is built without paths (-trimpath); names, order, times and owners in
// the archives are fixed. check.sh proves that.
//
//	make dist          into dist/
//	make dist-check
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// systems are the systems for which the program is built, in Go's names.
var systems = []string{
	"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64",
	"windows/amd64", "windows/arm64", "freebsd/amd64", "freebsd/arm64",
}

// nfpm makes Debian packages. Later versions need modules that the module proxy
// does not have.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2"

//go:embed nfpm.yaml
var packageConfig string

func main() {
	out := flag.String("o", "dist", "folder for the archives; its old content is removed")
	only := flag.String("only", "", "build for one system, such as linux/amd64, and no site")
	wheels := flag.Bool("wheels", false, "make only the wheels for Python, of the files as they are")
	npm := flag.Bool("npm", false, "make only the packages for JavaScript, of the files as they are")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run := dist
	switch {
	case *wheels:
		run = onlyWheels
	case *npm:
		run = onlyNPM
	}
	if err := run(ctx, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// dist builds the commit of the checkout in which it runs.
func dist(ctx context.Context, out, only string) error {
	version, at, err := head(ctx)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "pakbox-dist-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(out, 0o777)); err != nil {
		return err
	}
	if only != "" {
		systems = []string{only}
	}
	common := filepath.Join(work, "common")
	if err := makeCommon(ctx, common); err != nil {
		return err
	}
	for _, system := range systems {
		name := "pakbox-" + version + "-" + strings.ReplaceAll(system, "/", "-")
		dir := filepath.Join(work, name)
		if err := makeSystem(ctx, dir, common, system); err != nil {
			return err
		}
		if err := pack(out, dir, at); err != nil {
			return err
		}
		if wheelTags[system] != nil {
			if err := makePackages(out, work, programIn(dir, system), system, packageVersion(version), at); err != nil {
				return err
			}
		}
		if arch, ok := strings.CutPrefix(system, "linux/"); ok {
			if err := makeDeb(ctx, out, dir, strings.TrimPrefix(version, "v"), arch, at); err != nil {
				return err
			}
		}
	}
	if only == "" {
		site, npm := filepath.Join(work, "pakbox-"+version+"-site"), filepath.Join(work, "npm")
		if err := makeSite(ctx, out, site, at); err != nil {
			return err
		}
		if err := makeNPM(npm, site, packageVersion(version)); err != nil {
			return err
		}
		if err := packNPM(out, npm, "pakbox-npm", packageVersion(version), at); err != nil {
			return err
		}
	}
	return sums(out)
}

// makePackages makes the Python and Node packages for one system's program.
func makePackages(out, work, program, system, version string, at time.Time) error {
	if _, err := makeWheel(out, program, system, version); err != nil {
		return err
	}
	dir := filepath.Join(work, "npm-"+npmName(system))
	if err := makeNPMSystem(dir, program, system, version); err != nil {
		return err
	}
	return packNPM(out, dir, "pakbox-npm-"+npmName(system), version, at)
}

// onlyWheels makes only the wheels, even with uncommitted changes.
func onlyWheels(ctx context.Context, out, only string) error {
	_, err := eachProgram(ctx, only, func(program, system, version string) error {
		name, err := makeWheel(out, program, system, version)
		fmt.Println(name)
		return err
	})
	return err
}

// eachProgram builds the program for every system that the packages of other languages
// support, and calls f with each.
func eachProgram(ctx context.Context, only string, f func(program, system, version string) error) (version string, err error) {
	date, err := output(ctx, "", "git", "log", "-1", "--format=%cd", "--date=format-local:%Y%m%d")
	if err != nil {
		return "", err
	}
	version = packageVersion(strings.TrimSpace(date))
	work, err := os.MkdirTemp("", "pakbox-programs-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	for _, system := range systems {
		if wheelTags[system] == nil || only != "" && only != system {
			continue
		}
		program := programIn(filepath.Join(work, strings.ReplaceAll(system, "/", "-")), system)
		if err := build(ctx, system, program); err != nil {
			return "", err
		}
		if err := f(program, system, version); err != nil {
			return "", err
		}
	}
	return version, nil
}

// head returns the version and the time of the checked-out commit. Uncommitted changes
// are an error, because nobody could repeat the build.
func head(ctx context.Context) (version string, at time.Time, err error) {
	if changed, err := output(ctx, "", "git", "status", "--porcelain"); err != nil || changed != "" {
		return "", at, errors.Join(err, errors.New("there are changes that are not committed:\n"+changed))
	}
	fields, err := output(ctx, "", "git", "log", "-1", "--format=%ct %cd-%h", "--date=format-local:%Y%m%d", "--abbrev=12")
	if err != nil {
		return "", at, err
	}
	var seconds int64
	if _, err := fmt.Sscan(fields, &seconds, &version); err != nil {
		return "", at, err
	}
	if tag, err := output(ctx, "", "git", "describe", "--tags", "--exact-match"); err == nil {
		version = strings.TrimSpace(tag)
	}
	return version, time.Unix(seconds, 0).UTC(), nil
}

// build compiles the program for a system. Go stamps the version from the commit.
// The build tag leaves out HTTP/2, which browsers use with TLS only.
func build(ctx context.Context, system, out string) error {
	_, err := output(ctx, system, "go", "build", "-trimpath", "-buildvcs=true", "-tags", "nethttpomithttp2", "-ldflags=-s -w -buildid=", "-o", out, "./cmd/pakbox")
	return err
}

// output runs a program and returns its output. It overrides settings of this machine
// that could change a build.
func output(ctx context.Context, system, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "TZ=UTC", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
	if goos, goarch, ok := strings.Cut(system, "/"); ok {
		cmd.Env = append(cmd.Env, "GOOS="+goos, "GOARCH="+goarch)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return string(out), err
}

// makeCommon makes the files that are the same for every system: completions,
// manual pages and documents.
func makeCommon(ctx context.Context, dir string) error {
	program := dir + "-host"
	if err := build(ctx, runtime.GOOS+"/"+runtime.GOARCH, program); err != nil {
		return err
	}
	// Go does not stamp the commit where it does not understand the checkout, and
	// gives no error.
	if version, err := output(ctx, "", program, "version", "--json"); err != nil || !strings.Contains(version, `"revision":"`) {
		return errors.Join(err, errors.New("go build found no commit to stamp the version from: build in a clone, not in a linked worktree"))
	}
	if _, err := output(ctx, "", program, "man", "--dir", filepath.Join(dir, "man", "man1")); err != nil {
		return err
	}
	for shell, name := range map[string]string{"bash": "pakbox.bash", "zsh": "_pakbox", "fish": "pakbox.fish", "powershell": "pakbox.ps1"} {
		script, err := output(ctx, "", program, "completion", shell)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, "completions", name), []byte(script)); err != nil {
			return err
		}
	}
	for _, name := range []string{"LICENSE", "README.md", "SECURITY.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, name), data); err != nil {
			return err
		}
	}
	return nil
}

// programIn returns the path of the program for a system in a folder.
func programIn(dir, system string) string {
	if strings.HasPrefix(system, "windows/") {
		return filepath.Join(dir, "pakbox.exe")
	}
	return filepath.Join(dir, "pakbox")
}

// makeSystem makes the folder that becomes the archive of one system.
func makeSystem(ctx context.Context, dir, common, system string) error {
	if err := os.CopyFS(dir, os.DirFS(common)); err != nil {
		return err
	}
	if err := build(ctx, system, programIn(dir, system)); err != nil {
		return err
	}
	licences, err := thirdParty(ctx, system, "./cmd/pakbox")
	if err != nil {
		return err
	}
	bill, err := billOfMaterials(programIn(dir, system))
	if err != nil {
		return err
	}
	return errors.Join(write(filepath.Join(dir, "LICENSES-OF-OTHERS.txt"), licences), write(filepath.Join(dir, "sbom.cdx.json"), bill))
}

// makeSite makes the archive of the explorer that needs no server.
func makeSite(ctx context.Context, out, dir string, at time.Time) error {
	if _, err := output(ctx, "", "sh", "cmd/tools/run", "site", "-o", dir); err != nil {
		return err
	}
	licences, err := thirdParty(ctx, "js/wasm", "./cmd/internal/page/site")
	if err != nil {
		return err
	}
	if err := write(filepath.Join(dir, "LICENSES-OF-OTHERS.txt"), licences); err != nil {
		return err
	}
	return pack(out, dir, at)
}

// makeDeb lets nfpm make the Debian package of a folder.
func makeDeb(ctx context.Context, out, dir, version, arch string, at time.Time) error {
	values := map[string]string{"VERSION": version, "ARCH": arch, "DIR": dir, "TIME": at.Format(time.RFC3339)}
	config := dir + ".yaml"
	if err := write(config, []byte(os.Expand(packageConfig, func(name string) string { return values[name] }))); err != nil {
		return err
	}
	_, err := output(ctx, "", "go", "run", nfpm, "package", "--config", config, "--packager", "deb", "--target", filepath.Join(out, fmt.Sprintf("pakbox_%s_%s.deb", version, arch)))
	return err
}

// sums writes the checksums of all files in a folder, and prints their sizes.
func sums(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var list bytes.Buffer
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(data), f.Name())
		fmt.Printf("%8.1f MiB  %s\n", float64(len(data))/(1<<20), filepath.Join(dir, f.Name()))
	}
	return write(filepath.Join(dir, "SHA256SUMS"), list.Bytes())
}

func write(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o666)
}
