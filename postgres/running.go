package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrNotReady means that the server of another process is starting or stopping.
var ErrNotReady = errors.New("its server is starting or stopping")

// Running returns the database's URL of the server that another process runs in
// dir.
func Running(ctx context.Context, dir string) (string, error) {
	return runningAs(ctx, dir, user)
}

func runningAs(ctx context.Context, dir, role string) (string, error) {
	dir, err := realDir(dir)
	if err != nil {
		return "", explainRights(err)
	}
	// The process may have another user and therefore another directory for its
	// socket. The file that tells it is there while the server runs.
	noted, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	lines := strings.Split(string(noted), "\n")
	const socketLine, statusLine = 4, 7
	if errors.Is(err, os.ErrNotExist) || err == nil && (len(lines) <= statusLine || strings.TrimSpace(lines[statusLine]) != "ready") {
		return "", ErrNotReady
	}
	if err != nil {
		return "", explainRights(err)
	}
	url := socketURL(lines[socketLine], role, database)
	connection, err := pgconn.Connect(ctx, url)
	switch {
	case refusedWith(err, "28000"):
		return "", fmt.Errorf("it does not let this user or this version of the program connect: %w", err)
	case errors.Is(err, os.ErrPermission):
		return "", fmt.Errorf("only root and the user who started it may connect: %w", err)
	case err != nil:
		return "", errors.Join(ErrNotReady, err)
	}
	return url, connection.Close(ctx)
}
