package web

import (
	"slices"
	"strings"

	"steelyard/metrics"
)

// howFacts is everything needed to compute the same report again.
func howFacts(r *metrics.Report) []fact {
	var out []fact
	add := func(f fact) { out = append(out, f) }
	for _, f := range r.Computed {
		add(fact{Term: f.Title, Texts: []string{f.Text}})
	}
	if why := unsaid(r.Design.Why, r.Computed); len(why) > 0 {
		add(fact{Term: "Why this method", Texts: why})
	}
	if not := r.MethodsNotUsed(); len(not) > 0 {
		add(fact{Term: "Methods not used", Texts: not})
	}
	if len(r.LeftOut) > 0 {
		add(fact{Term: "Counted as left out", LeftOut: r.LeftOut})
	}
	p := r.Definition.Pilot
	for _, s := range p.Sources {
		add(sourceFact(s))
	}
	if i := r.Import; i != nil {
		add(fact{Term: "Import", Texts: []string{i.File + ", " + some(i.Rows, "row") + ", " + stamp(i.At)}, Code: "SHA-256 " + i.SHA256})
	}
	add(fact{Term: "Fingerprint of the definition", Texts: []string{"Saved " + stamp(r.Definition.SavedAt) + "."}, Code: "SHA-256 " + r.Definition.Hash})
	for _, ch := range r.Definition.Changes {
		when := "before the start"
		if ch.AfterStart {
			when = "after the start"
		}
		add(fact{
			Term: "Definition changed", Texts: []string{
				"On " + stamp(ch.ReplacedAt) + ", " + when + ": " + list(ch.What) + ". It was saved " + stamp(ch.SavedAt) + ".",
			},
			Code: "SHA-256 " + ch.Hash,
		})
	}
	if r.Command != "" {
		add(fact{Term: "The same report", Code: r.Command})
	}
	return out
}

// unsaid are the sentences that no fact has said already.
func unsaid(sentences []string, said []metrics.Fact) []string {
	var out []string
	for _, s := range sentences {
		if !slices.ContainsFunc(said, func(f metrics.Fact) bool { return strings.Contains(f.Text, s) }) {
			out = append(out, s)
		}
	}
	return out
}

// sourceFact says where data comes from and under which licence.
func sourceFact(s metrics.Source) fact {
	f := fact{Term: "Source", Texts: []string{s.Title}, Link: external(s.URL)}
	if s.MadeUp {
		f.Texts = append([]string{"Made-up numbers, not a measurement."}, f.Texts...)
	}
	if s.URL != "" && f.Link == "" {
		f.Texts = append(f.Texts, s.URL)
	}
	if s.Licence != "" {
		f.Texts = append(f.Texts, "Licence: "+sentence(s.Licence))
	}
	if s.Note != "" {
		f.Texts = append(f.Texts, s.Note)
	}
	return f
}
