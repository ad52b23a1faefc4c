package dependencies_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"steelyard/lint/dependencies"
)

// fuzzReader holds one reader to its promises on any bytes: it does not fail,
// every entry has a name, a source and a line that the file has.
func fuzzReader(f *testing.F, name string, seeds ...string) {
	f.Helper()
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	if !dependencies.IsManifest(name) {
		f.Fatalf("%s is not read", name)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		tree, err := dependencies.Read(t.Context(), fstest.MapFS{name: {Data: text}}, dependencies.ReadOptions{Private: "git.example.com/*"})
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Count(string(text), "\n") + 1
		for _, d := range tree.Dependencies {
			if d.Name == "" || d.Source == "" || d.Path != name || d.Line < 1 || d.Line > lines || d.At.End < d.At.Start || d.At.Start < 0 || d.At.End > len(text) {
				t.Fatalf("%+v", d)
			}
			if d.Key() == "" || d.String() == "" {
				t.Fatalf("no key: %+v", d)
			}
		}
		dependencies.Compare(dependencies.Tree{}, tree)
	})
}

func FuzzPackageJSON(f *testing.F) {
	fuzzReader(f, "package.json", "{\"dependencies\":{\"a\":\"npm:b@1\",\"c\":\"workspace:*\"},\"overrides\":{\"x\":{\".\":\"1\",\"y\":\"$a\"}},\"pnpm\":{\"overrides\":{\"p>q\":\"1\"}},\"resolutions\":{\"**/@s/z\":\"1\"},\"workspaces\":{\"catalog\":{\"a\":\"1\"}}}")
}

func FuzzPnpmWorkspace(f *testing.F) {
	fuzzReader(f, "pnpm-workspace.yaml", "catalog:\n  a: ^1\ncatalogs:\n  b: {c: npm:d@1}\n")
}

func FuzzPackageLock(f *testing.F) {
	fuzzReader(f, "package-lock.json", "{\"packages\":{\"node_modules/a\":{\"version\":\"1\",\"resolved\":\"https://h.example/a\"}},\"dependencies\":{\"b\":{\"version\":\"1\",\"dependencies\":{\"c\":{\"version\":\"npm:d@1\"}}}}}")
}

func FuzzYarnLock(f *testing.F) {
	fuzzReader(f, "yarn.lock", "\"@a/b@^1\", \"@a/b@^2\":\n  version \"1.0.0\"\n  resolution: \"x@npm:1\"\n")
}

func FuzzPnpmLock(f *testing.F) {
	fuzzReader(f, "pnpm-lock.yaml", "packages:\n  /a/1.0.0_b@1:\n    resolution: {tarball: https://x}\n  'c@1.0.0(d@1)':\n    resolution:\n      integrity: x\n")
}

func FuzzPyproject(f *testing.F) {
	fuzzReader(f, "pyproject.toml", "[project]\nname=\"a\"\ndependencies=[\"b[c]>=1; x\"]\n[tool.poetry.dependencies]\nd={git=\"x\"}\n[tool.uv.sources]\nb=[{index=\"i\"}]\n[[tool.uv.index]]\nname=\"i\"\nurl=\"https://x\"\n")
}

func FuzzSetupCfg(f *testing.F) {
	fuzzReader(f, "setup.cfg", "[options]\ninstall_requires =\n  a>=1\n[options.extras_require]\nb = c\n")
}

func FuzzPipfile(f *testing.F) {
	fuzzReader(f, "Pipfile", "[packages]\na=\"==1\"\nb={git=\"x\"}\n[[source]]\nurl=\"https://x\"\nname=\"y\"\n")
}

func FuzzRequirements(f *testing.F) {
	fuzzReader(f, "requirements.txt", "-r requirements.txt\n-i https://x\na[b]==1 \\\\\n  --hash=sha256:x\n  # via -r\n-e git+https://x#egg=y\n")
}

func FuzzPythonLock(f *testing.F) {
	fuzzReader(f, "uv.lock", "[[package]]\nname = \"a\"\nversion = \"1\"\nsource = { registry = \"https://x\" }\n[package.source]\ntype = \"git\"\n")
}

func FuzzGoMod(f *testing.F) {
	fuzzReader(f, "go.mod", "module a.b/c\ngo 1.24\nrequire (\n\tx.y/z v1.0.0 // indirect\n)\nreplace x.y/z => ../z\ntool x.y/z/cmd\n")
}

