package output

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"steelyard/lint"
)

// Diff writes changes as a unified diff for people: secrets in it are starred
// and unsafe characters are escapes, so it shows what --fix would do and is no
// patch.
func Diff(w io.Writer, changes []lint.Change) error {
	b := bufio.NewWriter(w)
	for _, c := range changes {
		_, _ = fmt.Fprintf(b, "--- %s\n+++ %s\n", opening(c.Path), opening(c.Path)) // Flush has the error
		for _, h := range hunks(lines(c.Before), lines(c.After)) {
			h.write(b)
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write diff: %w", err)
	}
	return nil
}

func lines(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		all = append(all, line)
	}
	return all
}

// step is one line of a diff: ' ' kept, '-' taken away, '+' added.
type step struct {
	op   byte
	line string
}

// hunk is a run of changes with the lines around them.
type hunk struct {
	before, after int // number of the first line, from 1
	steps         []step
}

func (h hunk) write(b *bufio.Writer) {
	from, to := 0, 0
	for _, s := range h.steps {
		if s.op != '+' {
			from++
		}
		if s.op != '-' {
			to++
		}
	}
	_, _ = fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", h.before, from, h.after, to)
	for _, s := range h.steps {
		text, whole := strings.CutSuffix(s.line, "\n")
		_, _ = fmt.Fprintln(b, muteLine(string(s.op)+shown(strings.TrimSuffix(text, "\r"))))
		if !whole {
			_, _ = fmt.Fprintln(b, `\ No newline at end of file`)
		}
	}
}

// around is how many unchanged lines stand around a change.
const around = 3

// hunks groups the steps between two texts.
func hunks(before, after []string) []hunk {
	var found []hunk
	steps := compare(before, after)
	b, a := 1, 1 // numbers of the lines at i
	open := -1   // the step up to which the last hunk reaches
	for i, s := range steps {
		if s.op != ' ' {
			from := max(i-around, 0)
			if open >= from && len(found) > 0 {
				last := &found[len(found)-1]
				last.steps = append(last.steps, steps[open:min(i+1+around, len(steps))]...)
			} else {
				found = append(found, hunk{b - (i - from), a - (i - from), append([]step{}, steps[from:min(i+1+around, len(steps))]...)})
			}
			open = min(i+1+around, len(steps))
		}
		if s.op != '+' {
			b++
		}
		if s.op != '-' {
			a++
		}
	}
	return found
}

// maxCompared bounds the lines that are compared each with each.
const maxCompared = 2000

// compare is the shortest way from one text to the other, by the longest common
// subsequence of what lies between their equal ends. Where that is too long,
// all of it is replaced.
func compare(before, after []string) []step {
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	var steps []step
	for _, l := range before[:head] {
		steps = append(steps, step{' ', l})
	}
	steps = append(steps, between(before[head:len(before)-tail], after[head:len(after)-tail])...)
	for _, l := range before[len(before)-tail:] {
		steps = append(steps, step{' ', l})
	}
	return steps
}

func between(before, after []string) []step {
	var steps []step
	if len(before) > maxCompared || len(after) > maxCompared {
		for _, l := range before {
			steps = append(steps, step{'-', l})
		}
		for _, l := range after {
			steps = append(steps, step{'+', l})
		}
		return steps
	}
	common := make([][]int, len(before)+1) // common[i][j]: of before[i:] and after[j:]
	for i := range common {
		common[i] = make([]int, len(after)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(after) - 1; j >= 0; j-- {
			if before[i] == after[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(before) || j < len(after) {
		switch {
		case i < len(before) && j < len(after) && before[i] == after[j]:
			steps = append(steps, step{' ', before[i]})
			i++
			j++
		case j == len(after) || i < len(before) && common[i+1][j] >= common[i][j+1]:
			steps = append(steps, step{'-', before[i]})
			i++
		default:
			steps = append(steps, step{'+', after[j]})
			j++
		}
	}
	return steps
}
