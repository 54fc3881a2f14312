package compile_test

import (
	"testing"

	"pakbox/simutrans/compile"
	"pakbox/simutrans/object"
)

// FuzzSource: any source gives objects, or errors that say where.
func FuzzSource(f *testing.F) {
	for _, obj := range object.Capabilities() {
		f.Add([]byte("obj=" + obj + "\nname=a\nwaytype=road\nmapcolor=3\nimage[-]=-\nimage[0-3][0-1]=-\nspeed[0-1]=5\nwaytype[0-1]=road\nopenimage[ns,ew][0]=-\n"))
	}
	f.Add([]byte("#pakbox BUIL=5 IMG=1\nobj=building\nname=b\ntype=res\ndims=3,2,4\nlevel=0\nbackimage[0][0][0][0][0]=-\n"))
	f.Add([]byte("#pakbox file 1001 \"x\\n\"\n#pakbox node 000.PIER body=00\n#pakbox node 000.PIER/000.TEXT body=6100\n#pakbox node 000.PIER/001.IMG image=image[1]\nobj=pier\nname=a\nimage[1]=-\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		for _, target := range object.Targets() {
			c, err := compile.NewCompiler(target, 0)
			if err != nil {
				t.Fatal(err)
			}
			s := c.Source("x.dat", "/nonexistent", src)
			for _, p := range s.Problems {
				if p.File == "" || p.Line == 0 || p.Message == "" {
					t.Fatalf("a problem without its place: %+v", p)
				}
			}
		}
	})
}
