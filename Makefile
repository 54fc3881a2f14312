# The commands of this project. `make test` and `make test-all` must stay green.

GO ?= go
export CGO_ENABLED = 0

.PHONY: all build samples site pictures test test-all questions windows bundle bundle-check check lint format-js format-js-write test-js unused prose race fuzz bench bench-go million image namespaces load soak mutate dist dist-check parts profiles mirror packages wheel npm clean

all: build

# One static binary, stripped. The packages are compiled with the flags of 'go run'
# and 'go test', so that Go's build cache serves all of them; only dist has others.
build:
	$(GO) build -ldflags="-s -w" -o pakbox ./cmd/pakbox

# What is in samples/, but for what is written there by hand: the same bytes, of
# which a test makes sure.
samples:
	cmd/tools/run samples

# The tests that need only Go: no real files, no other programs, no browser. The last line
# says what was left out. internal/testkit/tier divides the tests. TESTFLAGS are flags of
# 'go test'; with -v, the summary lists the skipped tests. The decoders of LZO and LZ4 are
# tested once more with the compiler's bounds checks, which they normally leave out; here
# with the tests of damaged and of known streams, in test-all with all but those of encoders.
TESTFLAGS ?=
ENCODERS = TestCompress|TestLead|TestOptimal|TestRatio|TestTree|TestBestIsBest
DECODERS = Decompress|Distance|KnownBlocks|Vectors|Cuts|Faults|RefusedInput|SameStreams|SameBlocks
SUMMARY = cmd/tools/run summary $(filter -v,$(TESTFLAGS))
REST = 'make test-all' runs these, and the tests of the page in a browser, the cluster and the tools
test: export PAKBOX_TESTS = quick
test: check
	@$(GO) test -vet=off $(TESTFLAGS) -tags checked -run '$(DECODERS)' ./codec/lzo1x ./codec/lz4
	@cd cmd/tools && $(GO) test -vet=off $(TESTFLAGS) ./prose ./summary
	@$(GO) test -vet=off -p 4 -json $(TESTFLAGS) ./... | $(SUMMARY) -hint "$(REST)"

# Tests, the compiler and the linker need a third less time if they collect garbage less
# often, for at most some hundred megabytes each.
GOGC ?= 400
test test-all: export GOGC := $(GOGC)

# All tests, which is what CI runs. They find real files in ../shared/corpus or PAKBOX_CORPUS,
# and other programs; a test whose files or programs are missing is skipped, and with
# PAKBOX_REQUIRE=1 it fails. Modules of their own hold what would weigh on everyone's
# go.mod: zlib translated to Go, with which tests compare, the pipeline for clusters, the
# driver of a browser, and the programs of this file. Four packages run at a time, because
# some tests mostly wait. The walk in a browser takes longest, so it begins first and runs
# beside the root module; the other modules follow. -k: one failed module hides no other.
test-all: check test-js
	@$(GO) test -vet=off $(TESTFLAGS) -tags checked -skip '$(ENCODERS)' ./codec/lzo1x ./codec/lz4
	@$(MAKE) --no-print-directory -k -j2 test-of/cmd/internal/page/walk test-of/root test-of/codec/zinflate/oracle test-of/index/cluster test-of/cmd/tools
test-of/root:
	@$(GO) test -vet=off -p 4 -json $(TESTFLAGS) ./... | $(SUMMARY)
test-of/%:
	cd $* && $(GO) test -vet=off -timeout 20m $(TESTFLAGS) ./...
# Go's cache of tests does not see that pages outside of the module have changed.
test-of/cmd/tools:
	cd cmd/tools && $(GO) test -vet=off $(TESTFLAGS) ./... && $(GO) test -vet=off -count=1 -run TestMarkdown ./prose

# The program for Windows, and under Wine the scripts of every command, the kill
# test and the page. WINDOWS chooses tests of cmd/pakbox.
WINDOWS ?= TestScripts|TestKill/zip|TestServe
windows:
	GOOS=windows $(GO) build -o pakbox.exe ./cmd/pakbox
	@sh cmd/tools/windows/test.sh '$(WINDOWS)'

# Every question about every file of the corpora, in process, through its command
# and through the page; EVERY=10 takes every tenth file.
EVERY ?= 1
questions:
	PAKBOX_TESTS=long PAKBOX_EVERY=$(EVERY) PAKBOX_REQUIRE=1 $(GO) test ./cmd/internal/cli ./cmd/internal/page -run TestRealFiles -timeout 3h -v

