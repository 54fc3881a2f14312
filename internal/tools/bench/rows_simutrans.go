package main

// pak64 is where Debian's package simutrans-pak64 keeps its files.
const pak64 = "/usr/share/games/simutrans/pak"

// simutransRows are about Simutrans objects, beside Debian's makeobj.
func (b *bench) simutransRows() []maker {
	return []maker{
		{"simutrans/list", func(string) (row, error) { return b.objects("list", "list the objects of pak64") }},
		{"simutrans/dump", func(string) (row, error) { return b.objects("dump", "list the nodes of pak64") }},
		{"simutrans/merge", b.objectsMerge},
		{"simutrans/verify", b.objectsVerify},
		{"simutrans/compile-one-core", func(string) (row, error) { return b.compileProject("compile on one core", "--rebuild", "-j", "1") }},
		{"simutrans/compile", func(string) (row, error) { return b.compileProject("compile on all cores", "--rebuild") }},
		{"simutrans/compile-unchanged", func(string) (row, error) { return b.compileProject("compile what has not changed") }},
		{"simutrans/decompile", b.objectsDecompile},
	}
}

// paks are the files of pak64, or where that is not installed those of the
// corpus.
func (b *bench) paks() (files, error) {
	if set, err := find(".pak", pak64); err == nil {
		return set, nil
	}
	return find(".pak", b.corpus+"/simutrans/pak")
}

func (b *bench) makeobj(args ...string) command {
	return peer("makeobj 60.6", b.tools.makeobj, append([]string{"QUIET"}, args...)...)
}

func (b *bench) objects(verb, what string) (row, error) {
	set, err := b.paks()
	return row{
		what: what, bytes: set.bytes, units: len(set.paths),
		ours: b.cli(append([]string{"makeobj", "QUIET", verb}, set.paths...)...),
		refs: []command{b.makeobj(append([]string{verb}, set.paths...)...), reading(set)},
	}, err
}

func (b *bench) objectsMerge(string) (row, error) {
	set, err := b.paks()
	out, theirs := b.path("merged-ours.pak"), b.path("merged-theirs.pak")
	return row{
		what: "merge the objects of pak64 into one file", bytes: set.bytes, units: len(set.paths),
		ours: b.cli(append([]string{"makeobj", "QUIET", "merge", out}, set.paths...)...).with(fresh(out)),
		refs: []command{b.makeobj(append([]string{"merge", theirs}, set.paths...)...).with(fresh(theirs))},
	}, err
}

func (b *bench) objectsVerify(string) (row, error) {
	set, err := b.paks()
	return row{
		what: "verify pak64: decode every descriptor and every pixel, code them again", bytes: set.bytes, units: len(set.paths),
		ours: b.cli(append([]string{"verify"}, set.paths...)...), refs: []command{reading(set)},
	}, err
}

func (b *bench) objectsDecompile(string) (row, error) {
	set, err := b.paks()
	out := b.path("sources")
	return row{
		what: "decompile pak64 to sources and pictures, and prove each", bytes: set.bytes, units: len(set.paths),
		ours: b.cli(append([]string{"simutrans", "decompile", "-C", out}, set.paths...)...).with(b.freshFolder(out)), refs: []command{reading(set)},
	}, err
}

func (b *bench) compileProject(what string, flags ...string) (row, error) {
	sources, err := b.project()
	out, theirs := b.path("compiled-ours")+"/", b.path("compiled-theirs")+"/"
	args := append([]string{"simutrans", "compile", "--cell", "128"}, flags...)
	ours := b.cli(append(append(args, out), sources.paths...)...)
	ours.name = "pakbox simutrans compile"
	reference := b.makeobj(append([]string{"PAK128", theirs}, sources.paths...)...).with(b.freshFolder(theirs))
	if len(flags) > 0 {
		ours.clean = b.freshFolder(out)
	}
	return row{what: what, bytes: sources.bytes, units: len(sources.paths), ours: ours, refs: []command{reference}}, err
}
