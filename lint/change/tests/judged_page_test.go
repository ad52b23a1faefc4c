package tests_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
)

// firstBlindSet is the first set whose judges had not seen the rules.
const firstBlindSet = 5

// judgedReport is docs/test-rules.md.
func judgedReport(commits []judgedCommit) []byte {
	var out bytes.Buffer
	first := func(c judgedCommit) string { return c.first }
	now := func(c judgedCommit) string { return c.now }
	clear := slices.DeleteFunc(slices.Clone(commits), func(c judgedCommit) bool { return c.doubtful })
	blind := func(c judgedCommit) string { // those of the first sets were judged by who knew the rules
		if n, err := strconv.Atoi(c.set); err != nil || n < firstBlindSet {
			return "unknown"
		}
		return c.first
	}
	unseen, certain := countJudged(commits, blind), countJudged(clear, blind)
	fmt.Fprintf(&out, `# How often the test rules are right

The rules [TS000](rules/TS000.md) and following compare the tests of a change with those before it. They go by forms, not by meaning: they neither run a test nor know types. So we measure them on commits of public repositories that were read one by one and judged: does a test that was there before run less often or check less, while what it tests is still there? From set %d on, whoever judged had not seen the rules, and each set was run once before anything was mended by it.

**On those commits that nobody had mended anything by, %.0f %% of what the rules report is right, and they report %.0f %% of the commits that weaken a test** (%d commits, %d of which weaken one; without those that two careful readers might judge differently %.0f %% and %.0f %%). That is the figure to expect in your own repository. Of these commits %.0f %% weaken a test, because they were sought out; where fewer do, a smaller share of the findings is right. A finding of these rules is a question to whoever reviews, and silence is no proof.

After a set was run, the rules were mended by what it showed, so what they say of it now is better than what to expect.

| set | commits | weaken a test | unseen: right | unseen: found | now: right | now: found |
| --- | --- | --- | --- | --- | --- | --- |
`, firstBlindSet, 100*unseen.precision(), 100*unseen.recall(), unseen.commits, unseen.weaker, 100*certain.precision(), 100*certain.recall(), 100*float64(unseen.weaker)/float64(unseen.commits))
	var sets []string
	for _, c := range commits {
		if !slices.Contains(sets, c.set) {
			sets = append(sets, c.set)
		}
	}
	for _, set := range sets {
		of := slices.DeleteFunc(slices.Clone(commits), func(c judgedCommit) bool { return c.set != set })
		row(&out, set, countJudged(of, first), countJudged(of, now))
	}
	row(&out, "all", countJudged(commits, first), countJudged(commits, now))
	fmt.Fprint(&out, `
“Right” is precision: the share of commits with a finding that weaken a test. “Found” is recall: the share of the commits that weaken a test which have a finding. Findings of severity note are not counted. Set 1 was there while the rules were first written; set 10 has clear commits alone.

The commits and their judgements are in [judged.tsv](../lint/change/tests/testdata/judged.tsv). With bare clones of the repositories, each as `+"`owner+name`"+` in one folder, this runs the rules over them and writes this page:

`+"```sh"+`
STEELYARD_TS_REPOSITORIES=FOLDER go test ./lint/change/tests -run TestJudgedCommits -update
`+"```"+`
`)
	return out.Bytes()
}

func row(out *bytes.Buffer, name string, first, now judgedCount) {
	unseen := "– | –"
	if first.commits > 0 {
		unseen = fmt.Sprintf("%.2f | %.2f", first.precision(), first.recall())
	}
	fmt.Fprintf(out, "| %s | %d | %d | %s | %.2f | %.2f |\n", name, now.commits, now.weaker, unseen, now.precision(), now.recall())
}
