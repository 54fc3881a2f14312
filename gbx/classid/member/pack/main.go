// Pack makes members.deflate, which the package embeds, from members.txt.
package main

import (
	"bytes"
	"compress/flate"
	"log"
	"os"
)

func main() {
	if err := pack("members.txt", "members.deflate"); err != nil {
		log.Fatal(err)
	}
}

func pack(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return err
	}
	return os.WriteFile(to, out.Bytes(), 0o644)
}
