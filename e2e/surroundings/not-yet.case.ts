import type { Outcome } from "./rows.case.ts";

/** What the suite makes of a surrounding that it does not see through yet. */
export interface NotYet {
  /** the rules it blames the agent for */
  readonly accused: readonly string[];
  /** and others, by what happens to be asked at that moment; at least one in all */
  readonly andOthers?: true;
  readonly comes: Outcome;
}

/** A row that is not needed any more fails its test: delete it. */
export const notYet: Readonly<Record<string, NotYet>> = {
  "gateway-blip": { accused: [], andOthers: true, comes: "not conformant" },
  "gateway-502-now-and-then": { accused: [], andOthers: true, comes: "not conformant" },
  "gateway-504-on-send": { accused: ["SEND-001"], comes: "not conformant" },
  "gateway-502-on-send": { accused: ["SEND-001"], comes: "not conformant" },
  "payment-required": {
    accused: [
      "CTX-008",
      "ERR-004",
      "JSONRPC-001",
      "JSONRPC-009",
      "SEND-001",
      "SEND-003",
      "SEND-006",
      "STREAM-001",
      "STREAM-017",
    ],
    comes: "not conformant",
  },
  "prompt-forbidden": { accused: ["SEND-001", "STREAM-001"], comes: "not conformant" },
  restart: { accused: ["SEND-001"], andOthers: true, comes: "not conformant" },
  death: { accused: [], andOthers: true, comes: "not conformant" },
  "reset-of-pooled-connections": { accused: [], andOthers: true, comes: "not conformant" },
  "reset-on-send": { accused: ["SEND-001"], comes: "not conformant" },
  "early-close-on-send": { accused: ["SEND-001"], comes: "not conformant" },
  "never-answers": { accused: ["STREAM-001"], comes: "not conformant" },
  "replica-lag": { accused: ["LIST-006", "LIST-011"], andOthers: true, comes: "not conformant" },
  "sparse-pages": { accused: ["LIST-018"], comes: "not conformant" },
  "data-only": { accused: ["CTX-008", "SEND-001", "STREAM-001", "STREAM-017"], comes: "not conformant" },
  "typed-text": { accused: ["DATA-023"], comes: "not conformant" },
};
