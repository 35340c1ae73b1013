import { isObject, wayToCycle } from "@assay/protocol";
import { type Document, isMap, isSeq, LineCounter, parseDocument } from "yaml";
import type { ListDocument, ListMistake, ListRow } from "./row.ts";

const known = new Set(["fleet", "defaults", "labels", "agents"]);
const ofItself = "this alias refers to a value that contains it; replace the alias with the value";

/** Reads a list as YAML or JSON: `agents`, and settings for all of them or for those with a label. */
export function readYamlList(text: string, file: string): ListDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeAt = (offset: number): string => `${file}:${lines.linePos(offset).line}`;
  const broken: ListMistake[] = document.errors.map(({ pos, message }) => ({ place: placeAt(pos[0]), message }));
  if (broken.length) return { rows: [], mistakes: broken };
  const said = contentOf(document);
  if (said instanceof Error) return { rows: [], mistakes: [{ place: `${file}:1`, message: said.message }] };
  const cycle = wayToCycle(said);
  if (cycle) {
    const node = document.getIn(cycle, true) as { range?: [number, number, number] } | undefined;
    return { rows: [], mistakes: [{ place: placeAt(node?.range?.[0] ?? 0), message: ofItself }] };
  }
  const { contents } = document;
  const list = isMap(contents) ? contents.get("agents", true) : contents;
  if (!isSeq(list))
    return { rows: [], mistakes: [{ place: `${file}:1`, message: "a list of agents below agents: is missing" }] };
  const rows = list.items.map((item): ListRow => {
    const offset = (item as { range?: [number, number, number] }).range?.[0] ?? 0;
    return { place: placeAt(offset), value: (item as { toJS(of: typeof document): unknown }).toJS(document) };
  });
  if (!isMap(contents)) return { rows, mistakes: [] };
  const { fleet, defaults, labels } = isObject(said) ? said : {};
  const unknown = Object.keys(isObject(said) ? said : {}).filter((name) => !known.has(name));
  return {
    ...(typeof fleet === "string" && { fleet }),
    ...(defaults != null && { defaults }),
    ...(isObject(labels) && { labels }),
    rows,
    mistakes: unknown.map((name) => ({ place: `${file}:1`, message: `"${name}" is unknown beside agents` })),
  };
}

/** Reads the document. The parser throws only at its limits, when nested aliases expand too far. */
function contentOf(document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    return error as Error;
  }
}
