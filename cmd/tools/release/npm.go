package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// npmSystems are Node's names for Go's systems. A static program needs neither glibc nor
// musl.
var npmSystems = map[string][2]string{
	"linux/amd64": {"linux", "x64"}, "linux/arm64": {"linux", "arm64"},
	"darwin/amd64": {"darwin", "x64"}, "darwin/arm64": {"darwin", "arm64"},
	"windows/amd64": {"win32", "x64"}, "windows/arm64": {"win32", "arm64"},
}

// makeNPM makes the folder of the JavaScript package: the module, the site's worker with
// pakbox as WebAssembly, and the reader of maps alone. site is the folder of the static
// site.
func makeNPM(dir, site, version string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("clients", "npm"))); err != nil {
		return err
	}
	for _, name := range []string{"worker.js", "start.js", "wasm_exec.js", "brotli.js", "brotli.wasm.gz", "unpack.js", "pakbox.wasm.br", "lite.wasm.br"} {
		data, err := os.ReadFile(filepath.Join(site, name))
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, "wasm", name), data); err != nil {
			return err
		}
	}
	var optional []string
	for _, node := range npmSystems {
		optional = append(optional, fmt.Sprintf("    \"@pakbox/%s-%s\": %q", node[0], node[1], version))
	}
	slices.Sort(optional)
	manifest, err := os.ReadFile(filepath.Join("clients", "npm", "package.json"))
	if err != nil {
		return err
	}
	// Node takes the first condition of exports that holds, so their order must stay.
	manifest = bytes.Replace(manifest, []byte(`"version": "0.0.0",`),
		[]byte(`"version": "`+version+"\",\n  \"optionalDependencies\": {\n"+strings.Join(optional, ",\n")+"\n  },"), 1)
	// The folder wasm has classic scripts; the rest are modules.
	if err := write(filepath.Join(dir, "wasm", "package.json"), []byte("{}\n")); err != nil {
		return err
	}
	return writeManifest(dir, manifest)
}

// npmName returns the name of a platform in package names, such as linux-x64.
func npmName(system string) string { return npmSystems[system][0] + "-" + npmSystems[system][1] }

// makeNPMSystem makes the folder of the package with the program for one platform.
// Installing it runs no script.
func makeNPMSystem(dir, program, system, version string) error {
	node, name := npmSystems[system], npmName(system)
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	target := filepath.Join(dir, "bin", filepath.Base(program))
	if err := write(target, data); err != nil {
		return err
	}
	if err := os.Chmod(target, 0o755); err != nil {
		return err
	}
	manifest, err := json.MarshalIndent(map[string]any{
		"name": "@pakbox/" + name, "version": version, "description": "The command pakbox for " + strings.ReplaceAll(name, "-", " "),
		"license": "SEE LICENSE IN LICENSE", "os": node[:1], "cpu": node[1:], "preferUnplugged": true,
	}, "", "  ")
	if err != nil {
		return err
	}
	return writeManifest(dir, append(manifest, '\n'))
}

// writeManifest writes package.json, and the licence beside it.
func writeManifest(dir string, manifest []byte) error {
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	if err := write(filepath.Join(dir, "LICENSE"), licence); err != nil {
		return err
	}
	return write(filepath.Join(dir, "package.json"), manifest)
}

// onlyNPM makes only the packages for JavaScript.
func onlyNPM(ctx context.Context, out, only string) error {
	out = filepath.Join(out, "npm")
	version, err := eachProgram(ctx, only, func(program, system, version string) error {
		return makeNPMSystem(filepath.Join(out, npmName(system)), program, system, version)
	})
	if err != nil {
		return err
	}
	site, err := os.MkdirTemp("", "pakbox-npm-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(site)
	if _, err := output(ctx, "", "sh", "cmd/tools/run", "site", "-o", site); err != nil {
		return err
	}
	return makeNPM(filepath.Join(out, "pakbox"), site, version)
}

// packNPM packs the folder of a package as npm does: below "package", in a .tgz.
func packNPM(out, dir, name, version string, at time.Time) error {
	var b bytes.Buffer
	if err := packTar(&b, dir, "package", at); err != nil {
		return err
	}
	return write(filepath.Join(out, name+"-"+version+".tgz"), b.Bytes())
}
