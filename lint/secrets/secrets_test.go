package secrets

import (
	"encoding/base64"
	"strings"
	"testing"

	"steelyard/lint"

	"steelyard/lint/launch"
)

// valueOf makes a text of its own for a value.
func valueOf(s string) launch.Text { return launch.TextOf(&lint.Node{Kind: lint.String, Text: s}) }

// TestNamed judges single values. Everything that looks like a secret here was
// made up; the providers' forms are put together so that no scanner takes this
// file for a leak.
func TestNamed(t *testing.T) {
	const random = "q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1"
	for name, test := range map[string]struct {
		key, value string
		want       string // the secret, "" for none
	}{
		"api-key":               {"SEARCH_API_KEY", random, random},
		"hex-key":               {"X_KEY", "37ae33ae5302247a671a9a5af39e7543", "37ae33ae5302247a671a9a5af39e7543"},
		"hyphened-key":          {"REF_API_KEY", "gzy-6l5n8e704kt46u8i6h87", "gzy-6l5n8e704kt46u8i6h87"},
		"uuid-key":              {"API_KEY", "3f8a1c5e-9b2d-4e7f-8a6c-1d0b5e9f2c7a", "3f8a1c5e-9b2d-4e7f-8a6c-1d0b5e9f2c7a"},
		"camel-token":           {"accessToken", random, random},
		"short-password":        {"DB_PASSWORD", "Wq8!rT2#mZ", "Wq8!rT2#mZ"},
		"bearer":                {"Authorization", "Bearer " + random, random},
		"bearer-anywhere":       {"HEADERS", `{"Authorization": "Bearer ` + random + `"}`, random},
		"basic":                 {"Authorization", "Basic YXBwOlFtN3hUMnZL", "YXBwOlFtN3hUMnZL"},
		"github-form":           {"", "gh" + "p_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5", "gh" + "p_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"},
		"dsn-password":          {"", "postgresql://app:Vb7kQ2xTn9Lr@db.acme.example/app", "Vb7kQ2xTn9Lr"},
		"ado-password":          {"CONNECTION", "Server=db.acme.example;User=app;Password=Vb7kQ2xTn9Lr;", "Vb7kQ2xTn9Lr"},
		"query-key":             {"", "https://acme.example/mcp?x=1&api_key=" + random, random},
		"user-token":            {"", "https://" + random + "@acme.example/mcp", random},
		"reference-claude":      {"API_KEY", "${API_KEY}", ""},
		"reference-default":     {"API_KEY", "${API_KEY:-" + random + "}", ""},
		"reference-vscode":      {"API_KEY", "${input:api-key}", ""},
		"reference-opencode":    {"API_KEY", "{env:API_KEY}", ""},
		"reference-dollar":      {"API_KEY", "$API_KEY", ""},
		"reference-windows":     {"API_KEY", "%API_KEY%", ""},
		"reference-actions":     {"API_KEY", "${{ secrets.API_KEY }}", ""},
		"reference-manager":     {"API_KEY", "op://vault/item/field", ""},
		"reference-bearer":      {"Authorization", "Bearer ${env:TOKEN}", ""},
		"reference-query":       {"", "https://acme.example/mcp?api_key=${API_KEY}", ""},
		"placeholder-here":      {"OPENAI_API_KEY", "YOUR_OPENAI_KEY_HERE", ""},
		"placeholder-name":      {"OPENAI_API_KEY", "OPENAI_API_KEY_HERE", ""},
		"placeholder-angle":     {"API_KEY", "<your-api-key-1234abcd>", ""},
		"placeholder-x":         {"API_KEY", "sk-xxxxxxxxxxxxxxxxxxxxxxxx", ""},
		"placeholder-words":     {"API_KEY", "replace-with-your-key-from-2024", ""},
		"placeholder-example":   {"API_KEY", "example1a2b3c4d5e6f7a8b", ""},
		"placeholder-sequence":  {"API_KEY", "sk_live_abc123def456", ""},
		"words":                 {"AUTH_TOKEN", "local-development-token", ""},
		"constant":              {"API_KEY", "MY_OTHER_VARIABLE_2", ""},
		"number":                {"MAX_TOKENS", "12800012800012800", ""},
		"path":                  {"PRIVATE_KEY", "/run/secrets/key-2024a1b2c3d4", ""},
		"vault-path":            {"VAULT_KEY", "secret/data/team/app1-key2", ""},
		"slashed-key":           {"STORAGE_KEY", "wJ9lrXUtn2FEMIK7MD/bPxRfi3CYqz8Tw", "wJ9lrXUtn2FEMIK7MD/bPxRfi3CYqz8Tw"},
		"key-file":              {"API_KEY_FILE", random, ""},
		"key-id":                {"API_KEY_ID", random, ""},
		"token-url":             {"TOKEN_URL", "https://acme.example/oauth/token", ""},
		"public-key":            {"STRIPE_PUBLISHABLE_KEY", random, ""},
		"other-name":            {"PROJECT", random, ""},
		"domain":                {"AUTH_TOKEN", "auth2.eu1.acme-cloud3.example", ""},
		"default-password":      {"", "postgres://postgres:postgres@localhost:5432/app", ""},
		"default-word":          {"", "mongodb://root:password@mongo:27017", ""},
		"local-password":        {"", "postgres://app:apppass@127.0.0.1/app", ""},
		"default-basic":         {"Authorization", "Basic YWRtaW46YWRtaW4=", ""}, // admin:admin
		"plain-address":         {"", "https://acme.example/mcp?version=2&region=eu", ""},
		"address-with-at":       {"", "https://acme.example/@scope/name?tab=1", ""},
		"supabase-anonymous":    {"SUPABASE_KEY", jwt(`{"iss":"supabase","role":"anon","iat":1700000000}`), ""},
		"supabase-service-role": {"SUPABASE_KEY", jwt(`{"iss":"supabase","role":"service_role","iat":1700000000}`), jwt(`{"iss":"supabase","role":"service_role","iat":1700000000}`)},
		"jwt-sample":            {"TOKEN", jwt(`{"sub":"1234567890","name":"John Doe","iat":1516239022}`), ""},
		"jwt-unsigned":          {"Authorization", "Bearer " + encode(`{"alg":"HS256"}`) + "." + encode(`{"exp":1600000000}`) + ".expired", ""},
		"fingerprint":           {"OSQUERY_KEY", "1484120AC4E9F8A1A577AEEE97A80C63C9D8B80B", ""},
		"fingerprint-received":  {"--recv-keys", "q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1", ""},
		"websocket-nonce":       {"Sec-WebSocket-Key", "q7Zt2mWx9Lb4Rk8Vn3Hd6Q==", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, s := range new(Finder).Named("here", test.key, "", valueOf(test.value)) {
				got += s.Value
			}
			if got != test.want {
				t.Errorf("secret of %s=%q is %q, want %q", test.key, test.value, got, test.want)
			}
		})
	}
}

