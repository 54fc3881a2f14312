package main

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"pakbox/nadeo/pak"
)

// makePNG draws a sheet of cells of 64 pixels, each with a different square in
// it, on the transparent colour of Simutrans: mkpng FILE COLUMNS ROWS.
func makePNG(ts *testscript.TestScript, neg bool, args []string) {
	columns, err := strconv.Atoi(args[1])
	ts.Check(err)
	rows, err := strconv.Atoi(args[2])
	ts.Check(err)
	const cell = 64
	m := image.NewNRGBA(image.Rect(0, 0, columns*cell, rows*cell))
	for y := range rows * cell {
		for x := range columns * cell {
			c := color.NRGBA{231, 255, 255, 255}
			i, inX, inY := y/cell*columns+x/cell, x%cell, y%cell
			if inX >= 20 && inX < 30+i && inY >= 30 && inY < 40 {
				c = color.NRGBA{200, uint8(i * 16), 40, 255}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	var b bytes.Buffer
	ts.Check(png.Encode(&b, m))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o666))
}

// makeGBX writes a GBX of a made-up class that refers to files: mkgbx FILE
// REFERENCE... A number is a resource.
func makeGBX(ts *testscript.TestScript, neg bool, args []string) {
	b := []byte("GBX\x06\x00BUUR")
	u32 := func(v int) { b = binary.LittleEndian.AppendUint32(b, uint32(v)) }
	refs := args[1:]
	u32(0x3e001000)
	u32(0) // no user data
	u32(1 + len(refs))
	u32(len(refs))
	if len(refs) > 0 {
		u32(0) // levels up
		u32(0) // folders
	}
	for i, ref := range refs {
		index, err := strconv.Atoi(ref)
		if err == nil {
			u32(4)
			u32(index)
		} else {
			u32(1)
			u32(len(ref))
			b = append(b, ref...)
		}
		u32(i + 1)
		u32(1) // useFile
		if err != nil {
			u32(0) // of the root folder
		}
	}
	u32(0xfacade01)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o666))
}

// makePacklist writes a packlist.dat: mkpacklist FILE NAME=KEY...
func makePacklist(ts *testscript.TestScript, neg bool, args []string) {
	list := &pak.Packlist{Version: 1, Salt: 7}
	for _, arg := range args[1:] {
		name, key, _ := strings.Cut(arg, "=")
		ts.Check(list.Set(name, key))
	}
	data, err := list.Append(nil, pak.TrackMania)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}