func FuzzGoSum(f *testing.F) {
	fuzzReader(f, "go.sum", "a.b/c v1.0.0 h1:x=\na.b/c v1.0.0/go.mod h1:x=\n")
}

func FuzzCargo(f *testing.F) {
	fuzzReader(f, "Cargo.toml", "[workspace.dependencies]\na={package=\"b\",version=\"=1.0.0\"}\n[target.x.dependencies]\na.workspace=true\n[patch.crates-io]\nc={git=\"x\"}\n")
}

func FuzzCargoLock(f *testing.F) {
	fuzzReader(f, "Cargo.lock", "[[package]]\nname = \"a\"\nversion = \"1\"\nsource = \"registry+https://x\"\n")
}

func FuzzGemfile(f *testing.F) {
	fuzzReader(f, "Gemfile", "source \"https://x.example\" do\n  gem \"a\", \"1\"\nend\ngem \"b\", :git => \"x\"\n")
}

func FuzzGemspec(f *testing.F) {
	fuzzReader(f, "a.gemspec", "s.add_dependency \"a\", \">= 1\"\n")
}

func FuzzGemfileLock(f *testing.F) {
	fuzzReader(f, "Gemfile.lock", "GEM\n  remote: https://x\n  specs:\n    a (1.0-x86)\n")
}

func FuzzPOM(f *testing.F) {
	fuzzReader(f, "pom.xml", "<project><properties><v>${v}</v></properties><dependencies><dependency><groupId>${g}</groupId><artifactId>a</artifactId><version>${v}</version></dependency></dependencies></project>")
}

func FuzzMSBuild(f *testing.F) {
	fuzzReader(f, "a.csproj", "<Project Sdk=\"a/1\"><ItemGroup><PackageReference Include=\"a;b\" Version=\"[1.0]\"/></ItemGroup></Project>")
}

func FuzzPackagesConfig(f *testing.F) {
	fuzzReader(f, "packages.config", "<packages><package id=\"a\" version=\"1\"/></packages>")
}

func FuzzNuGetLock(f *testing.F) {
	fuzzReader(f, "packages.lock.json", "{\"dependencies\":{\"net8.0\":{\"a\":{\"type\":\"Direct\",\"resolved\":\"1\"}}}}")
}

func FuzzWorkflow(f *testing.F) {
	fuzzReader(f, ".github/workflows/a.yml", "jobs:\n  a:\n    container: {image: x:1}\n    steps:\n    - uses: a/b@c\n")
}

func FuzzDockerfile(f *testing.F) {
	fuzzReader(f, "Dockerfile", "ARG V=1\nFROM a:${V} AS b\nFROM b\nCOPY --from=c/d:1 / /\n")
}

// FuzzSettings gives any bytes as the settings files that say where names come
// from: they may only change sources.
func FuzzSettings(f *testing.F) {
	for _, s := range []string{
		"@a:registry=https://x\nregistry=https://y\n", "npmScopes:\n  a: {npmRegistryServer: https://x}\n", "\"@a:registry\" \"https://x\"\n",
		"[install.scopes]\na = {url = \"https://x\"}\n", "index-url = \"https://x\"\n[[index]]\nurl = \"https://y\"\n",
		"[source.crates-io]\nreplace-with = \"x\"\n[source.x]\nregistry = \"https://x\"\n", "<configuration><packageSources><clear/><add value=\"https://x\"/></packageSources></configuration>",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		tree := fstest.MapFS{
			"package.json":   {Data: []byte(`{"dependencies": {"@a/b": "1.0.0", "c": "^1"}}`)},
			"pyproject.toml": {Data: []byte("[project]\ndependencies = [\"d\"]\n")},
			"Cargo.toml":     {Data: []byte("[dependencies]\ne = \"1\"\n")},
			"app.csproj":     {Data: []byte(`<Project><ItemGroup><PackageReference Include="f" Version="1.0.0"/></ItemGroup></Project>`)},
		}
		for _, name := range []string{".npmrc", ".yarnrc.yml", ".yarnrc", "bunfig.toml", "uv.toml", ".cargo/config.toml", "nuget.config", ".gitignore"} {
			if name == ".gitignore" && strings.ContainsAny(string(text), "*?![") {
				continue // it may hide everything
			}
			tree[name] = &fstest.MapFile{Data: text}
		}
		found, err := dependencies.Read(t.Context(), tree, dependencies.ReadOptions{UserNPMRC: string(text), Private: string(text)})
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Dependencies) > 5 {
			t.Fatalf("%d entries", len(found.Dependencies))
		}
	})
}
