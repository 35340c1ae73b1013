/** A command from the tables of docs/traceability.md, with its abbreviations expanded. */
export interface TraceabilityCommand {
  /** the heading above its table */
  readonly section: string;
  readonly row: string;
  /** the text in the row */
  readonly text: string;
  /** the program; `words` are its arguments */
  readonly program: "assay" | "curl";
  readonly words: readonly string[];
}

const places = { "<bed>": "", "<spec>": "/spec", "<01>": "/spec01", "<02>": "/spec02" };

/** Returns the rows of the tables, each with the heading above it, but not the table of abbreviations. */
export function rowsOf(page: string): { section: string; row: string }[] {
  let section = "";
  let isTable = false;
  return page.split("\n").flatMap((line) => {
    if (line.startsWith("#")) section = line.replace(/^#+ /, "");
    const isRow = line.startsWith("|") && !/^\|-/.test(line);
    const isHead = isRow && !isTable;
    isTable = line.startsWith("|");
    return isRow && !isHead && !section.startsWith("Where each") ? [{ section, row: line }] : [];
  });
}

export function commandsIn({ section, row }: { section: string; row: string }, bed: string): TraceabilityCommand[] {
  // The name of a command alone is only a reference.
  const spans = [...row.matchAll(/`((?:assay [a-z]+|curl|scenario|rules0[12]) [^`]+)`/g)].map(([, text]) => text!);
  return spans.map((text) => {
    const [name = "", ...rest] = wordsOf(writtenOut(text, bed));
    const words = long[name]?.(rest, bed) ?? rest;
    return { section, row, text, program: name === "curl" ? "curl" : "assay", words };
  });
}

/** Expands the abbreviations that the start of the page defines. */
const long: Readonly<Record<string, (ids: readonly string[], bed: string) => string[]>> = {
  scenario: ([id = ""], bed) => ["acts", "acceptance.yaml", "--url", bed, "--only", id],
  rules01: (ids, bed) => ["test", `${bed}/spec01`, ...ids.flatMap((id) => ["--only", id])],
  rules02: (ids, bed) => ["test", `${bed}/spec02`, ...ids.flatMap((id) => ["--only", id])],
};

const writtenOut = (text: string, bed: string): string =>
  Object.entries(places).reduce((all, [name, path]) => all.replaceAll(name, bed + path), text);

/** Splits a command line like a shell: quotes group words. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"(?=\s|$)|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain!,
  );
