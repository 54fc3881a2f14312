# The inputs of the rows, made in a temporary folder by the Make of this machine.
# This file is a template. The variables come from bench: CORPUS, the folder of
# real files; PROJECT, the checkout; SOURCE, the folder of this file. Prerequisites
# are order-only: a folder gets a newer time with every file, and nothing has to be
# made twice.

# No input is removed after its use by another input.
.SECONDARY:

CACHE = $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/pakbox-bench
MAPS = $(CORPUS)/gbx/03043000
PAKS = /usr/share/games/simutrans/pak

# A folder of mixed files: objects, sources and pictures of Simutrans.
tree:
	mkdir $@ && cp -r $(CORPUS)/simutrans/pak $(CORPUS)/simutrans/source $@ && chmod -R u+w $@
tree.tar: | tree
	tar -C tree -cf $@ .
tree.tar.lz4-% tree.tar.zstd-% tree.tar.brotli-%: | tree.tar
	$(patsubst tree.tar.%,%,$(subst -$*,,$@)) -c -$* tree.tar > $@
tree.zip: | tree
	cd tree && zip -q -r ../$@ .
{{range .Codecs}}
{{.Name}}.vpk: | tree
	pakbox --quiet create $@ tree {{.Pack}}
{{end}}
{{range .Scaled}}
{{.Name}}-%: | %
	mkdir $@ && pakbox --quiet create $@/{{.File}} $* {{.Settings}}
{{end}}
# The first 2 kB of ten real files.
ten: | tree
	find tree -type f -size +2k | sort | awk 'NR % 8 == 1' | head -10 | xargs -d '\n' -n 1 head -c 2048 > $@

# Many small files, a thousand in a folder: every ten are as much work as the first
# ten. The number is 10, 100 or a multiple of 1,000.
many-%: | ten
	mkdir -p $@/000
	for i in $$(seq $$(( ($* < 1000 ? $* : 1000) / 10 ))); do cat ten; done | split -b 2048 -d -a 3 --additional-suffix=.bin - $@/000/file
	for i in $$(seq -f %03g $$(( ($* - 1) / 1000 ))); do cp -r $@/000 $@/$$i; done

# One file of that many times the same 64 kB: no codec looks back so far, so that
# every unit is as much work as the first.
one-%: | tree
	find tree -type f -size +64k | sort | head -1 | xargs -d '\n' head -c 65536 > unit
	mkdir $@ && for i in $$(seq $*); do cat unit; done > $@/large.bin

# The map nearest to 20 kB that has 100 blocks, copied, and with its blocks repeated.
small.Map.Gbx:
	bench -make small $(MAPS) $@
maps-%: | small.Map.Gbx
	mkdir $@ && for i in $$(seq $*); do cp small.Map.Gbx $@/$$i.Map.Gbx; done
large-%: | small.Map.Gbx
	mkdir $@ && bench -make large small.Map.Gbx $* compressed $@/large.Map.Gbx
plain-%: | small.Map.Gbx
	mkdir $@ && bench -make large small.Map.Gbx $* plain $@/large.Map.Gbx
largest-map:
	mkdir $@ && ls -S $(MAPS)/* $(CORPUS)/gbx-hard/*.[Mm]ap.[Gg]bx | head -1 | xargs -d '\n' -I{} ln -s {} $@

# The largest item that has a mesh.
item:
	mkdir $@ && ls -S $(CORPUS)/gbx/2e002000/* | while read -r f; do pakbox --quiet mesh "$$f" -o try.glb --force 2>/dev/null && ln -s "$$f" $@ && break; done

runs:
	mkdir $@ && bench -make runs $@

# The compressed bodies of the files in a set, packed and raw, for peers/lzo.c.
%.packed %.raw:
	bench -make bodies $* $*.packed $*.raw

# Maps and replays eight times, each copy with one more byte, so that index cannot
# take it for a file that it knows.
collection:
	mkdir $@
	for i in 0 1 2 3 4 5 6 7; do for f in $(MAPS)/* $(CORPUS)/gbx/03093000/*; do { cat "$$f"; echo $$i; } > $@/$$i-$$(basename "$$f"); done; done

# Maps of the smallest map, each with a UID of its own.
grown-%:
	mkdir $@ && bench -make maps $(MAPS) $* $@

# A store with the objects of the maps, which runs until the bench ends.
store-%: | grown-%
	bench -make store grown-$* $@ > /dev/null 2>&1

# 100,000 files of the same old time, and their index.
unchanged:
	for i in $$(seq -f %03g 0 199); do mkdir -p $@/$$i && seq 500 | split -l 1 -d -a 3 --additional-suffix=.txt - $@/$$i/; done
	find $@ -exec touch -d @1500000000 {} +
unchanged.sqlite: | unchanged
	pakbox --quiet index -o $@ unchanged
# Indexes of a million files that do not exist: maps with blocks of their own, maps that all
# have the same blocks, and replays. MADEUP of the environment is another number, to try the rows.
MADEUP ?= 1000000
madeup.sqlite:
	bench -make index $@ $(MADEUP) own
onelayout.sqlite:
	bench -make index $@ $(MADEUP) one
runs.sqlite:
	bench -make index $@ $(MADEUP) runs

# Sources of Simutrans four times, each time with other names of objects.
project:
	for i in 1 2 3 4; do mkdir -p $@/$$i && cp -r $(CORPUS)/simutrans/source/pak128/. $@/$$i && chmod -R u+w $@/$$i && find $@/$$i -iname '*.dat' -exec sed -i "s/^\(name *=[^\r]*\)/\1$$i/I" {} +; done
compiled: | project
	find project -iname '*.dat' | sort | xargs -d '\n' pakbox --quiet simutrans compile --cell 128 $@/
paks-%:
	mkdir $@ && f=$$(ls $(PAKS)/*.pak | awk '{all[NR] = $$0} END {print all[int(NR/2) + 1]}') && for i in $$(seq $*); do cp "$$f" $@/$$i.pak; done
sources-%: | paks-1
	rm -rf source && pakbox --quiet simutrans decompile -C source paks-1/1.pak
	mkdir $@ && for i in $$(seq $*); do cp -r source $@/$$i && find $@/$$i -name '*.dat' -exec sed -i "s/^\(name *=[^\r]*\)/\1$$i/I" {} +; done

# Other programs. What cannot be had here is left out, and the page says so.
bin/lzo:
	cc -O2 -o $@ $(SOURCE)/peers/lzo.c -l:liblzo2.so.2
bin/gbx-peer:
	test -d $(CACHE)/node_modules/gbx-ts || npm install --no-audit --no-fund --prefix $(CACHE) gbx-js@npm:gbx@0.6.0 gbx-ts@npm:gbx@1.0.0-rc12 lzo-ts@0.2.3
	printf '#!/bin/sh\nPAKBOX_BENCH_MODULES=%s exec node %s "$$@"\n' $(CACHE) $(SOURCE)/peers/gbx.mjs > $@ && chmod +x $@
bin/makeobj:
	ln -s "$$(command -v makeobj || ls /usr/games/makeobj)" $@
bin/cluster:
	cd $(PROJECT)/cluster && go build -o $(CURDIR)/$@ .