# The tests of the packages in RACE under the race detector, which needs cgo and a C
# compiler, and takes several times as long: all of them, unless told otherwise.
RACE ?= ./...
race:
	CGO_ENABLED=1 $(GO) test -race -timeout 60m $(TESTFLAGS) $(RACE)

# The third-party scripts of the explorer, from the packages and versions that
# cmd/tools/bundle names; bundle-check compares with what is committed.
bundle:
	cd cmd/tools/bundle && $(GO) run .
bundle-check:
	cd cmd/tools/bundle && $(GO) run . -check

# The explorer without a server: a folder that any file server can hand out.
SITE ?= site
site:
	cmd/tools/run site -o $(SITE)

# The pictures of docs/explorer.md, of samples and of tracks that are made for them.
# Needs Chromium and ImageMagick.
pictures:
	@shots=$$(mktemp -d) && cd cmd/internal/page/walk && \
	PAKBOX_SHOTS=$$shots $(GO) test -count=1 -run TestPictures . && \
	for shot in $$shots/*.png; do \
		convert $$shot -resize 960x -colors 256 -strip ../../../../docs/pictures/explorer-$${shot##*/} || exit 1; \
	done && rm -r $$shots

# What must hold of the source itself. From an empty build cache, the two rules of vet that
# look into every dependency take minutes; 'make lint' runs them too.
VETFLAGS ?= -printf=false -lostcancel=false
check:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "not gofmt'ed:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet $(VETFLAGS) ./...

# What vet and staticcheck say of every module, and vet of the code for other systems, and
# what unused, prettier, Node's tests and prose report, the latter for Markdown, cmd and clients. The versions of the tools are named
# here. MODULES and SYSTEMS choose some.
STATICCHECK ?= $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
DEADCODE ?= $(GO) run golang.org/x/tools/cmd/deadcode@v0.52.0
UNPARAM ?= $(GO) run mvdan.cc/unparam@v0.0.0-20260823230713-2fa3d841b0c8
SYSTEMS ?= windows darwin
MODULES ?= . codec/zinflate/oracle index/cluster cmd/internal/page/walk cmd/tools cmd/tools/bundle
lint: unused format-js test-js
	@cmd/tools/run prose -commits '$(COMMITS)' '*.md' cmd clients ':!cmd/internal/page/site/*.go'
	@set -e; for module in $(MODULES); do echo "vet and staticcheck $$module"; (cd $$module && $(GO) vet ./... && $(STATICCHECK) ./...); done
	@set -e; for system in $(SYSTEMS); do echo "vet for $$system"; GOOS=$$system $(GO) vet ./...; done

# What verify notices of flipped bits in GBX files: FLIPS trials on the files below CORPUS.
FLIPS ?= 10000
.PHONY: flips
flips:
	@cmd/tools/run flips -n $(FLIPS) -seed $(or $(SEED),1) $(CORPUS)

# Functions that no command and no test calls, and parameters and results that are always
# the same, in the root module. deadcode exits with 0 whatever it finds.
unused:
	@found=$$($(DEADCODE) -test ./...) && if [ -n "$$found" ]; then echo "$$found"; exit 1; fi
	$(UNPARAM) ./...

# JavaScript has the form that prettier gives it; .prettierrc.json and .prettierignore have the
# settings. format-js fails for files that have another form, format-js-write changes them.
# npx keeps the program in npm's cache.
PRETTIER ?= npx --yes prettier@3.10.1
SCRIPTS = $$(git ls-files '*.js' '*.mjs')
format-js:
	@$(PRETTIER) --check --log-level warn $(SCRIPTS)
format-js-write:
	@$(PRETTIER) --write --log-level warn $(SCRIPTS)

