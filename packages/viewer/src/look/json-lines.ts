/** One line of JSON for display: the original text with added line breaks and spaces. */
export interface JsonLine {
  readonly depth: number;
  readonly text: string;
  /** the path of the value that starts on this line, as in `$.task.parts[0]`; absent on a line that closes one */
  readonly path?: string;
}

/** The maximum depth to format. Real agents never nest deeper, so such a text is shown unformatted. */
const deepest = 200;

/**
 * Splits JSON into lines, one for each member or element, and keeps every literal as it was written. Parsing and
 * printing would round numbers and drop duplicate members. Returns undefined if the text is not JSON.
 */
export function jsonLines(text: string): JsonLine[] | undefined {
  const reader = new Reader(text);
  try {
    reader.value("$", 0, "");
    reader.end();
    return reader.lines;
  } catch (error) {
    if (error instanceof NoJson) return undefined;
    throw error;
  }
}

class NoJson extends Error {}

const blank = /[ \t\n\r]*/y;
const literal = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

class Reader {
  readonly lines: JsonLine[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Writes a value with its name in front, and a comma behind it if another value follows. */
  value(path: string, depth: number, name: string): void {
    if (depth > deepest) throw new NoJson();
    this.#skip();
    const start = this.#text[this.#at];
    if (start === "{") this.#members(path, depth, name);
    else if (start === "[") this.#elements(path, depth, name);
    else this.lines.push({ depth, text: name + this.#literal(), path });
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) throw new NoJson();
  }

  #members(path: string, depth: number, name: string): void {
    this.#enclosed("{", "}", { path, depth, name }, () => {
      const key = this.#literal();
      if (!key.startsWith('"')) throw new NoJson();
      this.#skip();
      this.#take(":");
      this.value(path + step(key), depth + 1, `${key}: `);
    });
  }

  #elements(path: string, depth: number, name: string): void {
    let index = 0;
    this.#enclosed("[", "]", { path, depth, name }, () => this.value(`${path}[${index++}]`, depth + 1, ""));
  }

  #enclosed(
    open: string,
    close: string,
    { path, depth, name }: { readonly path: string; readonly depth: number; readonly name: string },
    entry: () => void,
  ): void {
    this.#take(open);
    this.#skip();
    if (this.#text[this.#at] === close) {
      this.#at++;
      this.lines.push({ depth, text: `${name}${open}${close}`, path });
      return;
    }
    this.lines.push({ depth, text: `${name}${open}`, path });
    for (;;) {
      entry();
      this.#skip();
      if (this.#text[this.#at] !== ",") break;
      this.#at++;
      this.#skip();
      const last = this.lines.pop()!;
      this.lines.push({ ...last, text: `${last.text},` });
    }
    this.#take(close);
    this.lines.push({ depth, text: close });
  }

  #literal(): string {
    literal.lastIndex = this.#at;
    const found = literal.exec(this.#text)?.[0];
    if (found === undefined) throw new NoJson();
    this.#at += found.length;
    return found;
  }

  #take(character: string): void {
    if (this.#text[this.#at] !== character) throw new NoJson();
    this.#at++;
  }

  #skip(): void {
    blank.lastIndex = this.#at;
    this.#at += blank.exec(this.#text)![0].length;
  }
}

/** Returns a path segment: `.parts`, or `["with blank"]`. */
const step = (key: string): string => (/^"[A-Za-z_]\w*"$/.test(key) ? `.${key.slice(1, -1)}` : `[${key}]`);
