package dependencies

import "steelyard/lint"

// The rules, one for each reason. What each means stands on its page in
// package rules.
const (
	ruleUnreadable    = "DP000"
	ruleMissing       = "DP001"
	ruleNoVersion     = "DP002"
	rulePlaceholder   = "DP003"
	ruleQuarantined   = "DP004"
	ruleMalicious     = "DP005"
	ruleYoung         = "DP006"
	ruleLookalike     = "DP007"
	ruleUnused        = "DP008"
	ruleDeprecated    = "DP009"
	ruleYanked        = "DP010"
	ruleInstallScript = "DP011"
	ruleSource        = "DP012"
	ruleLockedHost    = "DP013"
	ruleNoIntegrity   = "DP014"
	ruleLicence       = "DP015"
	ruleNoLicence     = "DP016"
	ruleUnverified    = "DP017"
	ruleExpired       = "DP018"
	ruleInvented      = "DP019"
)

// ruleIDs lists them in order.
func ruleIDs() []string {
	return []string{
		ruleUnreadable, ruleMissing, ruleNoVersion, rulePlaceholder, ruleQuarantined, ruleMalicious, ruleYoung,
		ruleLookalike, ruleUnused, ruleDeprecated, ruleYanked, ruleInstallScript, ruleSource, ruleLockedHost,
		ruleNoIntegrity, ruleLicence, ruleNoLicence, ruleUnverified, ruleExpired, ruleInvented,
	}
}

// Rules returns the family's rules in ID order. They report what an
// [Assessment] that the run was given says, see [lint.Config.Given]; a run
// without one has no change to judge, and they find nothing.
func Rules() []lint.Rule {
	var all []lint.Rule
	for _, id := range ruleIDs() {
		all = append(all, lint.Rule{ID: id, Check: func(p *lint.Pass) {
			a, ok := lint.Given[*Assessment](p)
			if !ok {
				p.Abstain()
				return
			}
			a.report(p, id)
		}})
	}
	return all
}
