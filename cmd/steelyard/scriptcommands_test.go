package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"steelyard/lint/output"
	"steelyard/metrics"
)

// effect FILE METRIC METHOD ESTIMATE SE TOLERANCE holds one effect of a report
// in JSON, on the scale its method works on, to a reference.
func effect(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 6 {
		ts.Fatalf("usage: effect FILE METRIC METHOD ESTIMATE SE TOLERANCE")
	}
	var r metrics.Report
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &r))
	e := findEffect(&r, args[1], args[2])
	if e == nil {
		ts.Fatalf("the report has no effect of %s by %s", args[1], args[2])
	}
	tolerance := parseNumber(ts, args[5])
	for i, got := range []*float64{e.Raw, e.SE} {
		want := parseNumber(ts, args[3+i])
		if got == nil || math.Abs(*got-want) > tolerance {
			ts.Fatalf("%s by %s: %s, want %v within %v", args[1], args[2], pointed(got), want, tolerance)
		}
	}
}

// effects FILE REFERENCE TOLERANCE is effect for each row of a CSV file:
// outcome, method, estimate, standard error.
func effects(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: effects FILE REFERENCE TOLERANCE")
	}
	rows, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[1]))).ReadAll()
	ts.Check(err)
	for _, row := range rows[1:] {
		effect(ts, false, []string{args[0], row[0], row[1], row[2], row[3], args[2]})
	}
}

func findEffect(r *metrics.Report, outcome, method string) *metrics.Effect {
	for _, m := range r.Metrics {
		if m.Outcome.ID != outcome {
			continue
		}
		for _, e := range append([]metrics.Effect{m.Headline}, m.Others...) {
			if e.Method == method {
				return &e
			}
		}
	}
	return nil
}

func pointed(x *float64) string {
	if x == nil {
		return "nothing"
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
}

func parseNumber(ts *testscript.TestScript, s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	ts.Check(err)
	return x
}

// valid FILE holds the findings in a file to the published JSON schema.
func valid(ts *testscript.TestScript, neg bool, args []string) {
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(output.Schema))
	ts.Check(err)
	c := jsonschema.NewCompiler()
	ts.Check(c.AddResource("findings.json", schema))
	s, err := c.Compile("findings.json")
	ts.Check(err)
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	if err := s.Validate(doc); (err != nil) != neg {
		ts.Fatalf("%s: %v", args[0], err)
	}
}

// badline N writes long.csv, whose line N holds a date that does not exist.
func badLine(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	var b strings.Builder
	b.WriteString("team,day,n,start\n")
	for line := 2; line <= n+10; line++ {
		day := "2024-01-0" + strconv.Itoa(line%7+1)
		if line == n {
			day = "2024-13-01"
		}
		fmt.Fprintf(&b, "team %d,%s,%d,\n", line/7, day, line)
	}
	ts.Check(os.WriteFile(ts.MkAbs("long.csv"), []byte(b.String()), 0o644))
}

// windows FROM TO writes a file as a spreadsheet on Windows saves it: with a
// byte-order mark and CRLF line ends.
func windows(ts *testscript.TestScript, _ bool, args []string) {
	text := "\ufeff" + strings.ReplaceAll(ts.ReadFile(args[0]), "\n", "\r\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o644))
}

// compress FROM TO [BYTES] writes a file as gzip, cut off after BYTES bytes.
func compress(ts *testscript.TestScript, _ bool, args []string) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(w.Close())
	if len(args) > 2 {
		n, err := strconv.Atoi(args[2])
		ts.Check(err)
		b.Truncate(min(n, b.Len()))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b.Bytes(), 0o644))
}

// cut FROM TO BYTES writes the beginning of a file.
func cutFile(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	text := ts.ReadFile(args[0])
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text[:min(n, len(text))]), 0o644))
}

// interrupted SIGNAL COMMAND… starts a command that serves, waits for the
// address of /mcp, sends the signal, and holds the command to a clean end.
func interrupted(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]syscall.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT}
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupted SIGNAL COMMAND [ARG…]")
	}
	bin := filepath.Join(strings.Split(ts.Getenv("PATH"), string(filepath.ListSeparator))[0], args[1])
	cmd := exec.Command(bin, args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = []string{"PATH=" + ts.Getenv("PATH"), "TMPDIR=" + ts.Getenv("TMPDIR"), "HOME=" + ts.Getenv("HOME")}
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	late := time.AfterFunc(5*time.Minute, func() { _ = cmd.Process.Kill() }) // it would hang for good
	defer late.Stop()
	lines, sent := bufio.NewScanner(out), false
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "mcp ") {
			ts.Check(cmd.Process.Signal(signals[args[0]]))
			sent = true
		}
	}
	if err := cmd.Wait(); err != nil || !sent {
		ts.Fatalf("%s after SIG%s: %v", strings.Join(args[1:], " "), args[0], err)
	}
}
