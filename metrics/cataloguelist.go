package metrics

import "time"

// What a metric is where the data lacks a field that it can do without.
const (
	openAfterClose = "what was closed without merge counts as still open"
	mergedOnly     = "only merged pull requests are counted"
	withDrafts     = "the time counts from the opening, drafts included"
	endsAtMerge    = "the time ends at the merge"
)

// catalogue is every metric, in the order it is shown.
func catalogue() []Metric {
	return append(append(mergeDurations(), countedMetrics()...), append(deliveryDurations(), reviewMetrics()...)...)
}

// mergeDurations are the times between the moments of a pull request itself.
func mergeDurations() []Metric {
	return []Metric{
		{
			ID: "open_to_merge", Title: "Open to merge", Kind: KindDuration, Measure: "median hours", Unit: "hours", Better: BetterLower,
			Definition: "opened → merged",
			needs:      []Field{FieldMerged},
			span:       func(p *PullRequest) (time.Time, time.Time) { return p.Opened, p.Merged },
		},
		{
			ID: "ready_to_merge", Title: "Ready to merge", Kind: KindDuration, Measure: "median hours", Unit: "hours", Better: BetterLower,
			Definition: "ready for review (opened, if it never was a draft) → merged",
			needs:      []Field{FieldReady, FieldMerged},
			span:       func(p *PullRequest) (time.Time, time.Time) { return p.readyAt(), p.Merged },
		},
		{
			ID: "time_to_first_review", Title: "Time to first review", Kind: KindDuration, Measure: "median hours", Unit: "hours", Better: BetterLower,
			Definition: "ready for review → first review by a person who is not the author",
			needs:      []Field{FieldFirstReview},
			softly:     map[Field]string{FieldReady: withDrafts, FieldClosed: openAfterClose},
			stops:      true,
			span:       func(p *PullRequest) (time.Time, time.Time) { return p.readyAt(), p.FirstReview },
		},
		{
			ID: "review_time", Title: "Review time", Kind: KindDuration, Measure: "median hours", Unit: "hours", Better: BetterLower,
			Definition: "first review → merged",
			needs:      []Field{FieldFirstReview, FieldMerged},
			span:       func(p *PullRequest) (time.Time, time.Time) { return p.FirstReview, p.Merged },
		},
	}
}

// countedMetrics count pull requests and their lines.
func countedMetrics() []Metric {
	return []Metric{
		{
			ID: rateID, Title: "Merged per author-week", Kind: KindRate, Measure: "pull requests", Unit: "", Better: BetterNeutral,
			Definition: "merged pull requests ÷ author-weeks with any activity (a pull request opened, merged or closed)",
			needs:      []Field{FieldAuthor, FieldMerged},
		},
		{
			ID: "reverts", Title: "Reverts within 30 days", Kind: KindCount, Measure: "count", Unit: "", Better: BetterLower, Counter: true,
			Definition: "merged pull requests reverted within 30 days of their merge, booked to the merge date; merges younger than 30 days are not yet known",
			needs:      []Field{FieldMerged, FieldRevertedAt},
		},
		{
			ID: "abandoned", Title: "Abandoned", Kind: KindShare, Measure: "share closed unmerged", Unit: "share", Better: BetterLower,
			Definition: "closed without merge ÷ closed",
			needs:      []Field{FieldMerged, FieldClosed},
			tally: func(p *PullRequest) (float64, float64, bool) {
				if p.Merged.IsZero() {
					return 1, 1, true
				}
				return 0, 1, true
			},
		},
		{
			ID: "size", Title: "Size", Kind: KindSize, Measure: "median lines changed", Unit: "lines", Better: BetterNeutral,
			Definition: "lines added + deleted",
			needs:      []Field{FieldAdditions, FieldDeletions},
			size:       (*PullRequest).lines,
		},
	}
}

