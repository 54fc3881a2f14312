package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"pakbox/codec/lzo1x"
	"pakbox/gbx"
	"pakbox/gbx/engine"
)

// calls are the library calls in rows.txt, each for one file.
var calls = map[string]func(path string) error{
	"header": func(path string) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		_, err = gbx.ReadHeader(f, info.Size(), engine.Registry())
		return err
	},
	"decode": func(path string) error {
		_, _, err := decode(path)
		return err
	},
	"save":      func(path string) error { return save(path, lzo1x.Fast) },
	"save-best": func(path string) error { return save(path, lzo1x.Best) },
	"identity": func(path string) error {
		f, data, err := decode(path)
		if err != nil {
			return err
		}
		again, err := f.Encode()
		if err == nil && !bytes.Equal(again, data) {
			err = fmt.Errorf("%s is saved differently", path)
		}
		return err
	},
}

func decode(path string) (*gbx.File, []byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	f, err := gbx.Parse(data, engine.Registry())
	return f, data, err
}

// save encodes a file again, as after an edit: every chunk is written, and the body is
// compressed.
func save(path string, level lzo1x.Level) error {
	f, _, err := decode(path)
	if err != nil {
		return err
	}
	f.SetCompression(true, level)
	_, err = f.WriteTo(io.Discard)
	return err
}

// runLibrary runs a call for some files, one after the other.
func runLibrary(args []string) error {
	call, ok := calls[args[0]]
	if !ok {
		return fmt.Errorf("unknown library call %q", args[0])
	}
	for _, path := range args[1:] {
		if err := call(path); err != nil {
			return err
		}
	}
	fmt.Printf("done %d\n", len(args)-1)
	return nil
}
