import { visible } from "@assay/reporters/look";
import { cut, jsonText } from "@assay/suite/text";
import { classWords } from "../classes/class-words.ts";
import type { FleetReport, FleetRow } from "../report/document.ts";
import { changeWords, examinedWord, levelWord } from "../report/report-text.ts";
import { agentFile } from "./addresses.ts";
import { toneOf } from "./class-mark.ts";

/** What the script of the index knows of an agent, in this order: place, name, address, page, class, tone, level, examined, broken, built with, change. */
export const shownRow = (row: FleetRow): readonly (string | number)[] => [
  row.place,
  cut(visible(row.agent), 120),
  row.agent === row.url ? "" : cut(visible(row.url), 200),
  agentFile(row.agent),
  classWords[row.class],
  toneOf(row),
  levelWord(row),
  examinedWord(row),
  row.broken?.length ?? 0,
  row.builtWith ? cut(visible(row.builtWith.name), 60) : "",
  row.change ? changeWords[row.change] : "",
];

/** All agents, for the script that searches and pages: a file of its own, because a page of ten thousand rows is slow to open. */
export const agentData = ({ agents }: FleetReport): string =>
  `self.fleetAgents = [\n${agents.map((row) => jsonText(shownRow(row))).join(",\n")}\n];\n`;
