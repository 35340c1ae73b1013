package assay;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import io.a2a.A2A;
import io.a2a.client.Client;
import io.a2a.client.ClientBuilder;
import io.a2a.client.config.ClientConfig;
import io.a2a.client.transport.grpc.GrpcTransport;
import io.a2a.client.transport.grpc.GrpcTransportConfig;
import io.a2a.client.transport.jsonrpc.JSONRPCTransport;
import io.a2a.client.transport.jsonrpc.JSONRPCTransportConfig;
import io.a2a.client.transport.rest.RestTransport;
import io.a2a.client.transport.rest.RestTransportConfig;
import io.a2a.client.transport.spi.interceptors.ClientCallContext;
import io.a2a.spec.AgentCard;
import io.a2a.spec.PushNotificationConfig;
import io.a2a.util.Utils;
import io.grpc.ManagedChannelBuilder;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Whom a request asks. A client is kept for each target and configuration, as a program would keep one. */
final class Target {
    private static final Map<String, Client> kept = new ConcurrentHashMap<>();

    private final JsonNode target;

    Target(JsonNode target) {
        this.target = target;
    }

    /** The resolver takes only the origin of an address; the path of the card is an argument of its own. */
    AgentCard card() {
        String base = target.path("card").asText().replaceAll("/+$", "");
        return A2A.getAgentCard(base, URI.create(base).getPath() + "/.well-known/agent-card.json", headers());
    }

    /** Whether and how a message is sent or streamed is a matter of the client's configuration in this SDK. */
    Client client(boolean streaming, JsonNode message) throws Exception {
        String key = target + " " + streaming + message.path("configuration") + message.path("metadata");
        Client client = kept.get(key);
        if (client == null) {
            client = over(target.path("binding").asText(), Client.builder(card()).clientConfig(config(streaming, message))).build();
            kept.put(key, client);
        }
        return client;
    }

    ClientCallContext context() {
        return new ClientCallContext(Map.of(), headers());
    }

    private static ClientConfig config(boolean streaming, JsonNode message) {
        JsonNode given = message.path("configuration");
        var config = new ClientConfig.Builder().setStreaming(streaming).setPolling(!given.path("blocking").asBoolean(true));
        if (given.has("historyLength")) config.setHistoryLength(given.get("historyLength").asInt());
        if (given.has("acceptedOutputModes")) {
            config.setAcceptedOutputModes(Utils.OBJECT_MAPPER.convertValue(given.get("acceptedOutputModes"), new TypeReference<List<String>>() {}));
        }
        if (given.has("pushNotificationConfig")) {
            config.setPushNotificationConfig(Utils.OBJECT_MAPPER.convertValue(given.get("pushNotificationConfig"), PushNotificationConfig.class));
        }
        if (message.has("metadata")) {
            config.setMetadata(Utils.OBJECT_MAPPER.convertValue(message.get("metadata"), new TypeReference<Map<String, Object>>() {}));
        }
        return config.build();
    }

    /** The matrix names one binding. Without a name the client has all three, and takes the first that the card lists. */
    private static ClientBuilder over(String binding, ClientBuilder builder) {
        return switch (binding) {
            case "JSONRPC" -> builder.withTransport(JSONRPCTransport.class, new JSONRPCTransportConfig());
            case "HTTP+JSON" -> builder.withTransport(RestTransport.class, new RestTransportConfig());
            case "GRPC" -> builder.withTransport(GrpcTransport.class,
                    new GrpcTransportConfig(address -> ManagedChannelBuilder.forTarget(address).usePlaintext().build()));
            case "" -> over("JSONRPC", over("HTTP+JSON", over("GRPC", builder)));
            default -> throw new Unsupported("no transport for " + binding);
        };
    }

    private Map<String, String> headers() {
        JsonNode headers = target.path("headers");
        return headers.isObject() ? Utils.OBJECT_MAPPER.convertValue(headers, new TypeReference<Map<String, String>>() {}) : Map.of();
    }
}
