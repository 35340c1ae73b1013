import type { Exchange } from "@assay/wire";
import { answeredHeader, olderTypeIn } from "../compare.ts";
import {
  broken,
  changed,
  type ExaminedProperty,
  notExamined,
  type PropertyVerdict,
  preserved,
  worst,
} from "../verdict.ts";
import { bodyJudgement } from "./judge-card.ts";
import { type Compared, type Difference, passageOf, steadyDifferences } from "./samples.ts";

/** Requests that fail without making the agent work. */
export interface ProvokedErrors {
  readonly unknownTask: Compared;
  readonly malformedBody: Compared;
  /** JSON-RPC only */
  readonly unknownMethod?: Compared;
  /** A2A 1.0 only */
  readonly unsupportedVersion?: Compared;
  /** A2A 1.0 only */
  readonly withoutVersion?: Compared;
  /** A2A 1.0 only: the request names 0.3 */
  readonly olderVersion?: Compared;
  /** only if the user gave credentials */
  readonly withoutCredentials?: Compared;
}

interface Provoked {
  readonly words: string;
  readonly compared: Compared;
}

/** Judges each response, and returns the most severe judgement with its exchanges. */
function overall(
  provoked: readonly Provoked[],
  judge: (each: Provoked) => PropertyVerdict,
  ifNone: string,
): ExaminedProperty {
  const judged = provoked.map((each) => ({ ...each, judgement: judge(each) }));
  // One request may show what another cannot, so only the examined ones count.
  const seen = judged.filter(({ judgement }) => judgement.is !== "not-examined");
  const judgement = seen.length
    ? worst(seen.map((each) => each.judgement))
    : (judged[0]?.judgement ?? notExamined(ifNone));
  const shown = judged.find((each) => each.judgement === judgement);
  return { judgement, passages: shown ? [passageOf(shown.compared)] : [] };
}

export function judgeErrors(
  errors: ProvokedErrors,
  success: Compared | undefined,
): ReadonlyMap<string, ExaminedProperty> {
  const { unknownTask, malformedBody, unknownMethod, unsupportedVersion, withoutCredentials } = errors;
  const version = versionJudgement(errors);
  // Without the version header, the agent answers other requests than these.
  const provoked: Provoked[] =
    version.is === "broken"
      ? []
      : [
          { words: unknown, compared: unknownTask },
          ...(unknownMethod ? [{ words: "an unknown method", compared: unknownMethod }] : []),
          ...(unsupportedVersion ? [{ words: "an unsupported version", compared: unsupportedVersion }] : []),
          { words: malformed, compared: malformedBody },
        ];
  const all = [...provoked, ...(success ? [{ words: "GetTask", compared: success }] : [])];
  // A gateway may ask for credentials in its own words.
  const refused = [withoutCredentials ?? []]
    .flat()
    .filter(({ direct, through }) => [...direct, ...through].every(({ http }) => http.response?.status === 401));
  const withHeaders = [...provoked, ...refused.map((compared) => ({ words: "a call without credentials", compared }))];
  return new Map<string, ExaminedProperty>([
    [
      "GW-HEADER-A2A-VERSION",
      { judgement: version, passages: unsupportedVersion ? [passageOf(unsupportedVersion)] : [] },
    ],
    ["GW-HEADER-A2A-EXTENSIONS", { judgement: extensionJudgement(unknownTask), passages: [passageOf(unknownTask)] }],
    ["GW-ANSWER-CONTENT-TYPE", overall(all, typeJudgement, lostVersion)],
    ["GW-ERROR-STATUS", overall(provoked, statusJudgement, lostVersion)],
    ["GW-ERROR-BODY", overall(provoked, errorBodyJudgement, lostVersion)],
    [
      "GW-ERROR-HEADERS",
      overall(
        withHeaders.filter(({ compared }) => compared.direct.some(hasErrorHeader)),
        headerJudgement,
        "the agent sent neither WWW-Authenticate nor Retry-After",
      ),
    ],
  ]);
}

const malformed = "a malformed body";
const lostVersion = "the gateway drops or changes A2A-Version";

const find = ({ differences }: Compared, name: string): Difference | undefined =>
  differences.find((each) => each.name === name);

const unknown = "an unknown task";

/** Returns true if the gateway itself rejects a malformed body. It may do so, because no client sends one. */
const isRejectedByGateway = ({ words, compared }: Provoked): boolean => {
  const status = compared.through.at(-1)!.http.response?.status ?? 0;
  return words === malformed && status >= 400 && status < 500;
};

/**
 * Returns true if the gateway answers itself, with the same error. A gateway that knows A2A may do so if the agent is
 * not needed.
 */
const isAnsweredByGateway = ({ words, compared }: Provoked): boolean =>
  words !== unknown && !find(compared, "status") && !find(compared, "body $.error.code") && !find(compared, "body");

