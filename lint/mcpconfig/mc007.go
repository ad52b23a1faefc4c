package mcpconfig

import (
	"slices"
	"strings"

	"steelyard/lint"
	"steelyard/lint/launch"
	"steelyard/lint/secrets"
)

// secretInQuery reports credentials that are sent as a part of the address.
var secretInQuery = lint.Rule{ID: "MC007", Check: checkSecretInQuery}

func checkSecretInQuery(p *lint.Pass) {
	for _, c := range configs(p) {
		for _, s := range c.Servers {
			for _, a := range s.reaches {
				for _, q := range a.parameters() {
					literal := slices.ContainsFunc(c.found, func(one secrets.Secret) bool { return one.At == q.Value.At() })
					if _, secret := secrets.KindByName(q.Key.Value); secret && !literal && (launch.IsReference(q.Value.Value) || !secrets.StandIn(q.Value.Value)) {
						p.Reportf(c.File, q.Key.At(), "server %q gets its credential in the address, as parameter %q, where logs and proxies keep it", s.Name.Value, q.Key.Value)
					}
				}
			}
		}
	}
}

// parameters returns the names and values of an address's query.
func (a address) parameters() []Pair {
	at := strings.IndexByte(a.text.Value, '?')
	if at < 0 || at < a.hostAt[1] {
		return nil
	}
	var all []Pair
	end := len(a.text.Value)
	if i := strings.IndexByte(a.text.Value[at:], '#'); i >= 0 {
		end = at + i
	}
	for from := at + 1; from < end; {
		to := end
		if i := strings.IndexByte(a.text.Value[from:end], '&'); i >= 0 {
			to = from + i
		}
		if eq := strings.IndexByte(a.text.Value[from:to], '='); eq > 0 {
			all = append(all, Pair{a.text.Cut(from, from+eq), a.text.Cut(from+eq+1, to)})
		}
		from = to + 1
	}
	return all
}
