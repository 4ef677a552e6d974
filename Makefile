# make without a target lists the targets.
.DEFAULT_GOAL := help
SHELL := /bin/bash

# A commit without a tag has the day and the commit as its version.
DAY = $(shell git log -1 --date=format:%Y.%m.%d --format=%cd- 2>/dev/null)
COMMIT = $(shell git describe --always --dirty --exclude='*' 2>/dev/null)
VERSION ?= $(or $(shell git describe --tags --dirty 2>/dev/null),$(DAY)$(COMMIT),development)
export CGO_ENABLED = 0
# The same flag for the binary, the checks and the tools, so that each package is
# compiled once for all of them.
export GOFLAGS := $(GOFLAGS) -trimpath

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /  \1\t/' | expand -t 20

run: build ## build everything and serve the demo company at http://127.0.0.1:8080
	./bin/officeconsole serve --demo

build: bundles ## the single binary, bin/officeconsole
	go build -ldflags '-s -w -X main.version=$(VERSION)' -o bin/officeconsole .
	@cp static/built/NOTICE.txt bin/NOTICE

bin/officeconsole.spdx.json: build
	cd tools && go run ./licenses -to ../static/built/NOTICE.txt -sbom ../$@ -version $(VERSION)

deb: bin/officeconsole.spdx.json ## a Debian package in bin/, with the list of its components (SPDX) beside it
	tools/deb.sh $(VERSION)

CONTAINERS = $(firstword $(shell command -v podman buildah docker))

containers: bin/officeconsole.spdx.json ## two container images, with podman, buildah or docker: the console alone, and with its database
	$(or $(CONTAINERS),$(error install podman, buildah or docker)) build -f deploy/container/Containerfile -t officeconsole:$(VERSION) .
	$(CONTAINERS) build -f deploy/container/Containerfile.database -t officeconsole:$(VERSION)-database .

reproducible: ## build the program and its package twice and compare them byte by byte
	tools/reproducible.sh

test: bundles generated format tidy lint vulnerabilities test-go test-islands openapi test-e2e ## every check before a change is merged
	@echo "Everything holds."

# The race detector needs a C compiler; without one the tests run without it.
RACE := $(if $(shell command -v cc gcc clang),-race)
CGO := $(if $(RACE),1,0)

# -vet=off: make lint runs all checks of go vet, on the tests as well.
test-go: bundles ## the Go tests, with the race detector if there is a C compiler
	CGO_ENABLED=$(CGO) go test $(RACE) -vet=off -shuffle=on -timeout 30m ./...
	cd tools && go vet ./...

test-islands: islands/node_modules/.package-lock.json ## type check and tests of the browser scripts
	cd islands && npm run --silent check && npm test --silent

test-e2e: build e2e/node_modules/.package-lock.json ## the end-to-end tests, in a real browser
	cd e2e && npm test --silent

OPENAPI = tools/openapi

openapi: build $(OPENAPI)/node_modules/.package-lock.json ## check that the OpenAPI document is valid, and that clients generated from it compile
	@mkdir -p $(OPENAPI)/built
	bin/officeconsole openapi > $(OPENAPI)/built/openapi.json
	cd $(OPENAPI) && node_modules/.bin/spectral lint --quiet --fail-severity warn built/openapi.json
	cd $(OPENAPI) && node_modules/.bin/openapi-typescript built/openapi.json --output built/schema.ts >/dev/null && node_modules/.bin/tsc
	cd tools && go tool oapi-codegen -generate types,client -package client -o openapi/client/client.gen.go openapi/built/openapi.json && go vet ./openapi/client

pooler: build ## try two consoles behind PgBouncer, which must be installed (DATABASE: the URL of an empty database)
	tools/pooler.sh $(DATABASE)

PREVIOUS = tools/postgres-previous

upgrade-test: bundles $(PREVIOUS)/node_modules/.package-lock.json ## upgrade a built-in database of the previous major version of PostgreSQL
	cd tools && go run ./postgres-pack -from postgres-previous/node_modules -to postgres-previous/built/postgres.tar.zst
	go test -tags previous -run TestUpgradesThePreviousMajor -v ./postgres