function statusJudgement(each: Provoked): PropertyVerdict {
  const { words, compared } = each;
  if (compared.obstacle !== undefined) return notExamined(compared.obstacle);
  const difference = find(compared, "status");
  if (!difference) return preserved;
  if (isRejectedByGateway(each)) return changed("the gateway itself rejects malformed bodies");
  return broken(`the status of the error for ${words} changes`, {
    saw: difference.saw ?? "no response",
    want: difference.want ?? "a response",
  });
}

function errorBodyJudgement(each: Provoked): PropertyVerdict {
  const { words, compared } = each;
  if (compared.obstacle !== undefined) return notExamined(compared.obstacle);
  const differences = compared.differences.filter(({ name }) => name.startsWith("body"));
  if (differences.length === 0) return preserved;
  if (isRejectedByGateway(each)) return changed("the gateway itself rejects malformed bodies");
  const whole = find(compared, "body");
  if (whole?.saw !== undefined && whole.want === undefined)
    return broken(`the error for ${words} is no longer JSON`, { saw: whole.saw, want: "the JSON error of the agent" });
  const judgement = bodyJudgement(`the error for ${words}`, differences);
  return judgement.is === "broken" && isAnsweredByGateway(each)
    ? changed(`the gateway itself answers ${words}, with the same error code`)
    : judgement;
}

function typeJudgement({ words, compared }: Provoked): PropertyVerdict {
  if (compared.obstacle !== undefined) return notExamined(compared.obstacle);
  const difference = find(compared, "header content-type");
  // Another status means another response, which GW-ERROR-STATUS reports.
  if (!difference || find(compared, "status")) return preserved;
  if (isRejectedByGateway({ words, compared })) return changed("the gateway itself rejects malformed bodies");
  const older = olderTypeIn(difference.want, difference.saw);
  if (older !== undefined) return changed(older);
  if (difference.want === undefined) return changed(`the response to ${words} has a content type: ${difference.saw}`);
  return broken(`the content type of the response to ${words} changes`, {
    saw: difference.saw ?? "none",
    want: difference.want,
  });
}

const errorHeaders = ["www-authenticate", "retry-after"];
const hasErrorHeader = (exchange: Exchange): boolean =>
  errorHeaders.some((name) => answeredHeader(exchange, name) !== undefined);

function headerJudgement({ words, compared }: Provoked): PropertyVerdict {
  if (compared.obstacle !== undefined) return notExamined(compared.obstacle);
  const lost = errorHeaders
    .flatMap((name) => find(compared, `header ${name}`) ?? [])
    .find(({ want }) => want !== undefined);
  if (!lost) return preserved;
  const name = lost.name.replace("header ", "");
  return broken(`${name} of the response to ${words} is lost or different`, {
    saw: lost.saw ?? "nothing",
    want: lost.want!,
  });
}

/**
 * Judges if the version header arrives, by an agent that distinguishes versions. Without the header, both requests are
 * the same to the agent: as one of its own version, of a foreign one, or without a version.
 */
function versionJudgement({
  unknownTask,
  unsupportedVersion: unsupported,
  withoutVersion,
  olderVersion,
}: ProvokedErrors): PropertyVerdict {
  if (!unsupported || !withoutVersion || !olderVersion) return notExamined("A2A 0.3 has no such header");
  const obstacle = unknownTask.obstacle ?? unsupported.obstacle;
  if (obstacle !== undefined) return notExamined(obstacle);
  const isAlike = (one: readonly Exchange[], other: readonly Exchange[]): boolean =>
    steadyDifferences(one, other).length === 0;
  if (isAlike(unknownTask.direct, unsupported.direct)) return notExamined("the agent answers every version alike");
  const [isOther, isOtherVersion] = [unknownTask, unsupported].map(({ differences }) => differences.length > 0);
  if (!isOther && !isOtherVersion) return preserved;
  const isTakenForOwn = isOtherVersion && isAlike(unknownTask.direct, unsupported.through);
  const foreign = new Map([
    ["an unsupported version", unsupported],
    ["a request without a version", withoutVersion],
    ["a request of A2A 0.3", olderVersion],
  ]);
  const takenFor = [...foreign].find(([, { direct }]) => isOther && isAlike(direct, unknownTask.through))?.[0];
  if (!isTakenForOwn && takenFor === undefined) return notExamined("the gateway changes the errors that would show it");
  const own = "the response to a request of A2A 1.0";
  return broken(
    lostVersion,
    isTakenForOwn
      ? { saw: `${own}, for A2A-Version: 99.0`, want: "the response to an unsupported version" }
      : { saw: `the response to ${takenFor}, for A2A-Version: 1.0`, want: own },
  );
}

function extensionJudgement(unknownTask: Compared): PropertyVerdict {
  if (unknownTask.obstacle !== undefined) return notExamined(unknownTask.obstacle);
  if (unknownTask.direct.some((exchange) => answeredHeader(exchange, "a2a-extensions") === undefined))
    return notExamined("the agent names no activated extension in its responses");
  const lost = find(unknownTask, "header a2a-extensions");
  return lost
    ? broken("A2A-Extensions of the response is lost or different", { saw: lost.saw ?? "nothing", want: lost.want! })
    : preserved;
}
