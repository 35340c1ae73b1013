import { randomUUID } from "node:crypto";
import type { WireRequest } from "@assay/wire/server";
import { spec } from "../definition/divergence.ts";
import { changeAnswers, changeRequests, type HttpAnswer } from "../mutation/http.ts";

const isCard = ({ path }: WireRequest): boolean => path.endsWith("/.well-known/agent-card.json");

/** Answers with the card are changed before they are written. */
const changeCard = (change: (answer: HttpAnswer, request: WireRequest) => HttpAnswer) =>
  changeAnswers((answer, request) => (isCard(request) ? change(answer, request) : answer));

const labelled = (answer: HttpAnswer, headers: Readonly<Record<string, string>>): HttpAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

export const cacheMutants = [
  spec("CACHE-001.no-store", "The card is served with Cache-Control: no-store.", {
    http: changeCard((answer) => labelled(answer, { "Cache-Control": "no-store" })),
  }),

  spec("CACHE-002.random", "The ETag of the card is different on every fetch.", {
    http: changeCard((answer) => labelled(answer, { ETag: `"${randomUUID()}"` })),
  }),

  spec("CACHE-003.iso-date", "Last-Modified of the card is an ISO 8601 time instead of an HTTP date.", {
    http: changeCard((answer) => labelled(answer, { "Last-Modified": "2026-03-12T09:30:00Z" })),
  }),

  spec("CACHE-004.always-304", "The card URL returns 304 for every If-None-Match, also for an outdated ETag.", {
    http: changeCard((answer, request) =>
      request.headers["if-none-match"] ? { ...answer, status: 304, body: "" } : answer,
    ),
  }),

  spec("CACHE-004.never-304", "Does not look at the ETag that a client says it has.", {
    http: changeRequests(({ headers }) => {
      const { "if-none-match": _tag, ...rest } = headers;
      return { headers: rest };
    }),
  }),
];
