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

// libraryFlag makes this program do one library call for each of some files,
// one after the other, so that it can be measured as a process.
const libraryFlag = "-library"

// calls are the library calls that rows measure.
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
		_, err := decode(path)
		return err
	},
	"save": func(path string) error {
		return save(path, lzo1x.Fast)
	},
	"save-best": func(path string) error {
		return save(path, lzo1x.Best)
	},
	"identity": func(path string) error {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := gbx.Parse(data, engine.Registry())
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

func decode(path string) (*gbx.File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return gbx.Parse(data, engine.Registry())
}

// save codes the file anew, as after an edit: every chunk, and the body is
// compressed again.
func save(path string, level lzo1x.Level) error {
	f, err := decode(path)
	if err != nil {
		return err
	}
	f.SetCompression(true, level)
	_, err = f.WriteTo(io.Discard)
	return err
}

func runLibrary(name string, files []string) error {
	call, ok := calls[name]
	if !ok {
		return fmt.Errorf("there is no library call %q", name)
	}
	done := 0
	for _, path := range files {
		if err := call(path); err != nil {
			return err
		}
		done++
	}
	fmt.Printf("done %d\n", done)
	return nil
}

// library is a row's command for a library call.
func (b *bench) library(name string, files []string) command {
	return command{name: "library: " + name, library: true, args: append([]string{b.self, libraryFlag, name}, files...)}
}
