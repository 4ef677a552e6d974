package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// descendants returns the processes that a process has started, and those that these
// have started.
func descendants(pid int) []int {
	children := map[int][]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		child, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		parent, _ := strconv.Atoi(fields[1])
		children[parent] = append(children[parent], child)
	}
	var all []int
	for next := slices.Clone(children[pid]); len(next) > 0; next = next[1:] {
		all = append(all, next[0])
		next = append(next, children[next[0]]...)
	}
	return all
}

// signalAll sends a signal to processes, some of which may have ended.
func signalAll(pids []int, signal syscall.Signal) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, signal)
	}
}

// killAll ends processes as a failing machine does: none of them notices the end of
// another one.
func killAll(pids []int) {
	signalAll(pids, syscall.SIGSTOP)
	signalAll(pids, syscall.SIGKILL)
}

// postmaster returns the first process of the database in a cluster.
func postmaster(cluster string) (int, error) {
	text, err := os.ReadFile(filepath.Join(cluster, "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strconv.Atoi(first)
}

// databaseProcesses returns all processes of the database in a cluster.
func databaseProcesses(cluster string) ([]int, error) {
	first, err := postmaster(cluster)
	if err != nil {
		return nil, err
	}
	return append(descendants(first), first), nil
}
