package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"officeconsole/blobs"
	"officeconsole/demo"
	"officeconsole/handlers"
	"officeconsole/handlers/api"
	"officeconsole/handlers/scim"
	"officeconsole/jobs"
	"officeconsole/postgres"
	"officeconsole/queries"
	"officeconsole/queries/areas"
	"officeconsole/sender"
	"officeconsole/static"
	"officeconsole/tracing"
	"officeconsole/views"
)

type serveCommand struct {
	Listen         string         `env:"OFFICECONSOLE_LISTEN" default:"127.0.0.1:8080" help:"Address to answer at."`
	PublicURL      publicURL      `name:"public-url" env:"OFFICECONSOLE_PUBLIC_URL" placeholder:"URL" help:"How browsers reach the console, where that differs: https://console.example.com."`
	MetricsListen  string         `name:"metrics-listen" env:"OFFICECONSOLE_METRICS_LISTEN" placeholder:"ADDRESS" help:"Address to answer /metrics at. Without it there are none."`
	Profiles       bool           `name:"profiles" env:"OFFICECONSOLE_PROFILES" help:"Answer /debug/pprof/ at the address of --metrics-listen, too."`
	TraceURL       string         `name:"trace-url" env:"OFFICECONSOLE_TRACE_URL" placeholder:"URL" help:"Send traces to this collector of OpenTelemetry by OTLP over HTTP: http://127.0.0.1:4318."`
	TraceRatio     float64        `name:"trace-ratio" env:"OFFICECONSOLE_TRACE_RATIO" default:"0.1" placeholder:"SHARE" help:"Share of requests and job runs that are traced, from 0 to 1."`
	TrustedProxies []netip.Prefix `name:"trusted-proxies" env:"OFFICECONSOLE_TRUSTED_PROXIES" placeholder:"RANGE,…" help:"Address ranges of reverse proxies whose X-Forwarded-For counts: 10.0.0.0/8."`
	ProductName    string         `name:"product-name" env:"OFFICECONSOLE_PRODUCT_NAME" placeholder:"NAME" help:"Name shown instead of Office Console."`
	ShutdownDelay  time.Duration  `name:"shutdown-delay" env:"OFFICECONSOLE_SHUTDOWN_DELAY" default:"0s" placeholder:"TIME" help:"How long to go on answering after SIGTERM, while /readyz answers 503, so that a load balancer notices: 10s."`
	Operating      string         `name:"operating-company" env:"OFFICECONSOLE_OPERATING_COMPANY" placeholder:"HOST" help:"The company whose administrators also see what concerns the whole console, such as its backups. Default: none; with --demo the demo company."`
	Demo           bool           `env:"OFFICECONSOLE_DEMO" help:"Serve the demo company: an empty database is filled with it first."`
	networkOption
	TLS tlsOptions `embed:""`
	blobsOption
	scheduleOptions
	replicaOptions
}

// replicaOptions are the read replicas of an external database.
type replicaOptions struct {
	URLs   []string      `name:"read-database-url" env:"OFFICECONSOLE_READ_DATABASE_URL" placeholder:"URL,…" help:"Read replicas of the database: logs, attendance lists and exports are read there. One URL for each server, without a pooler or load balancer between."`
	MaxLag time.Duration `name:"max-replica-lag" env:"OFFICECONSOLE_MAX_REPLICA_LAG" default:"5s" placeholder:"TIME" help:"How far behind a read replica may be. The database itself answers while none is closer."`
}

// networkOption is the option of the commands that reach the servers of others.
type networkOption struct {
	WebhookAllow []netip.Prefix `name:"webhook-allow" env:"OFFICECONSOLE_WEBHOOK_ALLOW" placeholder:"RANGE,…" help:"Address ranges that outgoing webhooks and providers of single sign-on may have although they are not public, also without TLS: 10.1.2.0/24."`
}

func (o networkOption) network() sender.Network { return sender.Network{Allowed: o.WebhookAllow} }

// storeOption is the option of the commands that need the store of files. Its former
// name, blobs, goes on working.
type storeOption struct {
	Blobs string `name:"blob-url" aliases:"blobs" env:"OFFICECONSOLE_BLOB_URL,OFFICECONSOLE_BLOBS" placeholder:"URL" help:"Where files such as banners are stored: a folder, or s3://KEY:SECRET@HOST/BUCKET. Default: blobs in the data directory."`
}

