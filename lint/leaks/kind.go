package leaks

import "strings"

// spelt are the parts of gitleaks' rule ids that are not written as they
// stand: abbreviations, and names with a spelling of their own.
var spelt = map[string]string{
	"pat": "personal access token", "ptt": "pipeline trigger token", "rrt": "runner registration token",
	"jwt": "JSON web token", "oauth": "OAuth token", "tf": "Terraform", "ad": "AD",
	"pub": "public", "org": "organisation", "personnal": "personal", "cicd": "CI/CD", "scim": "SCIM",
	"api": "API", "id": "ID", "url": "URL", "aws": "AWS", "gcp": "Google Cloud", "ca": "CA",
	"github": "GitHub", "gitlab": "GitLab", "openai": "OpenAI", "npm": "npm", "pypi": "PyPI", "nuget": "NuGet",
	"huggingface": "Hugging Face", "hashicorp": "HashiCorp", "digitalocean": "DigitalOcean", "flyio": "Fly.io",
	"hubspot": "HubSpot", "jfrog": "JFrog", "launchdarkly": "LaunchDarkly", "linkedin": "LinkedIn",
	"mailchimp": "Mailchimp", "newrelic": "New Relic", "planetscale": "PlanetScale", "rubygems": "RubyGems",
	"sendgrid": "SendGrid", "travisci": "Travis CI", "circleci": "CircleCI", "droneci": "Drone CI",
	"pkcs12": "PKCS #12", "readme": "ReadMe", "rapidapi": "RapidAPI", "maxmind": "MaxMind", "youtube": "YouTube",
	"1password": "1Password", "clickhouse": "ClickHouse", "privateai": "Private AI", "sumologic": "Sumo Logic",
}

// plainWords open ids that name no provider.
var plainWords = map[string]bool{"private": true, "generic": true}

// needless are parts that tell one form of the same secret from another.
var needless = map[string]bool{"v2": true, "routable": true, "base64": true, "yaml": true}

// kindOf turns a rule's id into words: "github-pat" → "GitHub personal access
// token".
func kindOf(id string) string {
	var words []string
	for i, part := range strings.Split(id, "-") {
		switch {
		case needless[part]:
			continue
		case spelt[part] != "":
			part = spelt[part]
		case i == 0 && !plainWords[part]:
			part = strings.ToUpper(part[:1]) + part[1:]
		}
		words = append(words, part)
	}
	if id == "github-oauth" {
		return "GitHub OAuth token"
	}
	return strings.NewReplacer("OAuth token app", "OAuth app", "OAuth token token", "OAuth token").Replace(strings.Join(words, " "))
}