# The tests of the page's scripts that need no browser, with Node's own test runner.
NODE ?= node
test-js:
	$(NODE) --test --test-reporter=dot cmd/internal/page/web/jstest/*.test.js

# English that needs a second reading in comments, strings and Markdown: the number of
# findings in each folder, or every finding in the files and folders that PROSE names.
# COMMITS=main..HEAD adds the subjects of these commits. A test holds Markdown at zero.
PROSE ?=
COMMITS ?=
prose:
	@cmd/tools/run prose -commits '$(COMMITS)' $(PROSE)

# Every fuzz target of every module, FUZZTIME seconds each.
FUZZTIME ?= 60
fuzz:
	@sh cmd/tools/soak/fuzz.sh $(FUZZTIME)

# Attacks pakbox for TIME in all: fuzz targets, damaged files, faults of writing. The
# report is Markdown; the same SEED gives the same damage, and without one the date is
# the seed. See cmd/tools/soak.
TIME ?= 10m
SEED ?= $(shell date -u +%Y%m%d)
soak:
	@sh cmd/tools/soak/soak.sh $(TIME) $(SEED)

# Whether tests can fail: changes the code in SAMPLE places of each package of PKG
# and counts the changes that its own tests notice, and those of the packages in WITH
# (separated by commas). docs/evidence/mutation.md keeps the table. Tests that only root can
# run, such as those that mount, need ROOT=1. See cmd/tools/mutate.
PKG ?= ./archive ./metin2/vpk42 ./metin2/eterpack ./nadeo/pak ./metin2/pck
SAMPLE ?= 60
WITH ?=
ROOT ?=
mutate:
	@cmd/tools/run mutate -sample $(SAMPLE) -seed $(SEED) -with '$(WITH)' $(if $(ROOT),-root) $(PKG)

# pakbox beside its peers on real files, and how it scales: docs/evidence/benchmarks.md.
# ROWS=regexp measures a part and writes no documents.
ROWS ?=
ROUNDS ?= 7
bench: build
	cmd/tools/run bench -pakbox ./pakbox -rows '$(ROWS)' -n $(ROUNDS)

# The growth of an index: MILLION maps, each with a UID of its own, are made in GROWN
# (8 GB for a million) and indexed in parts of it, and asked. GROWN is removed.
MILLION ?= 1000000
GROWN ?= grown
million: build
	sh cmd/tools/bench/million.sh $(CURDIR)/pakbox $(MILLION) $(GROWN)

# The image of index/cluster/Containerfile, with BUILDER: podman, buildah or docker.
CERTIFICATES ?= /etc/ssl/certs/ca-certificates.crt
BUILDER ?= $(firstword $(foreach p,podman buildah docker,$(if $(shell command -v $(p)),$(p))))
image:
	mkdir -p dist/image/tmp && chmod 1777 dist/image/tmp && cp $(CERTIFICATES) dist/image/ca-certificates.crt
	echo 'root:x:0:0:root:/:/none' > dist/image/passwd
	cd index/cluster && $(GO) build -trimpath -ldflags='-s -w' -o ../../dist/image/boot github.com/apache/beam/sdks/v2/go/container
	$(BUILDER) build -f index/cluster/Containerfile -t pakbox-cluster dist/image

# The pipeline with workers in network and mount namespaces of their own, one of which
# is killed. It needs Linux and root. IMAGE_ROOT is the unpacked image, if there is one.
IMAGE_ROOT ?=
namespaces:
	cd index/cluster && PAKBOX_REQUIRE=1 PAKBOX_IMAGE_ROOT=$(IMAGE_ROOT) $(GO) test -tags namespaces -run TestNamespaces -v -timeout 30m .

# The explorer under load: many clients at once, FILES a folder of GBX files.
FILES ?= ../shared/corpus/gbx/03043000
LOADTIME ?= 5m
load: build
	cmd/tools/run load -files $(FILES) -time $(LOADTIME)

# The packages' own benchmarks.
bench-go:
	$(GO) test -run '^$$' -bench . -benchmem ./...

# What is handed to people, for every system, into dist/. The same commit gives
# the same bytes; dist-check builds twice to prove it.
dist:
	@cmd/tools/run release
dist-check:
	@sh cmd/tools/release/check.sh

# What each part adds to the program: the table of docs/evidence/release.md.
parts:
	@sh cmd/tools/release/parts.sh

# The heights of blocks that recorded runs teach: nadeo/blocks/shapes/profiles.txt.
RUNS ?= ../shared/corpus/gbx ../shared/corpus/gbx-runs
profiles:
	@cmd/tools/run drive -learn nadeo/blocks/shapes/profiles.txt $(RUNS)

# Every map of the corpus, mirrored and turned; the tests take one in nine.
mirror:
	PAKBOX_TESTS=long $(GO) test ./nadeo/recipe -run 'TestMirror' -v

# The parts of clients/ that are made from the declared questions and facts.
packages:
	cmd/tools/run packages

# Wheels for Python into dist/: of every system, or of one with ONLY=linux/amd64.
ONLY ?=
wheel: packages
	@cmd/tools/run release -wheels -only '$(ONLY)'

# Packages for JavaScript into dist/npm/, likewise.
npm: packages
	@cmd/tools/run release -npm -only '$(ONLY)'

clean:
	rm -rf pakbox pakbox.exe site dist soak-findings
