package assay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.a2a.util.Utils;
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
            try {
                JsonNode request = Utils.OBJECT_MAPPER.readTree(line);
                calls.execute(() -> call.answer(request.path("id").asText(), request.path("op").asText(),
                        new Target(request.path("target")), request.path("params")));
            } catch (JsonProcessingException e) {
                lines.error("", "driver", null, null, "no JSON: " + e.getOriginalMessage());
            }
        }
        System.exit(0);
    }
}
