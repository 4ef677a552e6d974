package audit

// MaxPendingReads is maxPendingReads.
const MaxPendingReads = maxPendingReads
