import type { HarEntry, Secret } from "@assay/wire";

const placeholder = /«secret:([^»]*)»/g;

type Request = HarEntry["request"];

const textsOf = ({ url, headers, postData }: Request): string[] => [
  url,
  ...headers.map(({ value }) => value),
  postData?.text ?? "",
];

/** The names of the secrets that a recorded request held. */
export const secretsNamed = (request: Request): Set<string> =>
  new Set(textsOf(request).flatMap((text) => [...text.matchAll(placeholder)].map(([, name]) => name!)));

/** Secrets of these belong to other principals, whom no made-up credential can stand for. */
export const isOfPrincipal = (name: string): boolean => /^(second|restricted)-/.test(name);

/**
 * What is put in the place of each placeholder: the secret that was given under that name, else something made up. That
 * is what the run had sent, too, where it showed credentials that nobody has.
 */
export const filledWith =
  (secrets: readonly Secret[], madeUp: string) =>
  (text: string): string =>
    text.replaceAll(placeholder, (_, name: string) => secrets.find((each) => each.name === name)?.value ?? madeUp);
