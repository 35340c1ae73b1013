import type { Run } from "./run.ts";

/** Makes the text of a report. */
export type Reporter = (run: Run) => string;

/** A format of reports: what is known of it before one is made. */
interface Format {
  /** the ending of its files */
  readonly extension: string;
  /** a remark for `--help` */
  readonly about?: string;
  /** made from the recorded events, which the history does not keep */
  readonly needsRecording?: true;
  /** reports of several agents can follow each other in one output */
  readonly follows?: true;
  /** the page of a run offers it */
  readonly onPage?: true;
  /** Loads what makes it, so that naming the formats costs nothing. */
  readonly load: () => Promise<Reporter>;
}

/** Every format, by the name that `--report` knows. Flag values, types, help and the page's list follow from it. */
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
  junit: { extension: "xml", onPage: true, load: async () => (await import("./junit.ts")).junit },
  har: { extension: "har", needsRecording: true, onPage: true, load: async () => (await import("./har.ts")).har },
  html: { extension: "html", onPage: true, load: async () => (await import("./html.ts")).html },
  github: {
    extension: "txt",
    about: "annotations, and the summary of the job",
    load: async () => (await import("./github.ts")).github,
  },
  sarif: { extension: "sarif", load: async () => (await import("./sarif.ts")).sarif },
  badge: { extension: "svg", load: async () => (await import("./badge.ts")).badge },
  schedule: {
    extension: "svg",
    about: "SVG; what the time went on",
    needsRecording: true,
    load: async () => (await import("./schedule.ts")).schedule,
  },
} as const satisfies Readonly<Record<string, Format>>;

export type ReportFormat = keyof typeof formats;
export type Reporters = Readonly<Record<ReportFormat, Reporter>>;

/** The names of the formats that have a property, or of all. */
export const formatsWith = (property?: "needsRecording" | "follows" | "onPage"): ReportFormat[] =>
  (Object.entries(formats) as [ReportFormat, Format][])
    .filter(([, format]) => property === undefined || format[property])
    .map(([name]) => name);

/** "json, …, github (annotations, and the summary of the job), …" */
export const formatsInWords = (): string =>
  (Object.entries(formats) as [ReportFormat, Format][])
    .map(([name, { about }]) => (about === undefined ? name : `${name} (${about})`))
    .join(", ");

/** Loads what makes each format. */
export async function loadReporters(): Promise<Reporters> {
  const loaded = formatsWith().map(async (name) => [name, await formats[name].load()] as const);
  // Every name of the table has its entry.
  return Object.fromEntries(await Promise.all(loaded)) as Reporters;
}
