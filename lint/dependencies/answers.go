package dependencies

import "context"

// Answers is a registry that knows the facts of some packages, by
// "ecosystem:name", and says nothing of others. The pages of the rules are
// held to what they claim with it.
type Answers map[string]Facts

// Lookup returns the facts of each query.
func (a Answers) Lookup(_ context.Context, queries []Query) []Facts {
	facts := make([]Facts, len(queries))
	for i, q := range queries {
		f, ok := a[string(q.Ecosystem)+":"+q.Name]
		if !ok {
			f.Why = "it was not asked"
		}
		if f.Asked == "" {
			f.Asked = q.Ecosystem.Title()
		}
		if f.Existence == Exists && f.VersionExistence == Unknown && f.VersionWhy == "" && q.Version != "" {
			f.VersionExistence, f.Version = Exists, q.Version
		}
		facts[i] = f
	}
	return facts
}