alerts: build ## try the alerts and the dashboard with Prometheus, which must be installed
	tools/prometheus.sh

screenshots: build e2e/node_modules/.package-lock.json ## a screenshot of every page, in e2e/screenshots
	cd e2e && npm run --silent screenshots

accept-pictures: e2e/node_modules/.package-lock.json ## accept the pictures in e2e/changed-pictures, after looking at them
	cd e2e && npm run --silent accept-pictures

docs-pictures: build e2e/node_modules/.package-lock.json ## take the pictures in docs/pictures again
	cd e2e && npm run --silent docs-pictures

bench: build e2e/node_modules/.package-lock.json ## measure the console against a bare floor and by company size (SIZE=full: a million people)
	go run ./bench $(if $(filter full,$(SIZE)),-full)

chaos: build ## break things under load and look for what was lost or doubled (about ten minutes; more as root)
	go run ./chaos

DURATION ?= 2h
soak: build ## drive a steady load and look for what grows (DURATION=2h)
	go run ./chaos -soak $(DURATION)

generate: ## generate code from queries/*.sql and views/*.templ
	go tool -modfile=tools/go.mod sqlc generate
	go tool -modfile=tools/go.mod templ generate -path views

GENERATED = '*_templ.go' 'queries/*.sql.go' 'queries/*/*.sql.go' '*/db.go' '*/models.go' '*/copyfrom.go'

generated: generate ## check that the committed generated code is up to date
	@test -z "$$(git status --porcelain -- $(GENERATED))" || \
	  { git status --short -- $(GENERATED); echo "Generated code is not what is committed: commit what make generate wrote." >&2; exit 1; }

format: ## check that Go code is formatted
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo "Not formatted: run gofmt -w." >&2; exit 1; }

tidy: ## check that go.mod and go.sum match the imports
	go mod tidy -diff
	cd tools && go mod tidy -diff

# With the flags of the tests, so that packages and their tests are compiled once for both.
lint: bundles ## run go vet and staticcheck
	CGO_ENABLED=$(CGO) go vet $(RACE) ./...
	staticcheck=$$(go tool -n -modfile=tools/go.mod staticcheck) && CGO_ENABLED=$(CGO) GOFLAGS="$(GOFLAGS) $(RACE)" $$staticcheck ./...

vulnerabilities: bundles ## check the program's dependencies for known vulnerabilities (skipped without a network)
	cd tools && go run ./vulnerabilities

bundles: static/built/manifest.json postgres/built/postgres.tar.zst static/built/NOTICE.txt ## build what is embedded in the binary: scripts, styles, PostgreSQL, licenses

static/built/manifest.json: islands/node_modules/.package-lock.json $(shell git ls-files islands static/css static/images)
	cd islands && node bundle.mjs

postgres/built/postgres.tar.zst: tools/postgres-npm/node_modules/.package-lock.json tools/postgres-pack/main.go
	cd tools && go run ./postgres-pack -from postgres-npm/node_modules -to ../postgres/built/postgres.tar.zst
	@touch $@

static/built/NOTICE.txt: static/built/manifest.json tools/postgres-npm/node_modules/.package-lock.json tools/licenses/node_modules/.package-lock.json go.mod $(wildcard tools/licenses/*.go)
	cd tools && go run ./licenses -to ../$@

# --ignore-scripts: install scripts of packages are not needed, and could do anything.
%/node_modules/.package-lock.json: %/package-lock.json
	cd $* && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

clean: ## remove build results
	rm -rf bin static/built/* postgres/built/* islands/node_modules e2e/node_modules tools/postgres-npm/node_modules tools/licenses/node_modules $(PREVIOUS)/node_modules $(PREVIOUS)/built $(OPENAPI)/node_modules $(OPENAPI)/built $(OPENAPI)/client/client.gen.go
	git checkout -q -- static/built/.keep postgres/built/.keep

.PHONY: help run build deb containers reproducible test test-go test-islands openapi test-e2e pooler upgrade-test alerts screenshots accept-pictures docs-pictures bench chaos soak generate generated format tidy lint vulnerabilities bundles clean
