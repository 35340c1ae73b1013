import { changeAnswers, type Layers } from "@assay/agents/making";

/** Changes the response headers of the card. */
export const cardLabelled = (headers: Readonly<Record<string, string>>): Layers => ({
  http: changeAnswers((answer, { path }) =>
    cardPath.test(path) && answer.status < 400 ? { ...answer, headers: { ...answer.headers, ...headers } } : answer,
  ),
});

/** Serves the card under one name only. */
export const cardOnlyAt = (name: string): Layers => ({
  http: changeAnswers((answer, { path }) =>
    cardPath.test(path) && !path.endsWith(`/${name}`)
      ? { status: 404, headers: { "Content-Type": "text/plain" }, body: "Not found." }
      : answer,
  ),
});

export const cardPath = /\/\.well-known\/agent(?:-card)?\.json$/;
