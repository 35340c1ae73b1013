import { type Divergence, mutant } from "../mutant.ts";
import { changeAnswers } from "../mutation/http.ts";

// Faults that were seen in SDKs before a check looked for them (docs/findings).

export const olderFindingMutants: readonly Divergence[] = [
  // JS 0.3.14.
  mutant("REST-034.breaks-down", "spec03", "Breaks down over HTTP+JSON where it means to refuse a stream.", {
    http: changeAnswers((answer, { path }) =>
      path.endsWith("/v1/message:stream") && answer.status >= 400
        ? { ...answer, status: 500, body: JSON.stringify({ code: -32603, message: "Bug: a body must be provided." }) }
        : answer,
    ),
  }),
];
