package simutrans_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"

	"pakbox/archive"
	"pakbox/fault"
	"pakbox/simutrans"
	"pakbox/simutrans/check"
	"pakbox/simutrans/compile"
	"pakbox/simutrans/node"
	"pakbox/simutrans/object"
	"pakbox/simutrans/picture"
)

// seeds compiles one small object of every type, and those that Extended has
// otherwise.
func seeds(f *testing.F) {
	addCompiled(f, "60.12",
		"obj=bridge\nname=a\nwaytype=road\nbackimage[ns][0]=> -\nbackimage[ns][1]=-\n",
		"obj=building\nname=a\ntype=res\ndims=2,1\nbackimage[0][0][0][0][0]=> -\n",
		"obj=factory\nname=a\nmapcolor=1\nsmoke=S\nsound=a.wav\ninputgood[0]=I\noutputgood[0]=O\noutputcapacity[0]=99\nfields=F\n",
		"obj=vehicle\nname=a\nwaytype=road\nconstraint[next][0]=none\nemptyimage[s]=-\nfreightimage[0][s]=-\nfreightimagetype[0]=G\n",
		"obj=way\nname=a\nwaytype=road\nimage[-][0]=-\nimage[new2][0]=-\nimageup2[3][0]=-\n",
		"obj=way-object\nname=a\nwaytype=road\nown_waytype=road\n",
		"obj=tunnel\nname=a\nwaytype=road\nway=w\nfrontimage[nl]=-\n",
		"obj=roadsign\nname=a\nwaytype=road\nimage[0-3]=-\n",
		"obj=crossing\nname=a\nwaytype[0]=road\nwaytype[1]=track\nspeed[0-1]=9\nopenimage[ns,ew][0]=-\n",
		"obj=pedestrian\nname=a\nimage[s][0]=-\n", "obj=tree\nname=a\nimage[0-4][0]=-\n",
		"obj=ground_obj\nname=a\nspeed=0\nimage[0][0]=-\n", "obj=good\nname=a\n", "obj=sound\nname=a\nsound_name=x\n",
		"obj=citycar\nname=a\n", "obj=symbol\nname=a\nimage[0]=-\n", "obj=ground\nname=a\nimage[0][0]=-\n",
	)
	addCompiled(f, object.Extended,
		"obj=bridge\nname=a\nwaytype=road\nway=w\n", "obj=building\nname=a\ntype=res\nclass_proportion[0]=1\nbackimage[0][0][0][0][0]=-\n",
		"obj=building\nname=a\ntype=depot\nwaytype=road\ntraction_type[0]=steam\nbackimage[0][0][0][0][0]=-\n",
		"obj=factory\nname=a\nmapcolor=1\nsound=a.wav\nupgrade[0]=U\nbackimage[0][0][0][0][0]=-\n",
		"obj=vehicle\nname=a\nwaytype=road\npayload[0]=1\npayload[1]=2\nupgrade[0]=U\nconstraint[prev][0]=any\nconstraint[next][0]=none\nemptyimage[s]=-\n",
		"obj=vehicle\nname=a\nwaytype=road\npayload=3\nemptyimage[s][0-1]=-\nfreightimage[0][s][0-1]=-\nfreightimagetype[0]=G\nliverytype[0-1]=L\n",
		"obj=way\nname=a\nwaytype=road\nimage[-]=-\nimage[new2]=-\n", "obj=tunnel\nname=a\nwaytype=road\nsubsea_cost=1\nlength_limit=2\nsub_way_cost=3\n",
		"obj=roadsign\nname=a\nwaytype=track\nis_signal=1\nsignal_groups=1,2\nimage[0]=-\n", "obj=good\nname=a\nvalue[0]=1\nnumber_of_classes=2\n",
		"obj=pier\nname=a\nbackimage[00][0][0-1]=-\nbackimage[00][1][0]=-\n",
	)
}

func addCompiled(f *testing.F, target string, sources ...string) {
	c, err := compile.NewCompiler(target, 16)
	if err != nil {
		f.Fatal(err)
	}
	for _, src := range sources {
		s := c.Source("x", "", []byte(src))
		if len(s.Objects) != 1 {
			f.Fatalf("s.Problems = %v; want s.Objects of length 1", s.Problems)
		}
		data, err := s.Objects[0].File().Append(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

// FuzzObject: whatever an object file holds, it can be listed, read, checked
// and shown without more than a typed error.
func FuzzObject(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := archive.Input{ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Name: "x.pak"}
		opened, err := simutrans.Format{}.Open(context.Background(), in, archive.Options{})
		if err != nil {
			if fault.KindOf(err) == "" {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		a := opened.(*simutrans.Archive)
		a.Facts()
		for i := range a.Entries() {
			if r, err := a.OpenEntry(i); err == nil {
				io.Copy(io.Discard, r)
				r.Close()
			} else if fault.KindOf(err) == "" {
				t.Fatalf("untyped error %v", err)
			}
		}
		if _, err := a.Verify(context.Background(), archive.Options{}); err != nil {
			t.Fatal(err)
		}
		var document bytes.Buffer
		document.WriteByte('{')
		if err := errors.Join(a.DumpJSON(&document, archive.Everything), a.DumpText(io.Discard, true)); err != nil {
			t.Fatal(err)
		}
		document.WriteByte('}')
		if !json.Valid(document.Bytes()) {
			t.Fatalf("the document is no JSON: %s", document.Bytes())
		}
		if c, err := a.Coverage(); err != nil || c.Decoded > c.Bytes || c.Decoded < 0 {
			t.Fatalf("c = %+v, err = %v; want no error, c.Decoded at most %v, c.Decoded at least 0", c, err, c.Bytes)
		}
		a.Groups()
		set := &check.Set{}
		for _, o := range a.Objects() {
			picture.Sheet(o.Node, picture.Options{})
			picture.Sprite(o.Node, nil, picture.Options{})
			simutrans.Diff([]*node.Node{o.Node}, []*node.Node{o.Node.Clone()})
			set.Add(o.Node, "x.pak")
		}
		set.Run(nil)
		setEverything(t, a)
	})
}

// setEverything sets every field of every object to what get prints, as text
// and as JSON: the file stays the same, or the field has a reason why it cannot be set.
func setEverything(t *testing.T, a *simutrans.Archive) {
	want, err := a.File.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range a.Objects() {
		d, err := object.Decode(o.Node)
		if err != nil {
			continue
		}
		for _, f := range d.Fields() {
			path, values := o.Folder+"/"+f.Name, []string{f.Text, fmt.Sprint(f.Number())}
			if _, err := a.Get(path); err != nil {
				t.Fatal(err)
			}
			for _, value := range values {
				if edited := setOne(t, a, path, value); edited != nil && !bytes.Equal(edited.Data, want) {
					t.Fatalf("%s=%s changes %+v", path, value, edited.Changes)
				}
			}
		}
		for _, w := range d.Words() {
			setOne(t, a, o.Folder+"/"+w.Key, w.Value)
		}
	}
}

// setOne returns nil if the value cannot be set.
func setOne(t *testing.T, a *simutrans.Archive, path, value string) *archive.Revision {
	edited, err := a.Set([]archive.Assignment{{Path: path, Value: value}})
	var refused *archive.ValueError
	if err != nil && !errors.As(err, &refused) {
		t.Fatalf("err = %v; want no error or err of the type of refused", err)
	}
	return edited
}
