package directory

import (
	"context"
	"fmt"
)

// VacuumAnalyze updates the planner's statistics and marks pages as visible to
// all, so that searches need to read only their index. It cannot run inside a
// transaction.
func (s *Store) VacuumAnalyze(ctx context.Context) error {
	_, err := s.db.Direct().Exec(ctx, `vacuum (analyze) companies, departments, ranks, roles, users, user_departments,
		permission_controls, passwords, policies, policy_versions, policy_targets,
		attendance_viewers, attendance_viewer_users, attendance_viewer_departments`)
	if err != nil {
		return fmt.Errorf("analyze: %w", err)
	}
	return nil
}
