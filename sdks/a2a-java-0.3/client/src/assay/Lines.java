package assay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.a2a.client.Client;
import io.a2a.spec.JSONRPCError;
import io.a2a.util.Utils;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The lines of answers; calls write them at the same time. */
final class Lines {
    private final PrintStream out;

    Lines(PrintStream out) {
        this.out = new PrintStream(out, true, StandardCharsets.UTF_8);
    }

    void ready() {
        ObjectNode line = object();
        line.put("ready", true);
        line.putObject("sdk").put("name", "io.github.a2asdk:a2a-java-sdk-client").put("version", sdkVersion());
        line.put("model", "0.3");
        write(line);
    }

    /** Maven names the jar by its version. */
    private static String sdkVersion() {
        String jar = Client.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        return jar.replaceAll(".*a2a-java-sdk-client-(.+)\\.jar", "$1");
    }

    void result(String id, Object result) {
        write(line(id, "result", Utils.OBJECT_MAPPER.valueToTree(result)));
    }

    void event(String id, Object event) {
        write(line(id, "event", Utils.OBJECT_MAPPER.valueToTree(event)));
    }

    void done(String id) {
        write(line(id, "done", BooleanNode.TRUE));
    }

    void error(String id, String kind, String type, Integer code, String message) {
        ObjectNode error = object().put("kind", kind);
        if (type != null) error.put("type", type);
        if (code != null) error.put("code", code);
        write(line(id, "error", error.put("message", message)));
    }

    /** The agent's errors are somewhere in the chain of causes; all else is the conversation's. */
    void surfaced(String id, Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof JSONRPCError error) {
                error(id, "protocol", error.getClass().getSimpleName(), error.getCode(), thrown.getMessage());
                return;
            }
        }
        error(id, "transport", thrown.getClass().getSimpleName(), null, String.valueOf(thrown.getMessage()));
    }

    private static ObjectNode object() {
        return Utils.OBJECT_MAPPER.createObjectNode();
    }

    private static ObjectNode line(String id, String name, JsonNode value) {
        return object().put("id", id).set(name, value);
    }

    private synchronized void write(ObjectNode line) {
        out.println(line);
    }
}
