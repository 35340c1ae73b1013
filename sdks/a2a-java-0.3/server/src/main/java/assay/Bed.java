package assay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** sdks/skills.json: what the agents of the test bed are and do. */
final class Bed {
    private final JsonNode bed;

    private Bed(JsonNode bed) {
        this.bed = bed;
    }

    static Bed read() {
        String path = System.getenv().getOrDefault("ASSAY_SKILLS", "../skills.json");
        try {
            return new Bed(new ObjectMapper().readTree(new File(path)));
        } catch (IOException e) {
            throw new IllegalStateException(path + ": " + e.getMessage(), e);
        }
    }

    List<String> agents() {
        return words(bed.path("agents").fieldNames());
    }

    JsonNode agent(String name) {
        return bed.path("agents").path(name);
    }

    JsonNode skill(String name) {
        return bed.path("skills").path(name);
    }

    /** The skill of the first word, where the agent has it. */
    String named(JsonNode agent, String text) {
        String word = text.strip().split("\\s+", 2)[0].toLowerCase();
        boolean has = words(agent.path("skills")).contains(word) || words(agent.path("answers")).contains(word);
        return has ? word : agent.path("otherwise").asText();
    }

    /** The steps for a message that continues a task of a skill. */
    static JsonNode continued(JsonNode skill, String text) {
        for (JsonNode next : skill.path("next")) {
            if (text.toLowerCase().contains(next.path("contains").asText("").toLowerCase())) return next.path("steps");
        }
        return MissingNode.getInstance();
    }

    static List<String> words(JsonNode list) {
        return words(Arrays.stream(new ObjectMapper().convertValue(list, String[].class)).iterator());
    }

    private static List<String> words(Iterator<String> words) {
        List<String> all = new ArrayList<>();
        words.forEachRemaining(all::add);
        return all;
    }
}
