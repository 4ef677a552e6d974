package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// removedSuffix marks a cluster that is being removed, with which nobody can go back.
const removedSuffix = ".removed"

// ConfirmUpgrade removes the clusters from before upgrades and returns their
// directories. The server in dir may run. It refuses to while the cluster is not of
// this program's major version.
func ConfirmUpgrade(dir string) (removed []string, err error) {
	h := home{dir: dir, cluster: clusterName}
	switch of, err := h.clusterMajor(); {
	case err != nil:
		return nil, explainRights(err)
	case of == "":
		return nil, fmt.Errorf("there is no built-in database in %s", dir)
	case of != Major:
		return nil, fmt.Errorf("the built-in database in %s is of PostgreSQL %s and not yet upgraded to %s: start the console", dir, of, Major)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, explainRights(err)
	}
	for _, entry := range entries {
		name, begun := strings.CutSuffix(entry.Name(), removedSuffix)
		earlier, is := strings.CutPrefix(name, replacedName(""))
		if !is || !isNewer(Major, earlier) {
			continue
		}
		from, gone := h.path(name), h.path(name+removedSuffix)
		if !begun {
			replaced := home{dir: dir, cluster: name}
			if of, err := replaced.clusterMajor(); err != nil || of != earlier {
				return removed, errors.Join(err, fmt.Errorf("%s is no cluster of PostgreSQL %s, remove it yourself", from, earlier))
			}
			if err := os.Rename(from, gone); err != nil {
				return removed, explainRights(err)
			}
		}
		if err := os.RemoveAll(gone); err != nil {
			return removed, explainRights(err)
		}
		removed = append(removed, from)
	}
	return removed, nil
}

// warnOfSettings logs which settings an operator has made in the old cluster: the new
// one does not have them.
func warnOfSettings(ctx context.Context, from, to *Server) error {
	old, err := from.fileSettings(ctx)
	if err != nil {
		return err
	}
	now, err := to.fileSettings(ctx)
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(old, func(setting string) bool { return slices.Contains(now, setting) })
	if len(missing) > 0 {
		slog.WarnContext(ctx, "the new cluster has its own settings: repeat in its postgresql.conf what you have set in the one from before", "settings", strings.Join(missing, "; "), "file", filepath.Join(from.home.dir, clusterName, "postgresql.conf"))
	}
	return nil
}

func (s *Server) fileSettings(ctx context.Context) ([]string, error) {
	conn, err := pgx.Connect(ctx, socketURL(s.home.socketDir, superuser, database))
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	rows, err := conn.Query(ctx, "select name || ' = ' || current_setting(name) from pg_settings where source = 'configuration file' order by name")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
