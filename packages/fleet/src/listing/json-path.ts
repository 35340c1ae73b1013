import { isObject } from "@assay/protocol";
import { UsageError } from "@assay/protocol/assay-error";

type Step = { readonly name: string } | { readonly index: number } | { readonly all: true };
interface PathStep {
  readonly step: Step;
  /** at any depth below */
  readonly isDeep: boolean;
}

/** Maximum depth of a search below one place. */
const mostDepth = 64;

/** Returns the values at a JSONPath (RFC 9535) of names, numbers and stars: `$.agents[*].cardUrl`, `$..url`. */
export function atJsonPath(json: unknown, path: string): unknown[] {
  let places: unknown[] = [json];
  for (const { step, isDeep } of stepsOf(path))
    places = places.flatMap((place) => (isDeep ? below(place) : [place]).flatMap((each) => taken(each, step)));
  return places;
}

function taken(value: unknown, step: Step): unknown[] {
  if ("name" in step) return isObject(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : [];
  const list = Array.isArray(value) ? value : undefined;
  if ("index" in step) return list && step.index < list.length ? [list[step.index]] : [];
  return list ?? (isObject(value) ? Object.values(value) : []);
}

function below(value: unknown, depth = 0): unknown[] {
  const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return depth > mostDepth ? [] : [value, ...inner.flatMap((each) => below(each, depth + 1))];
}

const next =
  /^(\.\.?)?(?:([\p{L}_][\p{L}\p{N}_-]*)|(\*)|\[(?:(\d{1,9})|\*|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\])/u;

function stepsOf(path: string): PathStep[] {
  if (!path.startsWith("$"))
    throw new UsageError(`--json-path: A path begins with $, as in $.agents[*].url; this one is ${path}`);
  const steps: PathStep[] = [];
  for (let rest = path.slice(1); rest !== ""; ) {
    const found = next.exec(rest);
    const [whole, dots, name, star, index, single, double] = found ?? [];
    const isBare = name !== undefined || star !== undefined;
    // A bare name needs a dot or two before it. Brackets follow two dots or none.
    if (whole === undefined || (isBare && dots === undefined) || (!isBare && dots === "."))
      throw new UsageError(
        `--json-path: Names, [0], [*] and .. are understood; not ${JSON.stringify(rest)} in ${path}`,
      );
    const text = name ?? single?.replace(/\\(.)/g, "$1") ?? double?.replace(/\\(.)/g, "$1");
    const step: Step =
      text !== undefined ? { name: text } : index !== undefined ? { index: Number(index) } : { all: true };
    steps.push({ step, isDeep: dots === ".." });
    rest = rest.slice(whole.length);
  }
  return steps;
}
