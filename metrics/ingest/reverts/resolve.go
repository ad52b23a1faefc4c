package reverts

import "strings"

// resolve finds the change that a candidate of the change at place names: by
// number, else by commit, else by exact title. It returns place itself where
// the candidate names its own change, and a reason where it names none.
func (x *index) resolve(place int, c Candidate) (int, How, Reason) {
	var reason Reason
	if c.Number > 0 {
		target, why := x.resolveNumber(place, c)
		if why == "" && !x.contradicted(place, c, target) {
			return target, ByNumber, ""
		}
		reason = why
	}
	if c.Commit != "" {
		target, why := x.resolveCommit(place, c.Commit)
		if why == "" {
			return target, ByCommit, ""
		}
		reason = why
		if c.inner {
			// The hash of a commit on the branch, gone with the squash or the rebase.
			return 0, "", reason
		}
	}
	if c.Title != "" {
		target, why := x.resolveTitle(place, c)
		if why == "" {
			return target, ByTitle, ""
		}
		if reason == "" {
			reason = why
		}
	}
	return 0, "", reason
}

func (x *index) resolveNumber(place int, c Candidate) (int, Reason) {
	if c.Number == x.changes[place].Number && (c.Repository == "" || x.names[strings.ToLower(c.Repository)]) {
		return place, ""
	}
	foreign := c.Repository != "" && len(x.names) > 0 && !x.names[strings.ToLower(c.Repository)]
	target, reason := x.pick(place, x.numbers[c.Number], NoNumber)
	switch {
	case reason != "":
		return 0, reason
	case x.branchAlone(place, c, target):
		return 0, Unclear
	case foreign && !x.titled(target, x.changes[place].Quoted):
		return 0, OtherName
	case c.quoted && !x.titled(target, c.Title):
		return 0, OtherTitle
	}
	return target, ""
}

// branchAlone reports whether only a branch's name speaks of a revert, and not
// as GitHub's button writes it: the number, then the branch of what it undoes.
// "revert-2-finger-scroll" is about fingers.
func (x *index) branchAlone(place int, c Candidate, target int) bool {
	switch c.Form {
	case FormNamed:
		return !x.changes[place].Speaks
	case FormBranch:
		_, rest, _ := strings.Cut(strings.TrimPrefix(c.Evidence, "revert-"), "-")
		branch := x.changes[target].Head
		return branch != "" && rest != "" && rest != branch && !x.changes[place].Speaks
	}
	return false
}

// contradicted reports whether a number that only stands in a quoted title
// meets a hash of another change: histories merged from elsewhere bring titles
// with numbers of their own.
func (x *index) contradicted(place int, c Candidate, target int) bool {
	if !c.quoted || c.Commit == "" {
		return false
	}
	byCommit, reason := x.resolveCommit(place, c.Commit)
	return reason == "" && byCommit != target
}

// enough is how long the shorter of two titles must be for one that begins like
// the other to count as the same: titles are cut, and edited at their end.
const enough = 12

// titled reports whether the change at place can be called by title. A change
// whose titles are not known can be called anything.
func (x *index) titled(place int, title string) bool {
	titles := x.changes[place].titles()
	if len(titles) == 0 {
		return true
	}
	want := strings.TrimSuffix(titleKey(title), "…")
	for _, t := range titles {
		t = strings.TrimSuffix(t, "…")
		if t == want {
			return true
		}
		if min(len(t), len(want)) >= enough && (strings.HasPrefix(t, want) || strings.HasPrefix(want, t)) {
			return true
		}
	}
	return false
}

func (x *index) resolveCommit(place int, hash string) (int, Reason) {
	if len(hash) < minHash {
		return 0, NoCommit
	}
	places := x.byHash(hash)
	if len(places) > 1 {
		return 0, Ambiguous
	}
	if len(places) == 1 && places[0] == place {
		return place, ""
	}
	return x.pick(place, places, NoCommit)
}

// fewWords is how many words a title must have to be found without quotes:
// "revert typo" is not about every earlier "typo".
const fewWords = 3

// resolveTitle takes the latest earlier change of exactly that title. A title
// of the change's own commits names one of those.
func (x *index) resolveTitle(place int, c Candidate) (int, Reason) {
	key := titleKey(c.Title)
	if c.bare && len(strings.Fields(key)) < fewWords {
		return 0, NoTitle
	}
	if c.own {
		return place, ""
	}
	var others []int
	for _, p := range x.titles[key] {
		if p != place {
			others = append(others, p)
		}
	}
	return x.pick(place, others, NoTitle)
}

// pick takes the latest of places that lies before place on the same base, and
// says what was wrong where there is none.
func (x *index) pick(place int, places []int, none Reason) (int, Reason) {
	reason := none
	for i := len(places) - 1; i >= 0; i-- {
		p := places[i]
		switch {
		case x.changes[p].Base != x.changes[place].Base:
			reason = OtherBase
		case p >= place:
			reason = Later
		default:
			return p, ""
		}
	}
	return 0, reason
}
