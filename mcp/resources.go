package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"steelyard/metrics"
	"steelyard/rules"
)

// Method is one note on how numbers are made.
type Method struct {
	// Name is its name in addresses ("cross-fit-t"), Title its heading, Text
	// what follows, in Markdown.
	Name, Title, Text string
}

// The templates of the resources. A report has two forms.
const (
	reportTemplate     = "steelyard://pilots/{id}/report"
	reportJSONTemplate = "steelyard://pilots/{id}/report.json"
	ruleTemplate       = "steelyard://rules/{id}"
	methodTemplate     = "steelyard://methods/{name}"
)

const (
	markdownType = "text/markdown"
	jsonType     = "application/json"
)

// maxResource bounds the text of one resource, in bytes.
const maxResource = 1 << 20

// resource is a kind of resources: its template, and how one is read.
type resource struct {
	template, name, title, description, mime string
	// read makes the text of the resource that the template's variable names;
	// a [metrics.ErrNotFound] where there is none.
	read func(ctx context.Context, id string) (string, error)
	// names are the values of the variable.
	names func(ctx context.Context) ([]string, error)
}

func (s *Server) resources() []resource {
	all := []resource{
		{
			reportTemplate, "pilot-report", "Report of a pilot", "The whole report as Markdown: every metric, method, reason and caveat. Long; get_pilot_report gives the short form.",
			markdownType, s.reportMarkdown, s.pilotIDs,
		},
		{
			reportJSONTemplate, "pilot-report-json", "Report of a pilot as data", "The whole report as JSON, at full precision, with every series.",
			jsonType, s.reportJSON, s.pilotIDs,
		},
		{ruleTemplate, "rule", "Rule", "One lint rule whole: why it exists, examples, how to fix a finding.", markdownType, s.ruleMarkdown, s.ruleIDs},
	}
	if s.o.Methods != nil {
		all = append(all, resource{
			methodTemplate, "method", "Method", "How one kind of number is made, when it holds and when not, with its source.", markdownType, s.methodMarkdown, s.methodNames,
		})
	}
	return all
}

// addResources registers the templates.
func (s *Server) addResources() {
	for _, r := range s.resources() {
		at := regexp.MustCompile("^" + strings.Replace(regexp.QuoteMeta(r.template), regexp.QuoteMeta(variableOf(r.template)), `([A-Za-z0-9._~%-]{1,200})`, 1) + "$")
		s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{
			URITemplate: r.template, Name: r.name, Title: r.title, Description: r.description, MIMEType: r.mime,
		}, func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			m := at.FindStringSubmatch(req.Params.URI)
			if m == nil {
				return nil, sdk.ResourceNotFoundError(req.Params.URI)
			}
			id, err := url.PathUnescape(m[1])
			if err != nil {
				return nil, sdk.ResourceNotFoundError(req.Params.URI)
			}
			text, err := r.read(ctx, id)
			if errors.Is(err, metrics.ErrNotFound) {
				return nil, sdk.ResourceNotFoundError(req.Params.URI)
			}
			if err != nil {
				return nil, err
			}
			if len(text) > maxResource {
				return nil, userErrorf("The resource is longer than %d bytes. Tell the user to open it in the dashboard, or with `steelyard report`.", maxResource)
			}
			return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: req.Params.URI, MIMEType: r.mime, Text: text}}}, nil
		})
	}
}

// variableOf is the variable of a template, in its braces.
func variableOf(template string) string {
	return template[strings.IndexByte(template, '{') : strings.IndexByte(template, '}')+1]
}

func (s *Server) reportMarkdown(ctx context.Context, id string) (string, error) {
	return s.written(ctx, id, func(b *strings.Builder, r *metrics.Report) error { return metrics.WriteMarkdown(b, r) })
}

func (s *Server) reportJSON(ctx context.Context, id string) (string, error) {
	return s.written(ctx, id, func(b *strings.Builder, r *metrics.Report) error { return metrics.WriteJSON(b, r) })
}

func (s *Server) written(ctx context.Context, id string, write func(*strings.Builder, *metrics.Report) error) (string, error) {
	r, err := s.o.Reports.Report(ctx, id)
	if build, ok := errors.AsType[*metrics.BuildError](err); ok {
		return "", userErrorf("There is no report on %q: %s.", line(id, 64), line(build.Error(), 600))
	}
	if err != nil {
		return "", fmt.Errorf("read report of %q: %w", id, err)
	}
	var b strings.Builder
	if err := write(&b, r); err != nil {
		return "", fmt.Errorf("write report of %q: %w", id, err)
	}
	return b.String(), nil
}

func (s *Server) ruleMarkdown(_ context.Context, id string) (string, error) {
	all, err := s.o.Rules()
	if err != nil {
		return "", fmt.Errorf("read rules: %w", err)
	}
	for _, p := range all {
		if strings.EqualFold(p.ID, id) || strings.EqualFold(p.Name, id) {
			return ruleText(p), nil
		}
	}
	return "", fmt.Errorf("rule %q: %w", id, metrics.ErrNotFound)
}

// ruleText is a rule's page.
func ruleText(p rules.Page) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s %s: %s\n\nSeverity: %s. Lifecycle: %s. Automatic fix: %s.\n\n%s\n", p.ID, p.Name, p.Title, p.Severity, p.Lifecycle, p.Fix, p.Why)
	for _, e := range p.Bad {
		fmt.Fprintf(&b, "\n%s\n", fenced("Bad", example{Path: e.Path, Text: e.Text}))
	}
	for _, e := range p.Good {
		fmt.Fprintf(&b, "\n%s\n", fenced("Good", example{Path: e.Path, Text: e.Text}))
	}
	fmt.Fprintf(&b, "\n## How to fix\n\n%s\n", p.HowToFix)
	return b.String()
}

func (s *Server) ruleIDs(context.Context) ([]string, error) {
	all, err := s.o.Rules()
	if err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	ids := make([]string, len(all))
	for i, p := range all {
		ids[i] = p.ID
	}
	return ids, nil
}

func (s *Server) methodMarkdown(_ context.Context, name string) (string, error) {
	all, err := s.o.Methods()
	if err != nil {
		return "", fmt.Errorf("read the method notes: %w", err)
	}
	for _, m := range all {
		if m.Name == name {
			return fmt.Sprintf("# %s\n\n%s\n", m.Title, strings.TrimSpace(m.Text)), nil
		}
	}
	return "", fmt.Errorf("method %q: %w", name, metrics.ErrNotFound)
}

func (s *Server) methodNames(context.Context) ([]string, error) {
	if s.o.Methods == nil {
		return nil, nil
	}
	all, err := s.o.Methods()
	if err != nil {
		return nil, fmt.Errorf("read the method notes: %w", err)
	}
	names := make([]string, len(all))
	for i, m := range all {
		names[i] = m.Name
	}
	return names, nil
}
