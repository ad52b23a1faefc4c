package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "steelyard"

// pkg is what `go list -json` says of a package.
type pkg struct {
	ImportPath string
	Dir        string
	Doc        string
	GoFiles    []string
	Imports    []string
}

// dir is the package's folder below the module root; "." for the root.
func (p pkg) dir() string {
	if p.ImportPath == module {
		return "."
	}
	return strings.TrimPrefix(p.ImportPath, module+"/")
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Dir,Doc,GoFiles,Imports", module+"/...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("list packages: %v\n%s", err, stderr.String())
	}
	var all []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("decode package list: %v", err)
		}
		all = append(all, p)
	}
}

// covers reports whether pattern ("lint", "lint/...") matches dir.
func covers(pattern, dir string) bool {
	if parent, ok := strings.CutSuffix(pattern, "/..."); ok {
		return dir == parent || strings.HasPrefix(dir, parent+"/")
	}
	return pattern == dir
}

// wallOf returns the wall of dir: its own row, else the longest folder row.
func wallOf(dir string) (wall, bool) {
	var best wall
	for _, w := range walls {
		if w.dir == dir {
			return w, true
		}
		if covers(w.dir, dir) && len(w.dir) > len(best.dir) {
			best = w
		}
	}
	return best, best.dir != ""
}

func (w wall) allows(dir string) bool {
	for _, m := range w.may {
		if m == "*" || covers(m, dir) {
			return true
		}
	}
	return false
}

func TestWalls(t *testing.T) {
	for _, p := range packages(t) {
		w, ok := wallOf(p.dir())
		if !ok {
			t.Errorf("%s has no wall: add a row to internal/arch that says what it may import and why", p.dir())
			continue
		}
		for _, imp := range p.Imports {
			dep, ours := strings.CutPrefix(imp, module+"/")
			if ours && !w.allows(dep) {
				t.Errorf("%s may not import %s: %s", p.dir(), dep, w.why)
			}
			if what, bad := impure[imp]; bad && w.pure {
				t.Errorf("%s may not import %s (%s): %s", p.dir(), imp, what, w.why)
			}
		}
	}
}

// TestEstimatorsDependOnGonumOnly keeps metrics/did a library anyone could
// lift out.
func TestEstimatorsDependOnGonumOnly(t *testing.T) {
	for _, p := range packages(t) {
		if p.dir() != "metrics/did" {
			continue
		}
		for _, imp := range p.Imports {
			standard := !strings.Contains(strings.SplitN(imp, "/", 2)[0], ".")
			if !standard && !strings.HasPrefix(imp, "gonum.org/v1/gonum/") {
				t.Errorf("metrics/did may not import %s: estimators depend on gonum alone", imp)
			}
		}
	}
}

// TestPurePackagesReadNoClock looks for calls such as time.Now.
func TestPurePackagesReadNoClock(t *testing.T) {
	for _, p := range packages(t) {
		w, _ := wallOf(p.dir())
		if !w.pure {
			continue
		}
		for _, name := range p.GoFiles {
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatalf("parse %s/%s: %v", p.dir(), name, err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" && clockCalls[sel.Sel.Name] {
					t.Errorf("%s/%s:%d calls time.%s: %s", p.dir(), name, fset.Position(sel.Pos()).Line, sel.Sel.Name, w.why)
				}
				return true
			})
		}
	}
}

// TestPackagesSayWhatTheyAre wants a package comment everywhere.
func TestPackagesSayWhatTheyAre(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.GoFiles) > 0 && p.Doc == "" {
			t.Errorf("%s has no package comment", p.dir())
		}
	}
}

// TestWallTableIsUsed fails on a row that covers no package, but for rooms
// that the house has planned and not built yet.
func TestWallTableIsUsed(t *testing.T) {
	planned := map[string]bool{"metrics/jobs": true}
	seen := map[string]bool{}
	for _, p := range packages(t) {
		if w, ok := wallOf(p.dir()); ok {
			seen[w.dir] = true
		}
	}
	for _, w := range walls {
		if !seen[w.dir] && !planned[w.dir] {
			t.Errorf("the wall of %s covers no package", w.dir)
		}
	}
}
