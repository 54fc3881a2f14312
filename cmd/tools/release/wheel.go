package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// wheelTags are Python's names for the platforms of a program. A static program needs
// neither glibc nor musl.
var wheelTags = map[string][]string{
	"linux/amd64":   {"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"},
	"linux/arm64":   {"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"},
	"darwin/amd64":  {"macosx_10_12_x86_64"},
	"darwin/arm64":  {"macosx_11_0_arm64"},
	"windows/amd64": {"win_amd64"},
	"windows/arm64": {"win_arm64"},
}

// packageVersion converts a version for Python and npm: that of a tag such as v1.2.0, or
// 0.0.DATE for a commit without a tag.
func packageVersion(version string) string {
	if tag := regexp.MustCompile(`^v(\d+\.\d+\.\d+)$`).FindStringSubmatch(version); tag != nil {
		return tag[1]
	}
	date, _, _ := strings.Cut(version, "-")
	return "0.0." + date
}

// makeWheel makes a Python wheel of the package in clients/python and a program:
// a zip with fixed names, order and times. pip puts the program beside Python.
func makeWheel(out, program, system, version string) (string, error) {
	info := "pakbox-" + version + ".dist-info/"
	tags := wheelTags[system]
	files := map[string][]byte{
		info + "METADATA": []byte("Metadata-Version: 2.1\nName: pakbox\nVersion: " + version +
			"\nSummary: Open, explain, check and change the files of games: maps, replays, items, packs\nLicense: see LICENSE\nRequires-Python: >=3.9\n"),
		info + "WHEEL": []byte("Wheel-Version: 1.0\nGenerator: pakbox\nRoot-Is-Purelib: false\nTag: py3-none-" + strings.Join(tags, "\nTag: py3-none-") + "\n"),
	}
	sources, err := filepath.Glob(filepath.Join("clients", "python", "pakbox", "*.py*"))
	if err != nil {
		return "", err
	}
	for _, name := range append(sources, "LICENSE", program) {
		data, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		base := filepath.Base(name)
		switch {
		case name == program && strings.HasPrefix(system, "windows/"):
			files["pakbox-"+version+".data/scripts/pakbox.exe"] = data
		case name == program:
			files["pakbox-"+version+".data/scripts/pakbox"] = data
		case name == "LICENSE":
			files[info+"LICENSE"] = data
		case base != "__pycache__":
			files["pakbox/"+base] = data
		}
	}
	name := filepath.Join(out, "pakbox-"+version+"-py3-none-"+strings.Join(tags, ".")+".whl")
	var b bytes.Buffer
	if err := packWheel(&b, files, info+"RECORD"); err != nil {
		return "", err
	}
	return name, write(name, b.Bytes())
}

// packWheel writes the zip of a wheel, with the list of its files last.
func packWheel(w io.Writer, files map[string][]byte, record string) error {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	var names []string
	var list bytes.Buffer
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		sum := sha256.Sum256(files[name])
		fmt.Fprintf(&list, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(files[name]))
	}
	fmt.Fprintf(&list, "%s,,\n", record)
	files[record] = list.Bytes()
	for _, name := range append(names, record) {
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(0o644)
		if strings.Contains(path.Dir(name), ".data/scripts") {
			h.SetMode(0o755)
		}
		dst, err := z.CreateHeader(h)
		if err == nil {
			_, err = dst.Write(files[name])
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}
