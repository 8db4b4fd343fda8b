# The short way to everything; CMakePresets.json is the long one. `make help` lists the targets.

JOBS ?= $(shell nproc)
ONLY ?= .
SOAK_PROGRAMS ?= 5000
SECONDS_EACH ?= 10
COUNT ?= 40
PREFIX ?= /usr/local
# What fetches the packages a target needs; INSTALL=true skips that.
INSTALL ?= tools/install

# What to configure, and what to build of it where that is not all.
compile = cmake --preset $(1) --log-level=WARNING && \
          cmake --build --preset $(or $(2),$(1)) -j$(JOBS)
say = @printf '\n== %s\n' "$(1)"

.PHONY: build help install-deps test demo bench learn soak format check-text check tidy asan ubsan sanitize tsan tsan-front \
        fuzz fuzz-short drivers attack attack-short mutants docs package install clean

build:              ## everything; installs what is missing; leaves build/vyre
	@$(INSTALL) build
	$(call compile,release)

help:               ## this list
	@sed -n 's/^\([a-z -]*\):.*## /\1\t/p' Makefile | expand -t 22

install-deps:       ## the packages for all targets of this file
	@$(INSTALL) build test check docs bench

test:               ## all tests; builds all but the benchmarks
	@$(INSTALL) build test
	$(call compile,release,tests)
	ctest --test-dir build --output-on-failure -j2

demo:               ## the main job on this machine's device; builds only what it runs
	$(call say,1 of 4: packages that are missing (none: nothing is installed))
	@$(INSTALL) build
	$(call say,2 of 4: building the tool and its worker (a minute or three from nothing))
	$(call compile,release,demo)
	$(call say,3 of 4: the examples on the interpreter and on this machine's device)
	build/vyre_demo examples/*.vy
	$(call say,4 of 4: tuning eight programs for 12 s each (those with a decision: at once))
	build/vyre tune examples/plain/*.vy --primitive kfac:1000x16 --budget 12s --report build/demo.html
	@printf '%s\n' 'Each search began with schedules that were good for other programs (docs/schedules.md), none of these eight.' \
	  'the report: file://$(CURDIR)/build/demo.html'

bench:              ## the benchmarks, as ratios; ONLY=regex for some of them
	@$(INSTALL) build bench peers
	$(call compile,release)
	build/bench/vyre_bench --only '$(ONLY)' --json build/bench.json

learn:              ## src/schedule/learned.txt, where tuning starts from; SECONDS_EACH=10 for each program
	@$(INSTALL) build
	$(call compile,release,learn)
	build/vyre_learn --seconds $(SECONDS_EACH) src/schedule/learned.txt

soak: build         ## SOAK_PROGRAMS random programs, plain and scheduled, the device against the interpreter
	seq 0 $$(($(JOBS) - 1)) | VYRE_AGREEMENT_PROGRAMS=$(SOAK_PROGRAMS) GTEST_TOTAL_SHARDS=$(JOBS) \
	  xargs -P $(JOBS) -I{} env GTEST_SHARD_INDEX={} build/tests/agreement_test --gtest_filter='Batch*'
	seq 0 $$(($(JOBS) - 1)) | VYRE_SCHEDULED_PROGRAMS=$(SOAK_PROGRAMS) GTEST_TOTAL_SHARDS=$(JOBS) \
	  xargs -P $(JOBS) -I{} env GTEST_SHARD_INDEX={} build/tests/schedule_test --gtest_filter='Part*'

format:             ## rewrite the sources with clang-format
	@$(INSTALL) check
	git ls-files '*.h' '*.cpp' | xargs clang-format-19 -i

check-text:         ## the part of check that needs no build
	@$(INSTALL) check
	tools/check_text

check:              ## format, layers, paths, file sizes; clang-tidy on what changed in the last 30 commits
tidy:               ## the same with clang-tidy on everything but the tests
check: TIDY = recent
tidy: TIDY = all
check tidy:
	@$(INSTALL) build check bench
	JOBS=$(JOBS) tools/check $(TIDY)

asan ubsan tsan:    ## the tests under one sanitizer
tsan-front:         ## the front door's tests and the applications under tsan
sanitize:           ## the tests but the longest, by clang under asan and ubsan at once
asan ubsan tsan sanitize:
	@$(INSTALL) build test check
	$(call compile,$@)
	ctest --preset $@

tsan-front:
	@$(INSTALL) build test check
	$(call compile,tsan,tsan-front)
	ctest --preset tsan-front

fuzz:               ## every fuzz target for 10 minutes
fuzz-short:         ## every fuzz target for 20 seconds
fuzz: FUZZ_SECONDS = 600
fuzz-short: FUZZ_SECONDS = 20
fuzz fuzz-short:
	@$(INSTALL) build check
	$(call compile,sanitize,fuzz)
	tools/fuzz $(FUZZ_SECONDS)

drivers:            ## the tests of devices on every OpenCL driver that can be had: at most 30 minutes
	@$(INSTALL) build drivers
	$(call compile,release,tests)
	tools/drivers

attack:             ## everything a hostile machine or user can do to build/vyre: about 10 minutes
attack-short:       ## the same in at most 3 minutes
attack attack-short:
	@$(INSTALL) build attack
	$(call compile,release,tests)
	tools/attack $(if $(filter attack-short,$@),--short)

mutants:            ## COUNT small wrong changes in PATHS="measure tune" or what changed lately: who notices?
	@$(INSTALL) build test
	tools/mutants $(PATHS) --count $(COUNT) $(if $(SEED),--seed $(SEED))

docs:               ## pages of the public headers, from their comments; leaves build/docs/index.html
	@$(INSTALL) docs
	@mkdir -p build
	doxygen docs/Doxyfile

package: build      ## what is installed, moved and used by another project, with the oldest compilers
	@$(INSTALL) check
	tools/package

install: build      ## into PREFIX
	cmake --install build --prefix $(PREFIX)

clean:              ## remove every build folder
	rm -rf build build-*
