package attribution

import (
	"cmp"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"steelyard/rules"
)

// Matcher compares pull requests with a table of signals. It is safe for
// concurrent use.
type Matcher struct {
	version   uint32
	table     rules.Attribution
	byID      map[int64]rules.AccountRow
	byLogin   map[string]rules.AccountRow
	mailboxes map[string]rules.MailboxRow
	labels    map[string]rules.LabelRow
	trailers  map[string][]rules.TrailerRow
	aliases   []alias // longest first
}

type alias struct{ name, tool string }

// New returns a matcher of the table.
func New(table rules.Attribution) *Matcher {
	m := &Matcher{
		table: table,
		byID:  map[int64]rules.AccountRow{}, byLogin: map[string]rules.AccountRow{},
		mailboxes: map[string]rules.MailboxRow{}, labels: map[string]rules.LabelRow{},
		trailers: map[string][]rules.TrailerRow{},
	}
	m.version = crc32.ChecksumIEEE(fmt.Appendf(nil, "%+v", table))
	for _, row := range table.Accounts {
		if _, taken := m.byID[row.ID]; row.ID != 0 && !taken {
			m.byID[row.ID] = row
		}
		login := strings.ToLower(row.Login)
		if _, taken := m.byLogin[login]; !taken {
			m.byLogin[login] = row
		}
	}
	for _, row := range table.Mailboxes {
		m.mailboxes[row.Address] = row
	}
	for _, row := range table.Labels {
		m.labels[row.Name] = row
	}
	for _, row := range table.Trailers {
		key := strings.ToLower(row.Key)
		m.trailers[key] = append(m.trailers[key], row)
	}
	for _, tool := range table.Tools {
		for _, name := range tool.Aliases {
			m.aliases = append(m.aliases, alias{name, tool.ID})
		}
	}
	slices.SortFunc(m.aliases, func(a, b alias) int {
		return cmp.Or(len(b.name)-len(a.name), strings.Compare(a.name, b.name))
	})
	return m
}

// Version tells one table from another: it is a digest of all rows.
func (m *Matcher) Version() uint32 { return m.version }

// Role tells what an account is, and whether it is no person's. A bot that the
// table does not know is rules.Bot. People, and deleted accounts, have none.
func (m *Matcher) Role(a Account) (rules.Role, bool) {
	if row, ok := m.account(a); ok {
		return row.Role, true
	}
	if a.Bot || strings.HasSuffix(a.Login, "[bot]") {
		return rules.Bot, true
	}
	return "", false
}

// account finds the row of an account: by its number where both have one, else
// by its login, if the account is a bot or the row is of a user. Without that,
// a person who is called claude would be one.
func (m *Matcher) account(a Account) (rules.AccountRow, bool) {
	if row, ok := m.byID[a.ID]; ok && a.ID != 0 {
		return row, true
	}
	login, suffixed := strings.CutSuffix(strings.ToLower(a.Login), "[bot]")
	row, ok := m.byLogin[login]
	if !ok || (a.ID != 0 && row.ID != 0) {
		return rules.AccountRow{}, false // unknown, or another account of that login
	}
	return row, a.Bot || suffixed || row.User
}

// Signals lists every mark that assistants left on a pull request, each once
// with its count, strongest level first, then by kind, tool and evidence.
func (m *Matcher) Signals(p PullRequest) []Signal {
	var s signals
	m.readAuthor(&s, p.Author)
	m.readBranch(&s, p.Head)
	for _, c := range p.Commits {
		m.readCommit(&s, c)
	}
	// A squashed message repeats the trailers of the commits.
	squashed := signals{}
	m.readTrailers(&squashed, p.Message)
	s.atLeast(squashed)
	body := signals{}
	m.readBody(&body, p.Body)
	s.atLeast(body)
	if answer, asked := Disclosure(p.Body); asked && answer == AnswerYes {
		s.add(Signal{Kind: KindDisclosure, Level: rules.CoAuthored, Evidence: string(answer)})
	}
	for _, label := range p.Labels {
		if row, ok := m.labels[strings.ToLower(strings.TrimSpace(label))]; ok {
			s.add(Signal{Tool: row.Tool, Kind: KindLabel, Level: row.Level, Evidence: row.Name})
		}
	}
	return s.sorted()
}

func (m *Matcher) readAuthor(s *signals, a Account) {
	if row, ok := m.account(a); ok && row.Role == rules.Agent {
		s.add(Signal{Tool: row.Tool, Kind: KindAuthor, Level: rules.Authored, Evidence: row.Login})
	}
}

func (m *Matcher) readBranch(s *signals, head string) {
	for _, row := range m.table.Branches {
		if strings.HasPrefix(head, row.Prefix) {
			s.add(Signal{Tool: row.Tool, Kind: KindBranch, Level: row.Level, Evidence: row.Prefix})
		}
	}
}

// readCommit reads who wrote a commit, by account, else mailbox, else name, and
// what its message says.
func (m *Matcher) readCommit(s *signals, c Commit) {
	if row, ok := m.account(c.Author); ok && row.Role != rules.Bot {
		s.add(accountSignal(row, KindCommitAuthor, rules.Authored))
	} else if found, ok := m.mailbox(c.AuthorEmail, KindCommitAuthor, rules.Authored); ok {
		s.add(found)
	} else {
		for _, row := range m.table.Names {
			if strings.HasSuffix(c.AuthorName, row.Suffix) {
				s.add(Signal{Tool: row.Tool, Kind: KindCommitAuthor, Level: row.Level, Evidence: row.Suffix})
			}
		}
	}
	m.readTrailers(s, c.Message)
}

// accountSignal is what an account's appearance says: an agent's as much as its
// place, a reviewer's that a suggestion of it was accepted.
func accountSignal(row rules.AccountRow, kind Kind, level rules.Level) Signal {
	if row.Role == rules.Reviewer {
		level = rules.Suggestion
	}
	return Signal{Tool: row.Tool, Kind: kind, Level: level, Evidence: row.Login}
}

// mailbox reads an address: exactly as the table has it, or the number in an
// address that GitHub made.
func (m *Matcher) mailbox(address string, kind Kind, level rules.Level) (Signal, bool) {
	address = strings.ToLower(strings.TrimSpace(address))
	if row, ok := m.mailboxes[address]; ok {
		if row.Level != rules.CoAuthored { // the row says less, or more, than its place
			level = row.Level
		}
		return Signal{Tool: row.Tool, Kind: kind, Level: level, Evidence: row.Address}, true
	}
	row, ok := m.byID[noReplyID(address)]
	if !ok || row.Role == rules.Bot {
		return Signal{}, false
	}
	return accountSignal(row, kind, level), true
}

// noReplyID returns the number of ID+LOGIN@users.noreply.github.com; 0, which
// is no account's, for any other address.
func noReplyID(address string) int64 {
	local, ok := strings.CutSuffix(address, "@users.noreply.github.com")
	if !ok {
		return 0
	}
	digits, _, ok := strings.Cut(local, "+")
	if !ok || len(digits) == 0 || len(digits) > 18 {
		return 0
	}
	var n int64
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0
		}
		n = 10*n + int64(d-'0')
	}
	return n
}
