package assay;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** One JSON request a line on stdin, the SDK's answer a line on stdout: docs/drivers.md has the protocol. */
public final class Main {
    public static void main(String[] args) throws IOException {
        Lines lines = new Lines(System.out);
        lines.ready();
        ExecutorService calls = Executors.newCachedThreadPool();
        Call call = new Call(lines);
        var requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            JsonObject request;
            try {
                request = JsonParser.parseString(line).getAsJsonObject();
            } catch (JsonParseException | IllegalStateException e) {
                lines.error("", "driver", null, null, "no JSON object: " + e.getMessage());
                continue;
            }
            calls.execute(() -> call.answer(text(request, "id"), text(request, "op"), part(request, "target"), part(request, "params")));
        }
        System.exit(0);
    }

    static String text(JsonObject object, String name) {
        JsonElement value = object.get(name);
        return value != null && value.isJsonPrimitive() ? value.getAsString() : "";
    }

    static JsonObject part(JsonObject object, String name) {
        return object.get(name) instanceof JsonObject part ? part : new JsonObject();
    }
}