// blobsOption are the options of the commands that store new files.
type blobsOption struct {
	storeOption
	VirusScanner string `env:"OFFICECONSOLE_VIRUS_SCANNER" placeholder:"ADDRESS" help:"Store only files in which clamd, the daemon of ClamAV, finds nothing: HOST:PORT or the path of its socket."`
}

// memoryLimit is the number of bytes above which garbage is collected more
// often. It is more than twice what an import of the largest allowed file
// needs, so that it slows down neither imports nor pages, and limits the growth
// of the heap in a burst.
const memoryLimit = 1 << 30

func (s serveCommand) Run(ctx context.Context, c *commands) error {
	slog.SetDefault(slog.New(tracing.WithIDs(handlers.WithRequestID(logHandler(c.stderr)))))
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	if s.Profiles && s.MetricsListen == "" {
		return errors.New("--profiles needs --metrics-listen, the address that answers them")
	}
	stopTracing, err := s.startTracing(ctx)
	if err != nil {
		return err
	}
	defer stopTracing()
	secure, err := s.TLS.config(c)
	if err != nil {
		return err
	}
	assets, err := static.Load()
	if err != nil {
		return err
	}
	listener, metrics, err := s.listen()
	if err != nil {
		return err
	}
	defer listener.Close()
	if metrics != nil {
		defer metrics.Close()
	}
	c.serving, c.replicas = true, s.replicaOptions
	db, closeAll, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer closeAll()
	if c.ClockOffset != 0 {
		slog.WarnContext(ctx, "the clock is shifted: use this in tests only", "offset", c.ClockOffset)
	}
	if !c.ClockAt.IsZero() {
		slog.WarnContext(ctx, "the clock stands still: use this in tests only", "at", c.ClockAt)
	}
	files, err := s.openBlobs(c)
	if err != nil {
		return err
	}
	if c.DatabaseURL != "" { // the built-in database has one console
		if err := s.checkShared(ctx, c, db); err != nil {
			return err
		}
	}
	network := s.network()
	backups, err := s.schedule(c, s.storeOption)
	if err != nil {
		return err
	}
	db.Webhooks.Allow(network)
	db.Identity.Allow(network)
	if s.Demo {
		if err := fillDemoOnce(ctx, db, files); err != nil {
			return err
		}
	}
	operating, err := s.operatingCompany(ctx, db)
	if err != nil {
		return err
	}
	console := newServer(handlers.New(db, handlers.Config{
		ProductName:    s.ProductName,
		Version:        version,
		TrustedProxies: s.TrustedProxies,
		PublicURL:      string(s.PublicURL),
		Secure:         secure != nil || strings.HasPrefix(string(s.PublicURL), "https://"),
		Asset:          assets.Path,
		Static:         assets.Handler(),
		Stopping:       ctx.Done(),
		API:            api.New(db, version, files),
		SCIM:           scim.New(db, string(s.PublicURL)),
		Blobs:          files,

		OperatingCompany: operating,
		ExternalDatabase: c.DatabaseURL != "",
		Backups:          backups,
	}))
	console.TLSConfig = secure
	if err := s.announce(ctx, c.stdout, db, listener.Addr(), secure != nil); err != nil {
		return err
	}
	if err := announceFirstSteps(ctx, c.stdout, db); err != nil {
		return err
	}
	return service{
		db: db, console: console, listener: listener, metrics: metrics, observation: s.observation(db), delay: s.ShutdownDelay,
		outside:      jobs.Outside{Blobs: files, Webhooks: sender.NewClient(network, nil, "OfficeConsole/"+version), Backups: backups},
		databaseLost: c.databaseLost,
	}.run(ctx)
}

// listen listens at the addresses of the console and, unless there are none, of metrics. It
// comes first, so that a taken port is reported before the database is opened.
func (s serveCommand) listen() (console, metrics net.Listener, err error) {
	if console, err = net.Listen("tcp", s.Listen); err != nil {
		return nil, nil, fmt.Errorf("listen: %w", err)
	}
	if s.MetricsListen == "" {
		return console, nil, nil
	}
	if metrics, err = net.Listen("tcp", s.MetricsListen); err != nil {
		console.Close()
		return nil, nil, fmt.Errorf("listen for metrics: %w", err)
	}
	return console, metrics, nil
}

// checkShared checks what consoles of an external database share.
func (s serveCommand) checkShared(ctx context.Context, c *commands, db *areas.Areas) error {
	unscanned, err := s.openStore(c)
	if err != nil {
		return err
	}
	if err := checkStore(ctx, db.DB, unscanned); err != nil {
		return err
	}
	return db.WarnUnlimited(ctx)
}

