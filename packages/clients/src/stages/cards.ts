import { changeAnswers, type Layers } from "@assay/agents/making";

/** Whatever is said of the card of an agent: its headers are changed. */
export const cardLabelled = (headers: Readonly<Record<string, string>>): Layers => ({
  http: changeAnswers((answer, { path }) =>
    cardPath.test(path) && answer.status < 400 ? { ...answer, headers: { ...answer.headers, ...headers } } : answer,
  ),
});

/** The card is there under one name only. */
export const cardOnlyAt = (name: string): Layers => ({
  http: changeAnswers((answer, { path }) =>
    cardPath.test(path) && !path.endsWith(`/${name}`)
      ? { status: 404, headers: { "Content-Type": "text/plain" }, body: "There is nothing here." }
      : answer,
  ),
});

export const cardPath = /\/\.well-known\/agent(?:-card)?\.json$/;
