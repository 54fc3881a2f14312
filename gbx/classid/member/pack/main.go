// Pack makes members.deflate, which the package embeds, from members.txt.
package main

import (
	"bytes"
	"compress/flate"
	"log"
	"os"
)

func main() {
	text, err := os.ReadFile("members.txt")
	if err != nil {
		log.Fatal(err)
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("members.deflate", out.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
