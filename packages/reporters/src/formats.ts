import type { Run } from "./run.ts";

/** Renders a run as text. */
type Reporter = (run: Run) => string;

/** The properties of a report format. */
interface Format {
  /** file extension */
  readonly extension: string;
  /** a remark for `--help` */
  readonly about?: string;
  /** needs the recorded events, which the history does not keep */
  readonly needsRecording?: true;
  /** several reports can be concatenated in one output */
  readonly follows?: true;
  /** offered on the page of a run */
  readonly onPage?: true;
  /** Loads the reporter on demand, so that listing the formats is cheap. */
  readonly load: () => Promise<Reporter>;
  /** Loads the reporter that writes several runs into one file, if the format allows it. */
  readonly merge?: () => Promise<(runs: readonly Run[]) => string>;
}

/** Every format by its name in `--report`. Flag values, types, help and the list on the page follow from this table. */
export const formats = {
  json: { extension: "json", follows: true, onPage: true, load: async () => (await import("./json.ts")).json },
  "json+evidence": {
    extension: "json",
    about: "with the exchanges of failures",
    follows: true,
    load: async () => (await import("./json.ts")).jsonWithEvidence,
  },
  ndjson: {
    extension: "ndjson",
    about: "every event of the run",
    needsRecording: true,
    follows: true,
    load: async () => (await import("./ndjson.ts")).ndjson,
  },
  markdown: {
    extension: "md",
    follows: true,
    onPage: true,
    load: async () => (await import("./markdown.ts")).markdown,
  },
  junit: {
    extension: "xml",
    onPage: true,
    load: async () => (await import("./junit.ts")).junit,
    merge: async () => (await import("./junit.ts")).mergedJunit,
  },
  har: { extension: "har", needsRecording: true, onPage: true, load: async () => (await import("./har.ts")).har },
  html: {
    extension: "html",
    onPage: true,
    load: async () => (await import("./html.ts")).html,
    merge: async () => (await import("./html.ts")).mergedHtml,
  },
  github: {
    extension: "txt",
    about: "annotations and job summary",
    load: async () => (await import("./github.ts")).github,
    merge: async () => (await import("./github.ts")).mergedGithub,
  },
  sarif: {
    extension: "sarif",
    load: async () => (await import("./sarif.ts")).sarif,
    merge: async () => (await import("./sarif.ts")).mergedSarif,
  },
  badge: { extension: "svg", load: async () => (await import("./badge.ts")).badge },
  forecast: {
    extension: "md",
    about: "the clients that work with the agent",
    needsRecording: true,
    load: async () => (await import("./forecast.ts")).forecast,
  },
  "forecast-badge": {
    extension: "svg",
    about: "their number",
    needsRecording: true,
    load: async () => (await import("./forecast.ts")).forecastBadge,
  },
  schedule: {
    extension: "svg",
    about: "SVG timeline",
    needsRecording: true,
    load: async () => (await import("./schedule.ts")).schedule,
  },
} as const satisfies Readonly<Record<string, Format>>;

export type ReportFormat = keyof typeof formats;
export type Reporters<Source = Run> = Readonly<Record<ReportFormat, (source: Source) => string>>;

/** Returns the formats with a property, or all formats. */
export const formatsWith = (property?: "needsRecording" | "follows" | "onPage" | "merge"): ReportFormat[] =>
  (Object.entries(formats) as [ReportFormat, Format][])
    .filter(([, format]) => property === undefined || format[property])
    .map(([name]) => name);

/** "json, …, github (annotations and job summary), …" */
export const formatsInWords = (): string =>
  (Object.entries(formats) as [ReportFormat, Format][])
    .map(([name, { about }]) => (about === undefined ? name : `${name} (${about})`))
    .join(", ");

/** Loads all reporters. */
export async function loadReporters(): Promise<Reporters> {
  const loaded = formatsWith().map(async (name) => [name, await formats[name].load()] as const);
  // Every format has an entry.
  return Object.fromEntries(await Promise.all(loaded)) as Reporters;
}

/** Loads the reporters that write several runs into one file. */
export async function loadMergers(): Promise<Partial<Reporters<readonly Run[]>>> {
  const loaded = formatsWith("merge").map(async (name) => [name, await (formats[name] as Format).merge!()] as const);
  return Object.fromEntries(await Promise.all(loaded)) as Partial<Reporters<readonly Run[]>>;
}
