import { type DialectVersion, type JsonObject, type OlderWire, type Violation, validateDialect } from "@assay/protocol";
import { asObjects, brief } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { type Check, passiveCheck } from "../../define/check.ts";
import { breach, type Finding, holds } from "../../define/finding.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { taskStream } from "../../observations/task-stream.ts";
import type { BreachCode } from "../../rules/breach-codes.ts";
import { ruleIn } from "../../rules/catalogue.ts";
import { shapesOf } from "../../shapes/of-call.ts";
import { ownerOf } from "../../shapes/owners.ts";
import { type Document, documentsIn } from "./kinded.ts";

const definitions = {
  task: "Task",
  message: "Message",
  "status-update": "TaskStatusUpdateEvent",
  "artifact-update": "TaskArtifactUpdateEvent",
} as const;

/** In what releases of 0.2 differ, the last one has the most: what it knows, and an earlier one does not, is no fault. */
const wireOf = (dialect: DialectVersion): OlderWire => (dialect === "0.2" ? "0.2.6" : "0.3");

const fitsTheSchema = passiveCheck({
  id: "V03-DATA-004",
  title: "tasks, messages and events are what the schema asks for",
  remedy: "Set all members that the JSON schema of the release requires, each with its type; contextId on tasks too.",
  shownBy: [sentMessage, taskStream],
  otherwise: "the agent sent no task, message or event",
  judge(call) {
    const documents = documentsIn(call);
    if (documents.length === 0) return undefined;
    const told = toldElsewhere(call);
    const findings = documents.flatMap((document) => faultsOf(document, call, told));
    return findings.length ? findings : holds();
  },
});

function faultsOf({ is, json }: Document, call: Call, told: readonly string[]): Finding[] {
  const definition = definitions[is];
  const faults = validateDialect(wireOf(call.on.dialect), definition, withoutClients(json));
  return faults.flatMap((fault): Finding[] => {
    const { path, message, demand } = fault;
    if (ownRules.test(path) || told.some((place) => isWithin(path, place) || isWithin(place, path))) return [];
    const sentence = `${definition}${path.slice(1).replaceAll(/\[\d+\]/g, "[]")} ${demand}`;
    const details = { saw: `${path}: ${message}`, want: `a ${definition} of the schema`, at: call };
    return [breach(codeOf(fault, json), sentence, details)];
  });
}

/** `kind`, how states and roles are spelled, and `final`, of which the text says that it may be left out. */
const ownRules = /\.(kind|role|state|final)$/;

function codeOf({ code, path }: Violation, json: JsonObject): BreachCode {
  if (code === "null") return "null-member";
  return /\.file$/.test(path) && hasFileData(json) ? "file-under-data" : "broken";
}

const hasFileData = (json: JsonObject): boolean => /"file":\{[^{}]*"data":/.test(brief(json, Infinity));

/** What clients said stands in the history as they said it. */
const withoutClients = (json: JsonObject): JsonObject =>
  Array.isArray(json["history"])
    ? { ...json, history: asObjects(json["history"]).filter(({ role }) => role !== "user") }
    : json;

/** Places that rules which all versions share speak of; there the answer is wrapped, and a file is no object. */
const toldElsewhere = (call: Call): readonly string[] =>
  shapesOf(call)
    .deviations.filter((deviation) => ruleIn(call.on.dialect, ownerOf(deviation)))
    .map(({ path }) => path.replace(/^\$\.(task|message|statusUpdate|artifactUpdate)(?=[.[]|$)/, "$"));

const isWithin = (path: string, place: string): boolean =>
  place !== "$" && path.startsWith(place) && /^($|[.[])/.test(path.slice(place.length));

export const schemaChecks: readonly Check[] = [fitsTheSchema];
