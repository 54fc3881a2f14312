package mapsample

import (
	"testing"

	"pakbox/gbx"
	"pakbox/gbx/engine"
	"pakbox/nadeo/maps"
)

// New returns the sample as a map, or ends the test.
func New(tb testing.TB) *maps.Map {
	tb.Helper()
	data, err := Map()
	if err != nil {
		tb.Fatal(err)
	}
	return Parsed(tb, data)
}

// Parsed reads the bytes of a map, or ends the test.
func Parsed(tb testing.TB, data []byte) *maps.Map {
	tb.Helper()
	f, err := gbx.Parse(data, engine.Registry())
	if err != nil {
		tb.Fatal(err)
	}
	m, err := maps.Of(f)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}
