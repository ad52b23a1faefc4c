package lint

import (
	"context"
	"fmt"
	"io/fs"

	"steelyard/rules"
)

// Inspect gives look a pass over a repository without running any rule: for
// questions that are no findings. Reports to that pass are dropped.
func Inspect(ctx context.Context, fsys fs.FS, cfg Config, look func(*Pass) error) error {
	if err := cfg.Validate(); err != nil {
		return fmt.Errorf("read lint configuration: %w", err)
	}
	t, err := walk(ctx, fsys, cfg)
	if err != nil {
		return err
	}
	return look(&Pass{tree: t, rule: rules.Page{}, report: func(*draft) {}})
}
