// Site makes the static site: the explorer's page, and pakbox as WebAssembly, which
// answers it in a worker. Any file server can serve it.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"

	"pakbox"
	explore "pakbox/cmd/internal/page"
	"pakbox/cmd/internal/page/web"
)

func main() {
	out := flag.String("o", "site", "the `folder` that the site is written to")
	quick := flag.Bool("quick", false, "compress quickly and not well, to try the site out")
	lite := flag.Bool("lite", false, "write only lite.wasm.br: the readers of maps alone")
	flag.Parse()
	quality := brotli.BestCompression
	if *quick {
		quality = 4
	}
	run := build
	if *lite {
		run = buildLite
	}
	if err := run(*out, quality); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func build(out string, quality int) error {
	if err := copyShell(out); err != nil {
		return err
	}
	page := filepath.Join("cmd", "internal", "page", "site", "page")
	for from, to := range map[string]string{"start.js": "start.js", "worker.js": "worker.js", "glance.js": "glance.js", "brotli.js": "brotli.js", "unpack.js": "unpack.js", "offline.js": "offline.js", "database.js": "database.js", "sqlite.js": "sqlite.js", "transport.js": "lib/transport.js", "header.js": "lib/header.js"} {
		if err := copyFile(filepath.Join(page, from), filepath.Join(out, to)); err != nil {
			return err
		}
	}
	if err := linkShell(out); err != nil {
		return err
	}
	if err := packDecoder(filepath.Join(page, "brotli.wasm"), filepath.Join(out, "brotli.wasm.gz")); err != nil {
		return err
	}
	sqlite, err := os.ReadFile(filepath.Join(page, "sqlite.wasm"))
	if err != nil {
		return err
	}
	if err := pack(sqlite, filepath.Join(out, "sqlite.wasm.br"), quality); err != nil {
		return err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	if err := copyFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"), filepath.Join(out, "wasm_exec.js")); err != nil {
		return err
	}
	if err := writeHome(filepath.Join(out, "home.json")); err != nil {
		return err
	}
	if err := buildLite(out, quality); err != nil {
		return err
	}
	if err := program("./cmd/internal/page/site", filepath.Join(out, "pakbox.wasm.br"), quality); err != nil {
		return err
	}
	return listFiles(out)
}

// writeHome writes the answer to the question home before any file was dropped, so that
// the first screen does not wait for the program.
func writeHome(name string) error {
	files, err := explore.NewFiles(nil)
	if err != nil {
		return err
	}
	explorer := explore.New(explore.Options{Files: files, Formats: pakbox.Formats(), OpenIndex: noIndex})
	defer explorer.Close()
	answer := explorer.Ask(context.Background(), explore.Request{Name: "home"})
	data, err := answer.Read()
	if err == nil && answer.Status != explore.OK {
		err = fmt.Errorf("home: %s", data)
	}
	if err != nil {
		return err
	}
	return writeFile(name, data)
}

// noIndex replaces the function that opens an index, because home only shows whether
// one is open.
func noIndex(context.Context, string) (explore.Collection, error) { return nil, errors.ErrUnsupported }

// buildLite writes the program for pages that need only facts and thumbnails of maps.
func buildLite(out string, quality int) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	return program("./cmd/lite/wasm", filepath.Join(out, "lite.wasm.br"), quality)
}

// listFiles writes files.json, the list of files that the site keeps for visits
// without a network.
func listFiles(out string) error {
	list := []string{}
	err := fs.WalkDir(os.DirFS(out), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && name != "files.json" && name != "offline.js" {
			list = append(list, name)
		}
		return err
	})
	if err != nil {
		return err
	}
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(out, "files.json"), data)
}

// copyShell writes the page, with its security policy inside.
func copyShell(out string) error {
	shell := os.DirFS(filepath.Join("cmd", "internal", "page", "web", "shell"))
	return fs.WalkDir(shell, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(shell, name)
		if err != nil {
			return err
		}
		if name == "index.html" {
			data = bytes.Replace(data, []byte("<head>\n"), []byte("<head>\n<meta http-equiv=\"Content-Security-Policy\" content=\""+web.Policy+"\">\n"), 1)
		}
		return writeFile(filepath.Join(out, filepath.FromSlash(name)), data)
	})
}

// linkShell joins the modules of the first screen into one file, as pakbox serve does.
func linkShell(out string) error {
	made, err := web.Link(os.DirFS(out))
	if err != nil {
		return err
	}
	for name, data := range made {
		if err := writeFile(filepath.Join(out, filepath.FromSlash(name)), data); err != nil {
			return err
		}
	}
	return nil
}

// packDecoder compresses the decoder of Brotli with gzip, which every browser unpacks.
func packDecoder(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return writeFile(to, b.Bytes())
}

// program builds a package for the browser and compresses it. Functions are not
// inlined: that makes the download a sixth smaller, and Brotli in place of gzip
// makes it another quarter smaller.
func program(source, out string, quality int) error {
	wasm := out + ".tmp"
	defer os.Remove(wasm)
	lean, err := os.MkdirTemp("", "pakbox-site-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(lean)
	modules, overlay, err := withoutHTTP(lean)
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "build", "-modfile", modules, "-overlay", overlay, "-trimpath", "-gcflags=all=-l", "-ldflags=-s -w", "-o", wasm, source)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	data, err := os.ReadFile(wasm)
	if err != nil {
		return err
	}
	return pack(data, out, quality)
}

// pack writes a program for the browser, compressed.
func pack(data []byte, out string, quality int) error {
	var b bytes.Buffer
	z := brotli.NewWriterOptions(&b, brotli.WriterOptions{Quality: quality, LGWin: 24}) // the largest window
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes, %d before compression\n", out, b.Len(), len(data))
	return writeFile(out, b.Bytes())
}

// withoutHTTP writes a go.mod into a folder, and beside it an overlay in which the module
// of Brotli lacks its one file for HTTP servers. With that file, a sixteenth of the download
// would be net/http and TLS, which nothing here uses. The program states the place of the
// module, so that is a folder which exists only in the overlay, the same in every build.
func withoutHTTP(dir string) (modules, overlay string, err error) {
	const module, place = "github.com/andybalholm/brotli", "./cmd/internal/page/site/brotli"
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return "", "", err
	}
	from := strings.TrimSpace(string(out))
	to, err := filepath.Abs(place)
	if err != nil {
		return "", "", err
	}
	var files struct{ Replace map[string]string }
	files.Replace = map[string]string{}
	err = fs.WalkDir(os.DirFS(from), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files.Replace[filepath.Join(to, name)] = filepath.Join(from, name)
		}
		return err
	})
	if err != nil {
		return "", "", err
	}
	for _, name := range []string{"http.go", "http_test.go"} {
		name = filepath.Join(to, name)
		if files.Replace[name] == "" {
			return "", "", fmt.Errorf("%s has no %s any more", module, filepath.Base(name))
		}
		delete(files.Replace, name)
	}
	data, err := json.Marshal(files)
	if err != nil {
		return "", "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	if err := writeFile(overlay, data); err != nil {
		return "", "", err
	}
	for _, name := range []string{"mod", "sum"} {
		if err := copyFile("go."+name, filepath.Join(dir, "site."+name)); err != nil {
			return "", "", err
		}
	}
	modules = filepath.Join(dir, "site.mod")
	return modules, overlay, exec.Command("go", "mod", "edit", "-replace="+module+"="+place, modules).Run()
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return writeFile(to, data)
}

func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o666)
}
