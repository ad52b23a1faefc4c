# Steelyard. `make run` shows the product on bundled real data, `make test`
# installs what the tests need and runs them all. `make help` lists the rest.

GO       ?= go
TOOL     := $(GO) tool -modfile=tools/go.mod
BIN      := bin/steelyard
# Alone, because it needs an older YAML than the other tools do.
ACTIONLINT := github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
TESTENV  := PATH="$(CURDIR)/tools/node/node_modules/.bin:$$PATH" \
	STEELYARD_REQUIRE_BROWSER=1 STEELYARD_REQUIRE_NODE=1 STEELYARD_REQUIRE_POSTGRES=1
# What starts no goroutine has no race to show, and much to compute; what the
# commands wire together is looked at where it is made.
RACED     = $(shell $(GO) list ./... 2>/dev/null | grep -v -e /cmd/ -e /metrics/did -e '/metrics/estimate$$' -e '/ingest/reverts$$' -e '/lint/families$$' -e '/lint/output$$')
SOURCES  := $(shell find cmd internal lint mcp metrics migrations rules web -type f -not -path '*/node_modules/*' -not -path '*/testdata/*' 2>/dev/null) go.mod go.sum

.DEFAULT_GOAL := help
.PHONY: help run build test test-go deps bench fuzz lint fmt generate clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(BIN) ## build, then dashboard and MCP server on bundled real data
	$(BIN) demo

build: $(BIN) ## build the one binary into bin/

$(BIN): $(SOURCES)
	CGO_ENABLED=0 $(GO) build -trimpath -o $@ ./cmd/steelyard

deps: ## install what the tests need beside Go (Debian packages, npm packages)
	.ci/install

test: deps test-go ## install what the tests need and run them all

test-go: ## run all tests on both database engines, then all but the longest with the race detector
	$(TESTENV) $(GO) test -shuffle=on -timeout 15m ./...
	$(TESTENV) $(GO) test -race -short -shuffle=on -timeout 15m $(RACED)

bench: ## run the benchmarks
	$(GO) test -run '^$$' -bench . -benchmem ./...

# What fuzz runs, and for how long each. A new input is made smaller a hundred
# times at most: without a bound that takes most of the time.
FUZZ     ?= ./lint/... ./rules
FUZZTIME ?= 60s

fuzz: ## fuzz every reader of the lint (FUZZTIME=60s each, FUZZ=packages)
	@set -e; for package in $$($(GO) list $(FUZZ)); do \
		targets=$$($(GO) test -list '^Fuzz' "$$package"); \
		for target in $$(echo "$$targets" | grep '^Fuzz' || true); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime "$(FUZZTIME)" -fuzzminimizetime 100x "$$package"; \
		done; \
	done

lint: $(BIN) ## vet, golangci-lint, actionlint, and our own lint on ourselves
	$(GO) vet ./...
	$(TOOL) golangci-lint run
	$(GO) run $(ACTIONLINT)
	$(BIN) lint .

fmt: ## format the Go code and the templates
	$(TOOL) gofumpt -w $$(git ls-files '*.go' | grep -v _templ.go)
	$(TOOL) templ fmt web

generate: ## renew generated code, docs and golden files
	$(TOOL) templ generate -path web
	$(GO) generate ./...

clean: ## remove what was built
	rm -rf bin
