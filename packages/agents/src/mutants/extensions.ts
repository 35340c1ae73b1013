import { reanswer } from "../bending/http.ts";
import { mutant } from "../mutant.ts";

export const extensionMutants = [
  mutant("EXT-008.decoration", "strict", "Serves clients that do not declare the extension it requires.", {
    gate: (gate) => ({
      ...gate,
      extensions: (caller, agent) =>
        gate.extensions(caller, {
          ...agent,
          extensions: agent.extensions?.map((extension) => ({ ...extension, required: false })) ?? [],
        }),
    }),
  }),

  mutant("EXT-011.echoes", "full", "Lists every extension that was asked for as active, those it does not know too.", {
    http: reanswer((answer, { headers }) => {
      const asked = headers["a2a-extensions"];
      return typeof asked === "string" && answer.status === 200
        ? { ...answer, headers: { ...answer.headers, "A2A-Extensions": asked } }
        : answer;
    }),
  }),
];