// openBlobs opens the store of files, which scans them if there is a virus scanner.
func (o blobsOption) openBlobs(c *commands) (blobs.Store, error) {
	store, err := o.openStore(c)
	if err != nil || o.VirusScanner == "" {
		return store, err
	}
	return blobs.Scanned(store, o.VirusScanner)
}

// openStore opens the store of files, by default a folder in the data directory.
func (o storeOption) openStore(c *commands) (blobs.Store, error) {
	if o.Blobs != "" {
		return blobs.Open(o.Blobs)
	}
	dir, err := c.dataDir()
	if err != nil {
		return nil, err
	}
	// With an external database nothing has created the directory yet. A later
	// start may use the built-in one, which must be able to enter it.
	if err := postgres.MakeDir(dir); err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	return blobs.Open(filepath.Join(dir, "blobs"))
}

// operatingCompany returns the host of the company whose administrators see what
// concerns the whole console. The company may be created later.
func (s serveCommand) operatingCompany(ctx context.Context, db *areas.Areas) (string, error) {
	host := s.Operating
	if host == "" && s.Demo {
		host = demo.Host
	}
	if host == "" {
		return "", nil
	}
	_, err := db.Directory.CompanyByHost(ctx, host)
	if errors.Is(err, queries.NotFound) {
		slog.WarnContext(ctx, "nobody sees the backups: no company has the host of --operating-company", "host", host)
		return host, nil
	}
	return host, err
}

// announceFirstSteps prints how to create a company if there is none.
func announceFirstSteps(ctx context.Context, out io.Writer, db *areas.Areas) error {
	exists, err := db.Directory.HasCompany(ctx)
	if err != nil || exists {
		return err
	}
	slog.WarnContext(ctx, "nobody can sign in: there is no company yet (officeconsole company create)")
	fmt.Fprintln(out, "\nThere is no company yet, so nobody can sign in. Create one and its administrator:")
	fmt.Fprintln(out, "  "+strings.ReplaceAll(views.FirstSteps, "\n", "\n  "))
	return nil
}

func (s serveCommand) announce(ctx context.Context, out io.Writer, db *areas.Areas, at net.Addr, secure bool) error {
	url := string(s.PublicURL)
	if url == "" {
		url = map[bool]string{false: "http://", true: "https://"}[secure] + at.String()
	}
	fmt.Fprintf(out, "Office Console is ready: %s\n", url)
	if !s.Demo {
		return nil
	}
	_, err := db.Directory.CompanyByHost(ctx, demo.Host)
	if errors.Is(err, queries.NotFound) {
		fmt.Fprintln(out, "\nThere is no demo company: --demo creates it only in an empty database.")
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nDemo accounts, all with the password %s\n", demo.Password)
	for _, account := range demoAccounts {
		fmt.Fprintf(out, "  %-26s %s\n", account.name+"@"+account.host, account.who)
	}
	return nil
}

// demoAccounts are the accounts listed in the contract.
var demoAccounts = []struct{ name, host, who string }{
	{"admin", demo.Host, "administrator"},
	{"employee", demo.Host, "ordinary employee"},
	{"viewer", demo.Host, "may look at one department's attendance"},
	{"manager", demo.Host, "may also edit it"},
	{"hidden", demo.Host, "hidden, cannot sign in"},
	{"admin", demo.OtherHost, "administrator of another company"},
}

// fillDemoOnce fills an empty database; it does not change one that has
// companies.
func fillDemoOnce(ctx context.Context, db *areas.Areas, files blobs.Store) error {
	companies, err := db.Directory.Companies(ctx)
	if err != nil || len(companies) > 0 {
		return err
	}
	began := time.Now()
	if err := demo.Fill(ctx, db.DB, demo.Options{Employees: 1200, Days: 90, Seed: 1, Today: db.Now()}, files); err != nil {
		return fmt.Errorf("demo company: %w", err)
	}
	slog.InfoContext(ctx, "demo company created", "took", time.Since(began))
	return nil
}

// logHandler writes JSON lines, or plain text if out is a terminal.
func logHandler(out io.Writer) slog.Handler {
	if file, ok := out.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return slog.NewTextHandler(out, &slog.HandlerOptions{Level: slog.LevelWarn})
		}
	}
	return slog.NewJSONHandler(out, nil)
}
