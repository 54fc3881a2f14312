package walk

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pakbox/internal/testkit/peer"
)

// The accessibility checker is axe-core, fetched as the package manager of
// JavaScript has it and checked against its hash. It is not kept here: its
// licence is not that of the project.
const (
	axeName = "axe-core"
	axeIs   = "4.14.0"
	axeHash = "sha512-9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ=="
)

var axeScript struct {
	sync.Mutex
	text string
}

// axe is the checker's script.
func axe(t *testing.T) string {
	t.Helper()
	axeScript.Lock()
	defer axeScript.Unlock()
	if axeScript.text != "" {
		return axeScript.text
	}
	data := axePackage(t)
	sum := sha512.Sum512(data)
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum[:]); got != axeHash {
		t.Fatalf("%s %s has the hash %s", axeName, axeIs, got)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if h.Name == "package/axe.min.js" {
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			axeScript.text = string(text)
			return axeScript.text
		}
	}
}

// axePackage is the package's archive, which is kept where programs keep what
// can be fetched again.
func axePackage(t *testing.T) []byte {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "pakbox-tests")
	file := filepath.Join(dir, axeName+"-"+axeIs+".tgz")
	if data, err := os.ReadFile(file); err == nil {
		return data
	}
	npm := peer.Program(t, "npm", "npm")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(npm, "pack", "--silent", "--pack-destination", dir, axeName+"@"+axeIs).CombinedOutput(); err != nil {
		peer.Missing(t, "%s cannot be had: %v %s", axeName, err, out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// accessible fails if the checker finds anything on the page.
func (p *tab) accessible(screen string) {
	p.Helper()
	if !eval[bool](p, "typeof axe === 'object'") {
		eval[any](p, axe(p.T)+"; null")
	}
	found := eval[[]string](p, `axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations
		.flatMap((v) => v.nodes.slice(0, 4).map((n) => v.id + ": " + n.html.slice(0, 200) + " | " + n.failureSummary.replaceAll("\n", " "))))`)
	if len(found) > 0 {
		p.Errorf("%s:\n%s", screen, strings.Join(found, "\n"))
	}
}
