package queries

import (
	"net"
	"time"

	"github.com/jackc/pgx/v5"
)

// lostPeer is how long each side of a connection through a network waits for a sign of
// the other one. Without a limit, the database keeps the locks of a console that was cut
// off, and a console waits for a database that was, until the system gives up: a quarter
// of an hour, or two.
const lostPeer = 15 * time.Second

// keepAlive asks a silent peer after some seconds, and gives up after lostPeer.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 9 * time.Second, Interval: 2 * time.Second, Count: 3}

// peerParameters are keepAlive and lostPeer for the database's side. They are ignored on
// unix sockets.
var peerParameters = map[string]string{
	"tcp_keepalives_idle": "9", "tcp_keepalives_interval": "2", "tcp_keepalives_count": "3", "tcp_user_timeout": milliseconds(lostPeer),
}

// noticeLostPeers lets both sides of connections notice that the other one is gone.
// Parameters in the database URL replace those of the database's side.
func noticeLostPeers(config *pgx.ConnConfig) {
	dialer := net.Dialer{KeepAliveConfig: keepAlive, Control: limitUnacknowledged}
	config.DialFunc = dialer.DialContext
	for name, value := range peerParameters {
		if _, ok := config.RuntimeParams[name]; !ok {
			config.RuntimeParams[name] = value
		}
	}
}
