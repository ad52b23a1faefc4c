package web

import (
	"context"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"steelyard/lint"
	"steelyard/metrics"
)

// matrixFile serves the numbers or the picture of a page of the matrix:
// /guardrails/matrix/1.csv.
func (d *dashboard) matrixFile(c echo.Context) error {
	file := c.Param("file")
	ext := path.Ext(file)
	page, err := strconv.Atoi(strings.TrimSuffix(file, ext))
	if err != nil || page < 1 || d.Overview == nil || d.Findings == nil {
		return echo.ErrNotFound
	}
	ctx := c.Request().Context()
	scans, err := d.Findings.Scans(ctx)
	if err != nil {
		return fmt.Errorf("read scans: %w", err)
	}
	from := (min(page, len(scans)+1) - 1) * matrixPerPage
	if from >= len(scans) {
		return echo.ErrNotFound
	}
	f, err := d.matrixFigure(ctx, scans[from:min(from+matrixPerPage, len(scans))], page)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("guardrails-matrix-%d", page)
	if ext == ".svg" {
		c.Response().Header().Set("Content-Disposition", attachment(name+ext))
		return d.sendSVG(c, f.Wide)
	}
	return sendTable(c, name, ext, f.Table)
}

// guardFile serves one of the other tables of the page: /guardrails/rules.csv.
func (d *dashboard) guardFile(c echo.Context) error {
	file := c.Param("file")
	ext := path.Ext(file)
	if d.Findings == nil {
		return echo.ErrNotFound
	}
	ctx := c.Request().Context()
	scans, err := d.Findings.Scans(ctx)
	if err != nil {
		return fmt.Errorf("read scans: %w", err)
	}
	var t metrics.Table
	switch strings.TrimSuffix(file, ext) {
	case "rules":
		trends, err := d.trends(ctx)
		if err != nil {
			return err
		}
		pages, err := d.Rules()
		if err != nil {
			return fmt.Errorf("read rules: %w", err)
		}
		t = rulesTable(ruleRows(scans, pages), trends)
	case "repositories":
		t = repositoriesTable(scans)
	case "findings":
		q, err := readGuardQuery(c)
		if err != nil {
			return err
		}
		return d.sendFindings(c, ext, q)
	default:
		return echo.ErrNotFound
	}
	return sendTable(c, "guardrails-"+t.ID, ext, t)
}

// trends are those of the last half year; none without a clock or a store.
func (d *dashboard) trends(ctx context.Context) (lint.Trends, error) {
	if d.Overview == nil || d.Now == nil {
		return lint.Trends{}, nil
	}
	t, err := d.Overview.Trends(ctx, d.Now(), trendWeeks)
	if err != nil {
		return t, fmt.Errorf("read trends: %w", err)
	}
	return t, nil
}

// trendWeeks is how far back the trends of rules go.
const trendWeeks = 26
