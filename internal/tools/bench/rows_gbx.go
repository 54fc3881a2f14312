package main

// gbxRows are about single GBX files, many of them.
func (b *bench) gbxRows() []maker {
	sets := []struct{ name, class, what string }{
		{"maps", classMap, "maps"}, {"replays", classReplay, "replays"}, {"ghosts", classGhost, "ghosts"}, {"items", classItem, "items"},
	}
	list := []maker{
		{"gbx/headers", b.gbxHeaders},
		{"gbx/info", b.gbxInfo},
	}
	for _, s := range sets {
		list = append(list, maker{"gbx/decode-" + s.name, func(name string) (row, error) { return b.gbxDecode(s.name, s.class, s.what) }})
	}
	return append(list,
		maker{"gbx/dump", b.gbxDump},
		maker{"gbx/save", func(string) (row, error) { return b.gbxSave("save", "fast") }},
		maker{"gbx/save-best", func(string) (row, error) { return b.gbxSave("save-best", "best") }},
		maker{"gbx/identity", b.gbxIdentity},
		maker{"gbx/verify", b.gbxVerify},
	)
}

// npm is a package of npm on GBX files.
func (b *bench) npm(name, mode string, set files) command {
	c := peer(name, "node", append([]string{b.tools.gbx, mode}, set.paths...)...)
	c.env = []string{"PAKBOX_BENCH_MODULES=" + b.tools.modules}
	if b.tools.gbx == "" {
		c.missing = "peer missing"
	}
	return c
}

// liblzo2 is the floor of reading or writing bodies.
func (b *bench) liblzo2(mode, input string) command {
	return floor("liblzo2 "+mode, b.tools.lzo, mode, input)
}

func (b *bench) gbxHeaders(string) (row, error) {
	set, err := b.gbx(classMap, classReplay)
	return row{
		what: "read the headers of maps and replays", bytes: set.bytes, units: len(set.paths),
		ours: b.library("header", set.paths),
		refs: []command{b.npm("gbx.js 0.6.0, header", "js-header", set), b.npm("gbx-ts rc12, header", "ts-header", set), reading(set)},
	}, err
}

func (b *bench) gbxInfo(string) (row, error) {
	set, err := b.gbx(classMap, classReplay)
	return row{
		what: "the facts people look for, of maps and replays, as JSON", bytes: set.bytes, units: len(set.paths),
		ours: b.cli(append([]string{"info", "--json"}, set.paths...)...),
		refs: []command{b.npm("gbx-ts rc12, full", "ts-full", set), b.npm("gbx-ts rc12, header", "ts-header", set), reading(set)},
	}, err
}

func (b *bench) gbxDecode(name, class, what string) (row, error) {
	set, err := b.gbx(class)
	if err != nil {
		return row{}, err
	}
	packed, _, err := b.bodies(name, set)
	return row{
		what: "decode " + what + " to the last byte", bytes: set.bytes, units: len(set.paths),
		ours: b.library("decode", set.paths),
		refs: []command{b.npm("gbx-ts rc12, full", "ts-full", set), b.liblzo2("decompress", packed), reading(set)},
	}, err
}

func (b *bench) gbxDump(string) (row, error) {
	set, err := b.gbx(classReplay, classGhost, classItem)
	return row{
		what: "every value of replays, ghosts and items, as JSON", bytes: set.bytes, units: len(set.paths),
		ours: b.cli(append([]string{"dump", "--json"}, set.paths...)...),
		refs: []command{reading(set)},
	}, err
}

func (b *bench) gbxSave(call, level string) (row, error) {
	set, err := b.gbx(classMap)
	if err != nil {
		return row{}, err
	}
	_, raw, err := b.bodies("maps", set)
	return row{
		what: "decode maps, code every chunk and compress the body anew (" + level + ")", bytes: set.bytes, units: len(set.paths),
		ours: b.library(call, set.paths),
		refs: []command{b.liblzo2(level, raw)},
	}, err
}

func (b *bench) gbxIdentity(string) (row, error) {
	set, err := b.gbx(classMap)
	return row{
		what: "decode maps, save them unchanged and compare", bytes: set.bytes, units: len(set.paths),
		ours: b.library("identity", set.paths),
		refs: []command{reading(set)},
	}, err
}

func (b *bench) gbxVerify(string) (row, error) {
	set, err := b.gbx(classMap, classReplay, classGhost, classItem)
	if err != nil {
		return row{}, err
	}
	packed, _, err := b.bodies("all", set)
	ours := b.cli(append([]string{"verify"}, set.paths...)...)
	ours.mayFail = true // some files of the corpus have findings
	return row{
		what: "verify maps, replays, ghosts and items: decode, code anew, compare", bytes: set.bytes, units: len(set.paths),
		ours: ours,
		refs: []command{b.liblzo2("decompress", packed), reading(set)},
	}, err
}
