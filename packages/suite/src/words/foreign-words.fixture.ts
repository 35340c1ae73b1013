import type { HarEntry } from "@assay/wire";
import type { RunEvent } from "../report/events.ts";
import type { ConformanceResult } from "../report/result.ts";
import type { Wording } from "./vocabulary.ts";

/** Finds words that a version of the protocol does not have, because readers would look for them in vain. */

const operationsOf10 =
  /\b(?:SendMessage|SendStreamingMessage|GetTask|ListTasks|CancelTask|SubscribeToTask|(?:Create|Get|Delete)TaskPushNotificationConfig|ListTaskPushNotificationConfigs|GetExtendedAgentCard)\b/;
const membersOf10 =
  /\b(?:supportedInterfaces|securityRequirements|protocolBinding|returnImmediately|extendedAgentCard|mediaType|taskPushNotificationConfig|StreamResponse|ErrorInfo|A2A-Version)\b|under `task`|under `message`/;
const valuesOf10 = /\b(?:TASK_STATE_\w+|ROLE_(?:USER|AGENT)|statusUpdate|artifactUpdate|ProtoJSON)\b/;
const since02 = /\bmessage\/(?:send|stream)\b|\bcontextId\b|`kind`|\bmessageId\b/;
const of01 = /\btasks\/send|\bsessionId\b/;
const before10 =
  /\bmessage\/(?:send|stream)\b|\btasks\/(?:send|get|cancel|resubscribe|push)|`kind`|\bsessionId\b|\bstatus-update\b/;
/** The .proto of 0.3 has most names of 1.0. */
const notOfProto =
  /\b(?:SubscribeToTask|GetExtendedAgentCard|supportedInterfaces|securityRequirements|protocolBinding|returnImmediately|extendedAgentCard|mediaType|A2A-Version)\b/;

/** Returns the words in a text that its version does not have. */
export const foreignIn = (text: string, wording: Wording): string[] =>
  foreignTo(wording).flatMap((pattern) => pattern.exec(text)?.[0] ?? []);

function foreignTo({ dialect, binding }: Wording): readonly RegExp[] {
  if (dialect === "1.0") return [before10];
  if (binding === "HTTP+JSON" || binding === "GRPC") return [notOfProto, of01];
  const later = [operationsOf10, membersOf10, valuesOf10];
  return dialect === "0.1" ? [...later, since02] : [...later, of01];
}

/** Returns true for a rule about two versions, which uses the words of both. */
export const isOfBoth = (rule: string): boolean => /VER-|^LEG-/.test(rule);

/**
 * Returns where results use words that their version does not have. Words from the conversation itself do not count: an
 * agent may use the words of another version, and results quote them.
 */
export function foreignWords(results: readonly ConformanceResult[], events: readonly RunEvent[]): string[] {
  const said = events.flatMap((event) => (event.event === "exchange" ? bodiesOf(event.entry) : [])).join("\n");
  return results
    .filter((result) => !isOfBoth(result.test) && !isMixUp(result))
    .flatMap((result) => foreignWordsIn(result, said));
}

/** Returns true if the result is about the wrong word itself. */
const isMixUp = ({ code }: ConformanceResult): boolean => code === "type-for-kind" || code === "kind-for-type";

const bodiesOf = ({ request, response }: HarEntry): string[] => [
  request.postData?.text ?? "",
  response.content.text ?? "",
];

function foreignWordsIn(result: ConformanceResult, said: string): string[] {
  const { title, message, warning, info, want, remedy, saw, repeat } = result;
  return Object.entries({ title, message, warning, info, want, remedy, saw, repeat }).flatMap(([member, text]) => {
    const wording = { dialect: result.dialect, binding: result.interface?.binding } as Wording;
    return foreignIn(text ?? "", wording)
      .filter((word) => !said.includes(word))
      .map((word) => `${result.test} ${result.interface?.binding ?? "card"} ${member} has ${word}: ${text}`);
  });
}
