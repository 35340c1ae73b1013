package assay;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.a2a.client.Client;
import io.a2a.spec.A2AError;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The lines of answers; calls write them at the same time. */
final class Lines {
    private final PrintStream out;

    Lines(PrintStream out) {
        this.out = new PrintStream(out, true, StandardCharsets.UTF_8);
    }

    void ready() {
        JsonObject sdk = new JsonObject();
        sdk.addProperty("name", "io.github.a2asdk:a2a-java-sdk-client");
        sdk.addProperty("version", sdkVersion());
        JsonObject line = new JsonObject();
        line.addProperty("ready", true);
        line.add("sdk", sdk);
        line.addProperty("model", "1.0");
        write(line);
    }

    /** Maven names the jar by its version. */
    private static String sdkVersion() {
        String jar = Client.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        return jar.replaceAll(".*a2a-java-sdk-client-(.+)\\.jar", "$1");
    }

    void result(String id, JsonElement result) {
        write(line(id, "result", result));
    }

    void event(String id, JsonElement event) {
        write(line(id, "event", event));
    }

    void done(String id) {
        write(line(id, "done", new JsonPrimitive(true)));
    }

    void error(String id, String kind, String type, Integer code, String message) {
        JsonObject error = new JsonObject();
        error.addProperty("kind", kind);
        if (type != null) error.addProperty("type", type);
        if (code != null) error.addProperty("code", code);
        error.addProperty("message", message);
        write(line(id, "error", error));
    }

    /** The agent's errors are somewhere in the chain of causes; all else is the conversation's. */
    void surfaced(String id, Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof A2AError error) {
                error(id, "protocol", error.getClass().getSimpleName(), error.getCode(), thrown.getMessage());
                return;
            }
        }
        error(id, "transport", thrown.getClass().getSimpleName(), null, String.valueOf(thrown.getMessage()));
    }

    private static JsonObject line(String id, String name, JsonElement value) {
        JsonObject line = new JsonObject();
        line.addProperty("id", id);
        line.add(name, value);
        return line;
    }

    private synchronized void write(JsonObject line) {
        out.println(line);
    }
}
