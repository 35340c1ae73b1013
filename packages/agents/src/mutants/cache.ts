import type { WireRequest } from "@assay/wire/server";
import { reanswer } from "../bending/http.ts";
import { mutant } from "../mutant.ts";

const isCard = ({ path }: WireRequest): boolean => path.endsWith("/.well-known/agent-card.json");

export const cacheMutants = [
  mutant("CACHE-001.no-store", "spec", "Forbids caches to keep its card.", {
    http: reanswer((answer, request) =>
      isCard(request) ? { ...answer, headers: { ...answer.headers, "Cache-Control": "no-store" } } : answer,
    ),
  }),

  mutant("CACHE-004.always-304", "spec", "Answers 304 to whoever names any ETag of its card, an old one too.", {
    http: reanswer((answer, request) =>
      isCard(request) && request.headers["if-none-match"] ? { ...answer, status: 304, body: "" } : answer,
    ),
  }),
];
