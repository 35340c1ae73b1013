//go:build !http

package calling

import (
	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2acompat/a2av0"
	grpcv0 "github.com/a2aproject/a2a-go/v2/a2agrpc/v0"
	grpcv1 "github.com/a2aproject/a2a-go/v2/a2agrpc/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// What needs gRPC and protocol buffers, most of the time that a build takes: left out with the tag http.
func init() {
	inTheClear := grpc.WithTransportCredentials(insecure.NewCredentials())
	transports[Spoken{a2a.Version, a2a.TransportProtocolGRPC}] = grpcv1.WithGRPCTransport(inTheClear)
	transports[Spoken{a2av0.Version, a2a.TransportProtocolGRPC}] = grpcv0.WithGRPCTransport(inTheClear)
	transports[Spoken{a2av0.Version, a2a.TransportProtocolJSONRPC}] = a2av0.WithJSONRPCTransport(a2av0.JSONRPCTransportConfig{})
	transports[Spoken{a2av0.Version, a2a.TransportProtocolHTTPJSON}] = a2av0.WithRESTTransport(a2av0.RESTTransportConfig{})
	parseCard = a2av0.NewAgentCardParser()
}
