import type { JsonObject, JsonValue } from "@assay/protocol";
import { without } from "../bending/json.ts";
import { mutant } from "../mutant.ts";

const interfaces = (card: JsonObject, change: (entry: JsonObject) => JsonObject): JsonObject => ({
  ...card,
  supportedInterfaces: (card["supportedInterfaces"] as JsonObject[]).map(change),
});

export const cardMutants = [
  mutant("CARD-003.no-name", "spec", "Its card has no name.", { card: (card) => without(card, "name") }),

  mutant("CARD-012.rest", "spec", 'Its card calls the binding HTTP+JSON "REST".', {
    card: (card) =>
      interfaces(card, (entry) =>
        entry["protocolBinding"] === "HTTP+JSON" ? { ...entry, protocolBinding: "REST" } : entry,
      ),
  }),

  mutant("CARD-014.relative-url", "minimal", "Its card gives its HTTP addresses without the host.", {
    card: (card) =>
      interfaces(card, (entry) =>
        entry["protocolBinding"] === "GRPC" ? entry : { ...entry, url: new URL(String(entry["url"])).pathname },
      ),
  }),

  mutant("CARD-020.same-id", "minimal", "All skills on its card have the same id.", {
    card: (card) => ({
      ...card,
      skills: (card["skills"] as JsonObject[]).map((skill) => ({ ...skill, id: "default" })),
    }),
  }),

  mutant("CARD-037.undefined-scheme", "secure", "Its card requires a security scheme that it does not define.", {
    card: (card) => ({ ...card, securityRequirements: [{ schemes: { bearerAuth: { list: [] as JsonValue[] } } }] }),
  }),
];
