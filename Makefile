# The two commands of the README are `make run` and `make test`; each installs
# what is missing and needs nothing before it but Go, git and make.

GO ?= go
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

# SQLite is nine megabytes of C: at -O2 -g it is a third of a build from nothing. isl's bridge
# asks for -O2 itself. Nobody reads what debuggers do: traces of the stack need none of it.
# What users have set otherwise stays.
c_flags := $(shell $(GO) env CGO_CFLAGS)
export CGO_CFLAGS := $(if $(filter-out -O2 -g,$(c_flags)),$(c_flags),-O1)
export GOFLAGS := $(shell $(GO) env GOFLAGS) -gcflags=all=-dwarf=false

.PHONY: run test test-glpk test-long build install install-from on-path packages packages-test lint bench peers peers-algorithms peers-ranks recording fuzz static dependencies update

run: build
	bin/tune --bench 2mm --size medium --effort quick

# Tests, and the compiler's processes for one package each, rarely need their memory swept.
build test: export GOGC = 800

# Programs of tests are linked without what debuggers read, and by the quicker linker where it is there.
# go vet, which looks at what all packages import as well, is a part of lint.
packages_at_once = $(shell echo $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) + 1)))
quick_linker = $(if $(shell command -v ld.gold 2>/dev/null),-extldflags=-fuse-ld=gold)
# They wait for programs that they run: one package, and one test of each, more than there are
# processors runs at once.
test: build
	$(GO) test -p $(packages_at_once) -parallel $(packages_at_once) -vet=off -ldflags='-w $(quick_linker)' -timeout 30m ./...

# Longer runs of the same tests: more random programs, more kernels and sizes.
test-long: build
	POLYTUNE_LONG=1 $(GO) test -timeout 60m ./...

# GLPK is a solver to compare ours with. It is under the GPL, and so is whatever is
# built with it. It needs, by Debian's names, libglpk-dev and libltdl-dev.
test-glpk: dependencies
	$(GO) test -tags glpk ./isl/ilp
	$(GO) test -tags glpk -run Solvers ./transform

build: dependencies
	$(GO) build -buildvcs=auto -o bin/tune ./cmd/tune

# The program, its manual and what shells complete, below PREFIX; no root is needed.
PREFIX ?= $(HOME)/.local
share = $(DESTDIR)$(PREFIX)/share
install: build
	$(MAKE) --no-print-directory install-from FROM=bin/tune
	$(MAKE) --no-print-directory on-path

# What to type where the shell would not find the installed program.
on-path:
	@case ":$$PATH:" in *":$(PREFIX)/bin:"*) ;; *) echo 'tune is not on PATH yet: export PATH="$(PREFIX)/bin:$$PATH"' ;; esac

# The same with the program FROM.
install-from:
	install -d $(DESTDIR)$(PREFIX)/bin $(share)/bash-completion/completions $(share)/zsh/site-functions $(share)/fish/vendor_completions.d $(share)/cmake/polytune
	install $(FROM) $(DESTDIR)$(PREFIX)/bin/tune
	install -m 644 packaging/cmake/polytuneConfig.cmake $(share)/cmake/polytune/
	ln -sf tune $(DESTDIR)$(PREFIX)/bin/tune-cc
	$(FROM) manual $(share)/man/man1
	$(FROM) completion bash >$(share)/bash-completion/completions/tune
	$(FROM) completion zsh >$(share)/zsh/site-functions/_tune
	$(FROM) completion fish >$(share)/fish/vendor_completions.d/tune.fish

# A binary without shared libraries, for nodes that have only a compiler.
static: dependencies
	$(GO) build -buildvcs=auto -tags 'osusergo netgo sqlite_omit_load_extension' \
		-ldflags '-linkmode external -extldflags -static' -o bin/tune-static ./cmd/tune

# The static program with its checksum, an archive of all that make install writes, and a Debian
# package, below bin/packages. packages-test installs the last in a root of its own (debootstrap).
packages: static
	packaging/build
packages-test: packages
	packaging/test-deb
	FROM=bin/tune-static packaging/test-module

lint: dependencies
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo 'run gofmt -w on these files'; exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...

bench: dependencies
	$(GO) test -run '^$$' -bench . -benchtime 1x ./...

# How fast the code is beside gcc's, clang's, Polly's, Pluto's and the BLAS libraries': docs/peers.md.
# KERNELS and SIZE choose others than all of PolyBench at size large; their page is bin/peers.md.
# PEERS has further flags, such as -without-tuning; see go doc ./cmd/peers. PEERS=-by-hand with
# KERNELS=tiramisu measures recipes that people have written, for a section of the same page.
# TIRAMISU=FOLDER, a checkout of Tiramisu, measures its own programs, for another section.
SIZE ?= large
TIRAMISU ?=
KERNELS ?= $(if $(TIRAMISU),tiramisu,polybench)
PEERS ?=
peers_folder = $(if $(filter polybench-large tiramisu-large,$(KERNELS)-$(SIZE)$(filter-out -by-hand -resume,$(PEERS))),docs,bin)
peers: build
	$(GO) build -o bin/peers ./cmd/peers
	bin/peers -kernels $(KERNELS) -size $(SIZE) -data $(peers_folder)/peers.json -hand-data $(peers_folder)/peers-by-hand.json \
		-algorithms-data $(peers_folder)/peers-algorithms.json -tiramisu-data $(peers_folder)/peers-tiramisu.json \
		-page $(peers_folder)/peers.md $(if $(TIRAMISU),-tiramisu $(TIRAMISU)) $(PEERS)

# Algorithms in Go beside the same kernels in C, in turns in one run, for a section of docs/peers.md;
# PEERS has further flags, and with another SIZE the page is bin/peers.md.
algorithms_folder = $(if $(filter large,$(SIZE)),docs,bin)
peers-algorithms: build
	$(GO) build -o bin/peers ./cmd/peers
	bin/peers -algorithms -kernels tiramisu -size $(SIZE) -data $(algorithms_folder)/peers.json -hand-data $(algorithms_folder)/peers-by-hand.json \
		-algorithms-data $(algorithms_folder)/peers-algorithms.json -tiramisu-data $(algorithms_folder)/peers-tiramisu.json -page $(algorithms_folder)/peers.md $(PEERS)

# Programs on two ranks beside one rank, two threads, and exchanges that are written by hand. LAUNCH is
# what is in front of mpirun, such as "taskset -c 2,3"; RANKS are a program, steps, size and rounds.
RANKS ?=
peers-ranks: build
	examples/mpi/compare $(RANKS)

# The picture of the README: a session on this machine as it is now, with a database of its own. The
# text in the README is that of the picture's end, which a test of cmd/recording compares.
recording: build
	folder=$$(mktemp -d) && trap 'rm -r "$$folder"' EXIT && \
		PATH="$(CURDIR)/bin:$$PATH" TUNE_DB="$$folder/tune.db" $(GO) run ./cmd/recording \
		-o docs/images/session.svg -rows 36 -pause 200ms -hold 12s -- tune --bench 2mm --effort quick

# Half of TIME: broken C files, recipes, extents and points of the variant space; the other half: random
# programs through all stages. What fails is saved and repeated by the next run
# and by make test.
TIME ?= 60s
fuzz: dependencies
	$(GO) run ./cmd/fuzz -all $(TIME)

# Rewrites the golden files of all tests; look at the difference before you commit it.
update: dependencies
	$(GO) test $$(git grep -l '"update"' -- "*_test.go" | xargs -n1 dirname | sort -u | sed "s,^,./,") -update

dependencies:
	@scripts/install-dependencies
