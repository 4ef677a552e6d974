package policy

import (
	"cmp"
	"context"
	"maps"
	"slices"
)

// versionsAt makes versions of spans: with the names of their targets and who saved them.
type versionsAt struct {
	names   nodeNames
	sources map[VersionKey]versionSourcesRow
}

// versionsAt reads what it needs for the versions of some policies that are in force at
// one of the times.
func (s *Store) versionsAt(ctx context.Context, companyID int64, c *comparisonAt, ids []int64) (v versionsAt, err error) {
	sources := versionSourcesParams{CompanyID: companyID}
	nodes := map[node]bool{}
	for _, id := range ids {
		for _, span := range []*Span{c.versionAt(id, c.at), c.versionAt(id, c.now)} {
			if span == nil {
				continue
			}
			sources.PolicyIds, sources.Nos = append(sources.PolicyIds, id), append(sources.Nos, span.No)
			for _, target := range span.targets {
				nodes[target.node()] = true
			}
		}
	}
	if v.names, err = s.nodeNames(ctx, companyID, slices.Collect(maps.Keys(nodes))); err != nil {
		return v, err
	}
	rows, err := s.versionSources(ctx, sources)
	v.sources = make(map[VersionKey]versionSourcesRow, len(rows))
	for _, row := range rows {
		v.sources[VersionKey{row.PolicyID, row.No}] = row
	}
	return v, err
}

// of returns the version of a span, nil for none.
func (v versionsAt) of(span *Span) *Version {
	if span == nil {
		return nil
	}
	source := v.sources[VersionKey{span.PolicyID, span.No}]
	version := &Version{
		No: span.No, EffectiveFrom: span.EffectiveFrom, Until: span.Until, Enabled: span.Enabled, Name: span.Name, Settings: span.policySpansRow.Settings,
		Description: source.Description, CreatedByName: source.CreatedByName, CreatedAt: source.CreatedAt,
	}
	for _, target := range span.targets {
		target.Name = v.names[target.node()].name
		version.Targets = append(version.Targets, target)
	}
	slices.SortFunc(version.Targets, func(a, b Target) int { return cmp.Compare(v.names[a.node()].position, v.names[b.node()].position) })
	return version
}
