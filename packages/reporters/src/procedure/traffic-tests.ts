import {
  cardWithoutLoginName,
  type ExchangeRecorded,
  type PeerTried,
  resultsOf,
  type SkillTried,
} from "@assay/suite/report";
import {
  answerOf,
  fails,
  firstEventOf,
  isObject,
  noCard,
  objectIn,
  passes,
  type RunEvidence,
  type StepVerdict,
  skips,
  unconcerned,
} from "./evidence.ts";

/** Tests of the procedure that read the traffic of a run, besides the results of rules. */

const idsOf = (skills: readonly SkillTried[]): string => skills.map(({ skill }) => skill).join(", ");

const whoseAnswer = (skills: readonly SkillTried[], ...answers: readonly SkillTried["answer"][]): SkillTried[] =>
  skills.filter(({ answer }) => answers.includes(answer));

/** Step 2.1: the agent accepts the first example of every skill. */
export function skillsAreAnswered({ skills }: RunEvidence): readonly StepVerdict[] {
  const refused = whoseAnswer(skills, "refused", "silence");
  const untried = skills.filter(({ answer }) => answer === undefined);
  return [
    ...(refused.length ? [fails(`no task and no message for the first example of ${idsOf(refused)}`)] : []),
    ...(untried.length ? [skips(`not tried: ${idsOf(untried)}`)] : []),
    ...(skills.length > refused.length + untried.length ? [passes] : []),
  ];
}

/** Step 2.2: tasks end, and at least one completes. The protocol does not define the result of a skill. */
export function skillsEnd({ skills }: RunEvidence): readonly StepVerdict[] {
  const unfinished = whoseAnswer(skills, "unfinished");
  const failed = whoseAnswer(skills, "failed");
  if (unfinished.length) return [fails(`no terminal state in time: ${idsOf(unfinished)}`)];
  if (whoseAnswer(skills, "completed").length) return [passes];
  return failed.length ? [fails(`no task completed; failed: ${idsOf(failed)}`)] : [];
}

/** Step 2.5, for a card that declares stateTransitionHistory: some task shows two entries or more. */
export function showsHistory({ card, exchanges }: RunEvidence): readonly StepVerdict[] {
  if (!card) return noCard;
  if (objectIn(card, "capabilities")?.["stateTransitionHistory"] !== true)
    return [unconcerned("the card does not declare stateTransitionHistory")];
  const tasks = exchanges
    .filter(({ operation }) => operation === "GetTask")
    .map(taskOf)
    .filter(isObject);
  const longest = Math.max(0, ...tasks.map(({ history }) => (Array.isArray(history) ? history.length : 0)));
  if (tasks.length === 0) return [skips("no task was read with GetTask")];
  return longest >= 2
    ? [passes]
    : [fails(`the longest history of ${tasks.length} answers has ${longest} entries, want 2 or more`)];
}

/** Returns the task in the response to GetTask, over JSON-RPC or HTTP+JSON. */
function taskOf(exchange: ExchangeRecorded): Record<string, unknown> | undefined {
  const answer = answerOf(exchange);
  const task = objectIn(answer, "result") ?? (isObject(answer) ? answer : undefined);
  return task && objectIn(task, "status") ? task : undefined;
}

/** Step 3.4: a stream does not open with an artifact. */
export function opensWithStatus({ card, exchanges, report }: RunEvidence): readonly StepVerdict[] {
  if (!card) return noCard;
  if (report.capabilities?.streaming !== true) return [unconcerned("the card does not declare streaming")];
  const first = exchanges
    .filter(({ operation }) => operation === "SendStreamingMessage")
    .flatMap((exchange) => {
      const event = firstEventOf(exchange);
      const content = objectIn(event, "result") ?? event;
      return isObject(content) ? [content] : [];
    });
  if (first.length === 0) return [skips("no stream was seen")];
  const isArtifact = (event: Record<string, unknown>): boolean =>
    event["kind"] === "artifact-update" || "artifactUpdate" in event || ("artifact" in event && !("status" in event));
  return first.some(isArtifact) ? [fails("the first event of a stream is an artifact")] : [passes];
}

/** Step 4.6: the agent serves the card without a login. */
export function cardIsPublic({ exchanges, card, report }: RunEvidence): readonly StepVerdict[] {
  // If the card itself requires a login, the run ends before Assay can request the card again.
  const isShut = card === undefined && report.ending === "login-required";
  const asked = exchanges
    .filter((exchange) => exchange.during === cardWithoutLoginName || (isShut && !showsSecret(exchange)))
    .map(({ entry }) => entry.response.status);
  const refused = asked.find((status) => status === 401 || status === 403);
  if (refused !== undefined) return [fails(`HTTP ${refused} for the Agent Card without credentials`)];
  if (asked.includes(200)) return [passes];
  return card ? [skips("the card was not asked for without credentials")] : noCard;
}

const showsSecret = ({ entry: { request } }: ExchangeRecorded): boolean => JSON.stringify(request).includes("«secret:");

/** Step 4: a crash is critical, whatever caused it. */
export function survives({ report }: RunEvidence): readonly StepVerdict[] {
  const results = resultsOf(report);
  const crash = results.find(({ code }) => code === "crashed");
  if (crash) return [fails(crash.message ?? "the server crashed")];
  return results.some(({ status }) => status !== "skip") ? [passes] : [skips("nothing was examined")];
}

/** Step 5.2: the level `full` includes push notifications. */
export function offersPush({ card, report }: RunEvidence): readonly StepVerdict[] {
  if (!card) return noCard;
  return report.capabilities?.pushNotifications === true
    ? []
    : [unconcerned("the card does not declare pushNotifications")];
}

/** Step 5.5: the tests with a second agent. */
export function withPeer({ events }: RunEvidence, test: PeerTried["test"]): readonly StepVerdict[] {
  const tried = events.filter((event): event is PeerTried => event.event === "peer-tried" && event.test === test);
  return tried.map(({ status, message }) => ({ status, ...(message !== undefined && { message }) }));
}
