package tests

import (
	"slices"
	"strings"

	"steelyard/lint"
)

// listLoop is a loop of a test over values that are written out.
type listLoop struct {
	head  string // what stands around the list
	items []string
	at    int
	list  span
}

// Bounds on the loops of a test.
const (
	maxLoops = 50
	maxItems = 200
)

// shortened reports loops of a test that check something for each value of a
// list, and of which the list lost some.
func (c *change) shortened(o, n *test) {
	if len(o.asserts) == 0 || len(n.asserts) == 0 {
		return
	}
	before := o.listLoops()
	if len(before) == 0 {
		return
	}
	after := n.listLoops()
	for _, b := range after {
		i := slices.IndexFunc(before, func(a listLoop) bool { return a.head == b.head })
		if i < 0 {
			continue
		}
		a := before[i]
		before = slices.Delete(before, i, i+1)
		lost := without(a.items, b.items)
		if len(lost) == 0 || len(without(b.items, a.items)) > 0 || len(b.items) == 0 || !n.checksAfter(b.at) || c.itemGone(o, n, a, lost) {
			continue
		}
		c.report("TS005", n.suite.path, n.suite.src.line(b.at), []lint.Related{was(o.suite, a.at, "it was: %s", short(o.suite.src.join(a.list)))},
			"%q no longer checks %s", short(n.name), short(strings.Join(lost, ", ")))
	}
}

// itemGone reports whether a value that left a list is gone from the product,
// or has a check of its own now.
func (c *change) itemGone(o, n *test, a listLoop, lost []string) bool {
	now := n.suite.src.join(n.body)
	for i := a.list.from; i < a.list.to; i++ {
		if v := o.suite.src.at(i); (c.vanished[v] || c.members[strings.Trim(v, "'\"`:")] || c.vanished[strings.Trim(v, "'\"`:")]) && slices.ContainsFunc(lost, func(item string) bool { return strings.Contains(item, v) }) {
			return true
		}
	}
	for _, item := range lost {
		if holds(now, item) {
			return true
		}
	}
	return false
}

// checksAfter reports whether an assertion follows a place of a test.
func (t *test) checksAfter(at int) bool {
	return slices.ContainsFunc(t.asserts, func(a assertion) bool { return a.end > at && (!a.setup || a.helper) })
}

// without are the texts of a that are not in b.
func without(a, b []string) []string {
	var rest []string
	for _, v := range a {
		if !slices.Contains(b, v) {
			rest = append(rest, v)
		}
	}
	return rest
}

// eachCalls run a block for each value of the list before the dot.
var eachCalls = map[string]bool{"forEach": true, "each": true, "each_with_index": true, "ForEach": true}

// listLoops finds the loops of a test over lists.
func (t *test) listLoops() []listLoop {
	var found []listLoop
	src := t.suite.src
	for i := t.body.from; i < t.body.to && len(found) < maxLoops; i++ {
		switch {
		case (src.is(i, "for") || src.is(i, "foreach")) && src.token(i).first:
			if l, ok := t.headLoop(i); ok {
				found = append(found, l)
			}
		case src.isWord(i) && eachCalls[src.at(i)] && src.is(i-1, ".") && i-2 > t.body.from:
			list := span{i - 2, i - 1}
			if m := int(src.token(i - 2).mate); closes(src.at(i-2)) && m >= t.body.from && m < i {
				list = span{m, i - 1}
			}
			if l, ok := t.listOf(list); ok {
				l.head, l.at = src.at(i), list.from
				found = append(found, l)
			}
		}
	}
	return found
}

// headLoop reads the head of a loop that begins at i: the last list in it.
func (t *test) headLoop(i int) (listLoop, bool) {
	src := t.suite.src
	end := i + 1
	if c := src.close(i + 1); src.is(i+1, "(") && c > 0 && src.lang != python && src.lang != rust && src.lang != golang {
		end = c
	} else {
		for end < t.body.to && end < i+maxItems*4 && (!src.token(end).first || src.token(end).col > src.token(i).col) {
			if src.is(end, "{") && (src.lang == rust || src.lang == golang && (src.close(end) > 0 && src.token(src.close(end)).first || !src.is(end-1, "string") && src.is(end-1, "}"))) {
				break
			}
			if c := src.close(end); c > 0 && c < t.body.to {
				end = c
			} else if src.is(end, ":") && src.lang == python {
				break
			}
			end++
		}
	}
	from := i + 1
	for from < end && !src.is(from, "in") && !src.is(from, "of") && !src.is(from, "range") && !src.is(from, ":") {
		from++
	}
	for at := end - 1; at > from; at-- {
		if !opens(src.at(at)) || src.close(at) < 0 || src.close(at) > end {
			continue
		}
		if up := int(src.token(at).up); up > i+1 {
			continue // of lists in lists the outermost counts
		}
		l, ok := t.listOf(span{at, src.close(at) + 1})
		if !ok {
			continue
		}
		l.head, l.at = src.join(span{i, at})+" … "+src.join(span{src.close(at) + 1, end}), i
		return l, true
	}
	return listLoop{}, false
}

// listOf reads a list of values that are written out: literals and names.
func (t *test) listOf(r span) (listLoop, bool) {
	src := t.suite.src
	l := listLoop{list: r}
	if r.len() == 1 && src.kind(r.from) == text && src.lang == ruby && strings.HasPrefix(src.at(r.from), "%") {
		l.items = strings.Fields(strings.TrimRight(strings.TrimLeft(src.at(r.from), "%wWiI[({<"), "])}>"))
		return l, len(l.items) > 1
	}
	if r.len() < 3 || !opens(src.at(r.from)) {
		return l, false
	}
	for _, part := range src.split(span{r.from + 1, r.to - 1}) {
		if part.len() > 12 || len(l.items) > maxItems || !src.writtenOut(part) {
			return l, false
		}
		l.items = append(l.items, src.join(part))
	}
	return l, len(l.items) > 1
}

// writtenOut reports whether a value is a literal, a name or one behind its
// type.
func (s *source) writtenOut(r span) bool {
	if s.literal(r) {
		return true
	}
	for i := r.from; i < r.to; i++ {
		if s.kind(i) == mark && !s.is(i, ".") && !s.is(i, "::") && !s.is(i, ":") && !s.is(i, "&") && !s.is(i, "-") {
			return false
		}
	}
	return true
}
