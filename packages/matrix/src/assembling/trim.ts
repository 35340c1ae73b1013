import type { MatrixDocument } from "../document/document.ts";
import type { MatrixExchange } from "../document/evidence.ts";
import { evidenceOf, sealed } from "../document/seal.ts";

/** Number of characters kept of a body. */
const bodyChars = 4_000;
/** Number of cells per cause that keep their exchanges; the others show the same. */
const examples = 2;

/** Trims a document for a repository: the exchanges of a few cells of each cause, with shortened bodies. */
export function trimmed(document: MatrixDocument): MatrixDocument {
  const seen = new Map<string, number>();
  const kept = new Set<string>();
  for (const { blame, exchanges, outcome } of document.cells) {
    if (outcome !== "failed" || !blame) continue;
    const count = seen.get(blame.cause) ?? 0;
    seen.set(blame.cause, count + 1);
    if (count < examples) for (const id of exchanges) kept.add(id);
  }
  for (const { exchanges } of document.causes) for (const id of exchanges) kept.add(id);
  for (const { edges } of document.chains)
    for (const { outcome, exchanges } of edges) if (outcome === "failed") for (const id of exchanges) kept.add(id);
  const exchanges = Object.fromEntries(
    Object.entries(document.exchanges)
      .filter(([id]) => kept.has(id))
      .map(([id, exchange]) => [id, cut(exchange)]),
  );
  return {
    ...document,
    exchanges,
    cells: document.cells.map(({ seal, ...cell }) => {
      const { evidence, cell: _, recorded = evidence, ...rest } = seal;
      const isShown = cell.outcome === "failed" && cell.exchanges.some((id) => id in exchanges);
      // The other cells match the scenario, or the shown cells of the same cause.
      const told = isShown
        ? cell
        : {
            ...cell,
            exchanges: [],
            steps: cell.steps.map(({ params: _p, answer: _a, ...step }) => ({ ...step, exchanges: [] })),
          };
      return sealed({ ...told, seal: { ...rest, recorded } }, evidenceOf(told, exchanges));
    }),
    trimmed: true,
  };
}

function cut(exchange: MatrixExchange): MatrixExchange {
  const { entry } = exchange;
  const { postData } = entry.request;
  const { content } = entry.response;
  return {
    ...exchange,
    entry: {
      ...entry,
      request: {
        ...entry.request,
        ...(postData && { postData: { ...postData, text: short(postData.text) } }),
      },
      response: { ...entry.response, content: { ...content, text: short(content.text) } },
    },
  };
}

const short = (text: string): string => (text.length > bodyChars ? text.slice(0, bodyChars) : text);
