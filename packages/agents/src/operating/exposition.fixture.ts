/** Parses the Prometheus text format strictly; throws at the first invalid line. */
export interface Family {
  readonly type: string;
  readonly help: string;
  /** by name and labels, as written */
  readonly samples: Map<string, number>;
}

const sampleLine =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"(?:,|(?=\})))*)\})? ([-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|Inf)|NaN)$/;

export function readExposition(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  let current: { name: string; family: Family } | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const [, help, about] = /^# HELP (\S+) (.*)$/.exec(line) ?? [];
    if (help !== undefined) {
      if (families.has(help)) throw new Error(`${help} occurs twice`);
      current = { name: help, family: { type: "", help: about!, samples: new Map() } };
      continue;
    }
    const [, typed, type] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (typed !== undefined) {
      if (current?.name !== typed) throw new Error(`${typed} has no help`);
      current = { name: typed, family: { ...current.family, type: type! } };
      families.set(typed, current.family);
      continue;
    }
    const [, name, labels = "", value] = sampleLine.exec(line) ?? [];
    if (name === undefined || !current) throw new Error(`cannot be read: ${line}`);
    const suffix = current.family.type === "histogram" ? "(_bucket|_sum|_count)" : "";
    if (!new RegExp(`^${current.name}${suffix}$`).test(name)) throw new Error(`${name} occurs below ${current.name}`);
    const key = `${name}{${labels}}`;
    if (current.family.samples.has(key)) throw new Error(`${key} occurs twice`);
    current.family.samples.set(key, Number(value!.replace("Inf", "Infinity")));
  }
  for (const [name, { type, samples }] of families) if (type === "histogram") checkHistogram(name, samples);
  return families;
}

/** Checks that bucket counts increase and that the last one is the total. */
function checkHistogram(name: string, samples: ReadonlyMap<string, number>): void {
  let last = 0;
  for (const [key, value] of samples) {
    const [, labels, bound] = new RegExp(`^${name}_bucket\\{(.*?),?le="([^"]+)"\\}$`).exec(key) ?? [];
    if (bound === undefined) continue;
    if (value < last) throw new Error(`${key} is less than the one before`);
    last = bound === "+Inf" ? 0 : value;
    if (bound === "+Inf" && samples.get(`${name}_count{${labels}}`) !== value)
      throw new Error(`${key} is not the count`);
  }
}
