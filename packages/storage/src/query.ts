/** A column value. JSON is stored as text, because only Assay reads it and it must come back unchanged. */
export type SqlValue = string | number | null;

/** A statement or a fragment of one. Its text is split where values go. */
export class Query {
  readonly strings: readonly string[];
  readonly values: readonly SqlValue[];

  constructor(strings: readonly string[], values: readonly SqlValue[]) {
    this.strings = strings;
    this.values = values;
  }

  /** Returns the text with a placeholder for each value, counted from 1. */
  text(placeholder: (index: number) => string): string {
    let text = this.strings[0]!;
    for (let index = 1; index < this.strings.length; index++) text += placeholder(index) + this.strings[index]!;
    return text;
  }
}

/** Builds a query. Interpolated values become parameters, never text; interpolated queries are inlined. */
export function sql(strings: TemplateStringsArray, ...given: readonly (SqlValue | Query)[]): Query {
  if (!given.some((each) => each instanceof Query)) return new Query(strings, given as readonly SqlValue[]);
  const parts = [strings[0]!];
  const values: SqlValue[] = [];
  for (const [index, each] of given.entries()) {
    if (each instanceof Query) append(parts, values, each);
    else {
      values.push(each);
      parts.push("");
    }
    parts[parts.length - 1] += strings[index + 1]!;
  }
  return new Query(parts, values);
}

/** Joins several queries with a separator. */
export function joined(queries: readonly Query[], separator: string): Query {
  const parts = [""];
  const values: SqlValue[] = [];
  for (const [index, query] of queries.entries()) {
    if (index > 0) parts[parts.length - 1] += separator;
    append(parts, values, query);
  }
  return new Query(parts, values);
}

/** Wraps trusted text that is not a value: a name, a type. */
export const raw = (text: string): Query => new Query([text], []);

function append(parts: string[], values: SqlValue[], { strings, values: more }: Query): void {
  parts[parts.length - 1] += strings[0]!;
  parts.push(...strings.slice(1));
  values.push(...more);
}
