package auth

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// tokenPrefix begins every service token, so that people and scanners of
// secrets know one when they see it.
const tokenPrefix = "steelyard_"

// Token is one line of a file of service tokens: everything about a token but
// the token.
type Token struct {
	// Name says in the audit log who called.
	Name string
	// Hash is the SHA-256 of the token's text.
	Hash [sha256.Size]byte
	// Scopes are what it allows.
	Scopes []string
	// Until is the last day on which it holds, in UTC.
	Until time.Time
}

// NewToken makes a token of 256 random bits and the line that lets it in. The
// secret is nowhere else.
func NewToken(name string, scopes []string, until time.Time) (secret string, t Token) {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	secret = tokenPrefix + hex.EncodeToString(random[:])
	return secret, Token{Name: name, Hash: sha256.Sum256([]byte(secret)), Scopes: scopes, Until: until}
}

// String is the token's line: name, hash, scopes and last day.
func (t Token) String() string {
	return fmt.Sprintf("%s sha256:%x %s %s", t.Name, t.Hash, strings.Join(t.Scopes, ","), t.Until.Format(time.DateOnly))
}

// holds reports whether now is not past the token's last day.
func (t Token) holds(now time.Time) bool { return now.Before(t.Until.AddDate(0, 0, 1)) }

// The bounds of a file of tokens.
const (
	maxTokenFile = 256 << 10 // bytes
	maxTokens    = 1000
)

var (
	tokenName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	tokenHash = regexp.MustCompile(`^sha256:([0-9a-f]{64})$`)
)

// ValidName reports whether a token may have this name: letters, digits, dots,
// underscores and hyphens, 64 at most.
func ValidName(name string) bool { return tokenName.MatchString(name) }

// ParseTokens reads a file of tokens: one line each, as [Token.String] writes
// it; empty lines and lines that begin with # say nothing. known are the scopes
// that there are. An error names the line and what belongs there, and never
// repeats what stands there, which may be a secret in the wrong place.
func ParseTokens(r io.Reader, known []string) ([]Token, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxTokenFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxTokenFile {
		return nil, fmt.Errorf("larger than %d KiB", maxTokenFile>>10)
	}
	var all []Token
	lines := bufio.NewScanner(bytes.NewReader(data))
	for number := 1; lines.Scan(); number++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		t, err := parseToken(text, known)
		if err == nil {
			err = addable(all, t)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		all = append(all, t)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return all, nil
}

func parseToken(text string, known []string) (Token, error) {
	fields := strings.Fields(text)
	if strings.Contains(text, tokenPrefix) {
		return Token{}, errors.New("a token itself stands here; only its hash belongs in this file. Make a new one with \"steelyard token\"")
	}
	if len(fields) != 4 {
		return Token{}, errors.New("expected NAME sha256:HASH SCOPES YYYY-MM-DD, as \"steelyard token\" prints it")
	}
	t := Token{Name: fields[0], Scopes: strings.Split(fields[2], ",")}
	hash := tokenHash.FindStringSubmatch(fields[1])
	switch {
	case !ValidName(t.Name):
		return Token{}, errors.New("a name has letters, digits, dots, underscores and hyphens, 64 at most")
	case hash == nil:
		return Token{}, errors.New("the second field is sha256: and 64 hexadecimal digits in lower case")
	}
	if _, err := hex.Decode(t.Hash[:], []byte(hash[1])); err != nil {
		return Token{}, fmt.Errorf("read the hash: %w", err)
	}
	for _, s := range t.Scopes {
		if !slices.Contains(known, s) {
			return Token{}, fmt.Errorf("the scopes are some of %s, with commas between", strings.Join(known, ", "))
		}
	}
	until, err := time.Parse(time.DateOnly, fields[3])
	if err != nil {
		return Token{}, errors.New("the last field is the last day on which the token holds, such as 2027-01-31")
	}
	t.Until = until
	return t, nil
}

func addable(all []Token, t Token) error {
	if len(all) >= maxTokens {
		return fmt.Errorf("more than %d tokens", maxTokens)
	}
	for _, other := range all {
		if other.Name == t.Name {
			return fmt.Errorf("the name %s comes twice", t.Name)
		}
		if other.Hash == t.Hash {
			return fmt.Errorf("%s and %s have the same hash", other.Name, t.Name)
		}
	}
	return nil
}

// recheck is how long a read of the file holds: a line taken out of it ends
// its token after that.
const recheck = 2 * time.Second

// tokenFile is a file of tokens that may change while it is used.
type tokenFile struct {
	path   string
	scopes []string
	now    func() time.Time

	mu   sync.Mutex
	read time.Time
	all  []Token
	err  error
}

// verify says whose token it is. Every line is compared, and in constant time.
func (f *tokenFile) verify(secret string) (*Identity, error) {
	all, err := f.current()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnavailable, err)
	}
	hash := sha256.Sum256([]byte(secret))
	found := -1
	for i := range all {
		if subtle.ConstantTimeCompare(hash[:], all[i].Hash[:]) == 1 {
			found = i
		}
	}
	if found < 0 {
		return nil, errors.New("no line of the file of tokens has this hash")
	}
	t := all[found]
	if !t.holds(f.now()) {
		return nil, fmt.Errorf("the service token %s held until %s", t.Name, t.Until.Format(time.DateOnly))
	}
	return &Identity{Subject: t.Name, Scopes: t.Scopes, Expires: t.Until.AddDate(0, 0, 1)}, nil
}

// current are the tokens of the file as it is. One that cannot be read lets
// nobody in: it may have been changed to end a token.
func (f *tokenFile) current() ([]Token, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if now := f.now(); f.read.IsZero() || now.Sub(f.read) >= recheck || now.Before(f.read) {
		f.all, f.err = readTokens(f.path, f.scopes)
		f.read = now
	}
	return f.all, f.err
}

func readTokens(path string, scopes []string) (all []Token, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the file of tokens: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("open the file of tokens: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("read the file of tokens %s: it is not a regular file", path)
	case info.Mode().Perm()&0o002 != 0:
		return nil, fmt.Errorf("read the file of tokens %s: everybody on this machine may write to it and so let themselves in; take that right away (chmod o-w)", path)
	}
	if all, err = ParseTokens(file, scopes); err != nil {
		return nil, fmt.Errorf("read the file of tokens %s: %w", path, err)
	}
	return all, nil
}