// deliveryDurations are the times around a pull request, in whole minutes as
// Apache DevLake counts them.
func deliveryDurations() []Metric {
	return []Metric{
		{
			ID: "coding_time", Title: "Coding time", Kind: KindDuration, Measure: "median minutes", Unit: "minutes", Better: BetterLower,
			Definition: "first commit authored → opened, in minutes; left out where negative, as after a rebase",
			needs:      []Field{FieldFirstCommit}, minutes: true,
			span: func(p *PullRequest) (time.Time, time.Time) { return p.FirstCommit, p.Opened },
		},
		{
			ID: "deploy_time", Title: "Deploy time", Kind: KindDuration, Measure: "median minutes", Unit: "minutes", Better: BetterLower,
			Definition: "merged → end of the first deployment that holds the merge, in minutes; left out where negative",
			needs:      []Field{FieldMerged, FieldDeployed}, minutes: true, deploys: true,
			span: func(p *PullRequest) (time.Time, time.Time) { return p.Merged, p.Deployed },
		},
		{
			ID: "cycle_time", Title: "Cycle time", Kind: KindDuration, Measure: "median minutes", Unit: "minutes", Better: BetterLower,
			Definition: "coding + opened to merged (pickup and review) + deploy, in minutes; a part that is negative or not known counts as none",
			needs:      []Field{FieldFirstCommit, FieldMerged}, softly: map[Field]string{FieldDeployed: endsAtMerge}, minutes: true, deploys: true,
			span: (*PullRequest).cycle,
		},
	}
}

// reviewMetrics say what reviewing was like.
func reviewMetrics() []Metric {
	return []Metric{
		{
			ID: "review_rounds", Title: "Review rounds", Kind: KindRate, Measure: "rounds a pull request", Unit: "rounds", Better: BetterLower,
			Definition: "reviews that asked for changes and were followed by a push and another review ÷ closed pull requests, booked to the closing",
			needs:      []Field{FieldReviewRounds, FieldMerged}, softly: map[Field]string{FieldClosed: mergedOnly},
			tally: func(p *PullRequest) (float64, float64, bool) { return float64(p.ReviewRounds), 1, p.ReviewRounds >= 0 },
		},
		{
			ID: "reviewer_comments", Title: "Reviewer comments", Kind: KindRate, Measure: "comments per 100 lines", Unit: "comments", Better: BetterNeutral,
			Definition: "review comments by people other than the author per 100 changed lines, of closed pull requests, booked to the closing",
			needs:      []Field{FieldReviewerComments, FieldAdditions, FieldDeletions, FieldMerged}, softly: map[Field]string{FieldClosed: mergedOnly},
			tally: func(p *PullRequest) (float64, float64, bool) {
				lines, ok := p.lines()
				return 100 * float64(p.ReviewerComments), lines, ok && p.ReviewerComments >= 0
			},
		},
		{
			ID: "bot_review_acted_on", Title: "AI review acted on", Kind: KindShare, Measure: "share of threads", Unit: "share", Better: BetterHigher,
			Definition: "review threads opened by an AI reviewer whose lines a later commit changed ÷ such threads, of closed pull requests, booked to the closing",
			needs:      []Field{FieldBotThreads, FieldMerged}, softly: map[Field]string{FieldClosed: mergedOnly},
			tally: func(p *PullRequest) (float64, float64, bool) {
				return float64(p.BotThreadsActedOn), float64(p.BotThreads), p.BotThreads >= 0 && p.BotThreadsActedOn >= 0
			},
		},
	}
}

// readyAt is when a pull request was ready for review.
func (p *PullRequest) readyAt() time.Time {
	if p.Ready.IsZero() {
		return p.Opened
	}
	return p.Ready
}

// lines is how many lines a pull request changed, false where unknown.
func (p *PullRequest) lines() (float64, bool) {
	if p.Additions < 0 || p.Deletions < 0 {
		return 0, false
	}
	return float64(p.Additions) + float64(p.Deletions), true
}
