package main

import (
	"bytes"
	"testing"
)

// TestTerminal holds that nothing of others steers the terminal it is shown on.
func TestTerminal(t *testing.T) {
	var out, err bytes.Buffer
	p := &program{stdout: &out, stderr: &err}
	p.say("steelyard: %s", "go\x1b[2Jne \u202eback\u200b\r\n\tnext – 18 h, naïve 🙂\u2028end\u009b1m")
	if got, want := err.String(), "steelyard: go\\x1b[2Jne \\u202eback\\u200b\\r\n\tnext – 18 h, naïve 🙂\\u2028end\\u009b1m\n"; got != want {
		t.Errorf("it says\n%q\nwant\n%q", got, want)
	}
	if e := printColumns(p.stdout, [][]string{{"a\nb", "c"}, {"d\x07", "e"}}); e != nil {
		t.Fatal(e)
	}
	if got, want := out.String(), "a\\nb  c\nd\\a   e\n"; got != want {
		t.Errorf("columns\n%q\nwant\n%q", got, want)
	}
}
