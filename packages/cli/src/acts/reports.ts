import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { reasonOf } from "@assay/library/runs";
import { didYouMean } from "@assay/protocol/core";
import { jsonText } from "@assay/protocol/escape";
import {
  type ActsReport,
  actsFileName,
  actsJson,
  actsJunit,
  actsMarkdown,
  type SdkInfo,
  transportsIn,
} from "@assay/scenarios";
import { UsageError } from "../exit.ts";
import { writeFile } from "../report-targets.ts";
import type { Screen } from "../terminal/screen.ts";

const formats = ["acts", "json", "junit", "markdown"] as const;
type Format = (typeof formats)[number];

interface Target {
  readonly format: Format;
  readonly file?: string;
}

/** Reads report options such as `acts=out/acts.json` or `junit`. */
export function actsTargetsOf(given: readonly string[]): Target[] {
  const targets = given.map((text): Target => {
    const at = text.indexOf("=");
    const name = at < 0 ? text : text.slice(0, at);
    const file = at < 0 ? undefined : text.slice(at + 1);
    const format = formats.find((each) => each === name);
    if (!format)
      throw new UsageError(
        `--report ${text}: unknown format "${name}" for scenarios.${didYouMean(name, formats)}`,
        `Formats: ${formats.join(", ")}. With a file: --report acts=out/acts.json`,
      );
    if (file === "") throw new UsageError(`--report ${text}: missing file name after =. Add it, or omit the =.`);
    return { format, ...(file !== undefined && { file }) };
  });
  if (targets.filter(({ file }) => file === undefined).length > 1)
    throw new UsageError("Only one report can go to stdout.", "Give the others a file: --report junit=<file>");
  return targets;
}

/** Writes the requested reports independently of each other. Returns true if one could not be written. */
export function writeActsReports(
  targets: readonly Target[],
  report: ActsReport,
  sdk: string | undefined,
  screen: Screen,
  people: Screen,
): boolean {
  const info = sdkOf(sdk);
  let isShort = false;
  let isOutputTaken = targets.some(({ file }) => file === undefined);
  for (const { format, file } of targets.flatMap((target) => piecesOf(target, report, info))) {
    const [text, place] = [format, file];
    try {
      if (place === undefined) screen.write(text);
      else {
        writeFile(place, text, 0o666);
        people.line(`Written: ${place}`);
      }
    } catch (error) {
      isShort = true;
      // Scenarios have no recording from which the report could be made again.
      const rest = isOutputTaken ? "" : " The report goes to stdout instead.";
      people.complain(`Cannot write ${place} (${reasonOf(error as NodeJS.ErrnoException)}).${rest}`);
      if (!isOutputTaken) screen.write(text);
      isOutputTaken = true;
    }
  }
  return isShort;
}

/** Returns the texts of a target. There may be several, because an ACTS report covers only one binding. */
function piecesOf(
  { format, file }: Target,
  report: ActsReport,
  sdk: Partial<SdkInfo>,
): { format: string; file?: string }[] {
  const at = file === undefined ? {} : { file };
  switch (format) {
    case "json":
      return [{ format: `${jsonText(report, 2)}\n`, ...at }];
    case "junit":
      return [{ format: actsJunit(report), ...at }];
    case "markdown":
      return [{ format: actsMarkdown(report), ...at }];
    case "acts": {
      const transports = transportsIn(report);
      if (file === undefined && transports.length > 1)
        throw new UsageError(
          "The ACTS report is one document for each binding, and only one can go to stdout.",
          "Choose one with --binding, or give a file or a folder: --report acts=out/",
        );
      return transports.map((transport) => ({
        format: actsJson(report, transport, sdk),
        ...(file !== undefined && { file: actsPlace(file, transports.length > 1, report, transport, sdk) }),
      }));
    }
  }
}

/** Returns the file of a report: a folder gets the names of §13.5, and several files get the binding in their names. */
function actsPlace(
  file: string,
  isSeveral: boolean,
  report: ActsReport,
  transport: ReturnType<typeof transportsIn>[number],
  sdk: Partial<SdkInfo>,
): string {
  if (file.endsWith("/") || (existsSync(file) && statSync(file).isDirectory()))
    return join(file, actsFileName(report, transport, sdk));
  return isSeveral ? file.replace(/(\.[^./]*)?$/, `.${transport}$1`) : file;
}

/** Reads an SDK such as `a2a-python@0.3.1:python`. */
function sdkOf(text: string | undefined): Partial<SdkInfo> {
  if (text === undefined) return {};
  const [, name, version, language] = /^([^@:]+)(?:@([^:]+))?(?::(.+))?$/.exec(text) ?? [];
  if (name === undefined) throw new UsageError(`--sdk ${text}: expected name, name@version or name@version:language`);
  return { name, ...(version !== undefined && { version }), ...(language !== undefined && { language }) };
}
