// Package serving is what the server of every driver does besides: where it listens, how it says so, when it ends.
package serving

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"os"

	"assay/sdks/go/lines"
)

// Listen binds 127.0.0.1: the port is that of --port, and any other for port 0.
func Listen() (net.Listener, error) {
	port := flag.Int("port", 0, "the port; 0 for any")
	flag.Parse()
	return onLoopback(*port)
}

// ListenAnywhere binds a port of 127.0.0.1 that is free.
func ListenAnywhere() (net.Listener, error) { return onLoopback(0) }

func onLoopback(port int) (net.Listener, error) {
	return net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
}

// UntilStdinEnds says that the agents can answer, and returns when they are no longer needed.
func UntilStdinEnds(module string, agents map[string]string) error {
	ready := map[string]any{"ready": true, "sdk": lines.SDK(module), "agents": agents}
	if err := json.NewEncoder(os.Stdout).Encode(ready); err != nil {
		return err
	}
	_, err := io.Copy(io.Discard, os.Stdin)
	return err
}
