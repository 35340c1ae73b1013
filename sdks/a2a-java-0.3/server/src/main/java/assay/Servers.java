package assay;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.a2a.server.requesthandlers.RequestHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The server driver of docs/drivers.md. The reference server answers at the root of its port and has one card, so there
 * is a process for each agent; this one starts them, says where they are, and ends them.
 */
public final class Servers {
    public static void main(String[] args) throws Exception {
        List<Process> agents = new ArrayList<>();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> agents.forEach(Process::destroyForcibly)));
        ObjectNode ready = new ObjectMapper().createObjectNode().put("ready", true);
        ready.putObject("sdk").put("name", "io.github.a2asdk:a2a-java-sdk-client").put("version", sdkVersion());
        ObjectNode addresses = ready.putObject("agents");
        for (String name : Bed.read().agents()) {
            int port = freePort();
            addresses.put(name, "http://127.0.0.1:" + port);
            agents.add(start(name, port));
        }
        for (var address : addresses) awaitCard(address.asText(), agents);
        System.out.println(ready);
        System.in.transferTo(OutputStream.nullOutputStream());
        System.exit(0);
    }

    /** Maven names the jar by its version. */
    private static String sdkVersion() {
        String jar = RequestHandler.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        return jar.replaceAll(".*a2a-java-sdk-server-common-(.+)\\.jar", "$1");
    }

    private static Process start(String name, int port) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        // It logs to stderr.
        return new ProcessBuilder(java.toString(), "-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
                "-Dquarkus.http.host=127.0.0.1", "-Dquarkus.http.port=" + port,
                "-Dquarkus.log.console.stderr=true", "-Dquarkus.log.level=WARN", "-Dquarkus.banner.enabled=false",
                "-Dassay.agent=" + name, "-Dassay.address=http://127.0.0.1:" + port, "-Dassay.sdk=" + sdkVersion(),
                "-jar", "server/target/quarkus-app/quarkus-run.jar")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void awaitCard(String address, List<Process> agents) throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest card = HttpRequest.newBuilder(URI.create(address + "/.well-known/agent-card.json")).build();
        while (true) {
            try {
                if (http.send(card, BodyHandlers.discarding()).statusCode() == 200) return;
            } catch (IOException notYet) {
                if (agents.stream().anyMatch(agent -> !agent.isAlive())) throw new IllegalStateException("an agent did not start", notYet);
            }
            Thread.sleep(100);
        }
    }
}
