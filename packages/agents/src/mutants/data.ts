import type { JsonValue } from "@assay/protocol";
import { reanswer } from "../bending/http.ts";
import { eachMember, eachObject, inJson } from "../bending/json.ts";
import { mutant } from "../mutant.ts";

const eachText = (name: string, change: (text: string) => string) =>
  inJson((json) => eachMember(json, name, (value): JsonValue => (typeof value === "string" ? change(value) : value)));

export const dataMutants = [
  mutant("DATA-001.snake-case", "spec", "Writes artifact_id where artifactId belongs.", {
    codec: inJson((json) =>
      eachObject(json, ({ artifactId, ...rest }) =>
        artifactId === undefined ? rest : { artifact_id: artifactId, ...rest },
      ),
    ),
  }),

  mutant("DATA-003.lower-case", "spec", "Writes the states of tasks as 0.3 did: completed.", {
    codec: eachText("state", (state) => state.replace("TASK_STATE_", "").toLowerCase().replaceAll("_", "-")),
  }),

  mutant("DATA-005.two-l", "spec", "Spells the state of a canceled task with two l.", {
    codec: eachText("state", (state) => state.replace("CANCELED", "CANCELLED")),
  }),

  mutant("DATA-007.offset", "spec", "Writes +00:00 behind its timestamps where Z belongs.", {
    codec: eachText("timestamp", (time) => time.replace("Z", "+00:00")),
  }),

  mutant("DATA-021.hex", "spec", "Writes the bytes of a file in hexadecimal.", {
    codec: eachText("raw", (bytes) => Buffer.from(bytes, "base64").toString("hex")),
  }),

  mutant("DATA-028.latin-1", "spec", "Writes the JSON of its answers in Latin-1.", {
    http: reanswer((answer) => ({ ...answer, body: Buffer.from(String(answer.body), "latin1") })),
  }),
];
