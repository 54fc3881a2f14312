package shapes

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"pakbox/gbx"
	"pakbox/nadeo/blocks"
)

// Substitute returns a stand-in for a block that is not in the catalogue. Its heights come
// from recorded cars on this block or on its kin, or from blocks whose names begin alike.
// It returns nil for blocks that players made, and in environments of which nothing is
// known.
func Substitute(environment, name string) *blocks.Block {
	if _, ok := lessonsOf(environment).bases()[""]; !ok || strings.Contains(name, ".Block.Gbx") {
		return nil
	}
	assumedMu.Lock()
	defer assumedMu.Unlock()
	key := environment + " " + name
	b := assumed[key]
	if b == nil && len(assumed) < maxAssumed {
		b = StandIn(environment, name)
		assumed[key] = b
	}
	return b
}

// assumed holds the stand-ins by environment and name, because each has one surface. Their
// number is limited, because files may name anything.
var (
	assumed   = map[string]*blocks.Block{}
	assumedMu sync.Mutex
)

const maxAssumed = 1 << 12

var curveSize = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`Curve([2-5])`) })

// StandIn makes a block from its name alone. A curve of radius n takes n × n cells, as in
// all environments whose cells are known, and a slope as many as its name gives.
func StandIn(environment, name string) *blocks.Block {
	b := &blocks.Block{Name: name, Environment: environment, Confidence: 'D'}
	if freeLoop(name) {
		b.Family = "loop"
	}
	size := gbx.Int3{X: 1, Y: 1, Z: 1}
	if m := curveSize().FindStringSubmatch(name); m != nil {
		n, _ := strconv.Atoi(m[1])
		size.X, size.Z = int32(n), int32(n)
	} else if c, ok := blocks.ClimbOf(environment, name); ok {
		size.Z = int32(c.Long)
	}
	if size.Z > 1 {
		b.Ground = blocks.Cells{Size: size, Full: true}
		b.Air = b.Ground
	}
	return b
}