func encode(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

func jwt(claims string) string {
	return encode(`{"alg":"HS256","typ":"JWT"}`) + "." + encode(claims) + "." + "kT9vQ2mX7bR4nW8zL3hD6pJ1sF5gY0aC"
}

func TestInWords(t *testing.T) {
	const random = "q7Zt2mWx9Lb4Rk8Vn3Hd6Pj1"
	for name, test := range map[string]struct {
		words []string
		want  int
	}{
		"flag-value":        {[]string{"--api-key", random}, 1},
		"flag-equals":       {[]string{"--api-key=" + random}, 1},
		"environment":       {[]string{"run", "-e", "TOKEN=" + random}, 1},
		"header":            {[]string{"--header", "Authorization: Bearer " + random}, 1},
		"header-equals":     {[]string{"--header=X-Api-Key:" + random}, 1},
		"header-reference":  {[]string{"--header", "Authorization: Bearer ${TOKEN}"}, 0},
		"script":            {[]string{"-c", "API_KEY=" + random + " ./server --flag"}, 1},
		"flag-without":      {[]string{"--api-key", "--verbose", random}, 0},
		"other-flag":        {[]string{"--project", random}, 0},
		"digest":            {[]string{"run", "acme/server@sha256:" + strings.Repeat("3f1c", 16)}, 0},
		"git-commit":        {[]string{"--from", "git+https://git.acme.example/a/b@8f2a0c4b1d3e5f60718293a4b5c6d7e8f9012345"}, 0},
		"environment-named": {[]string{"-e", "TOKEN"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var words []launch.Text
			for _, w := range test.words {
				words = append(words, valueOf(w))
			}
			if got := new(Finder).InWords(words); len(got) != test.want {
				t.Errorf("%d secrets in %q, want %d", len(got), test.words, test.want)
			}
		})
	}
}
