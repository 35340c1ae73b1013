import type { JsonObject } from "@assay/protocol";
import { isEmptyDeletion } from "../../answers/empty-deletion.ts";
import { expectInvalid, isInternal, isNotFound, matches } from "../../answers/expect-error.ts";
import { asObject, asText, brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, resultOf } from "../../answers/reading.ts";
import { isNotServed } from "../../answers/served.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import {
  breach,
  broken,
  crashed,
  type Finding,
  holds,
  isBreach,
  notApplicable,
  notExamined,
} from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { configsIn, type PushConfigs, pushConfigs } from "../../observations/push-configs.ts";
import { expectNotFound } from "../errors/expect.ts";
import { isNotOffered, whileAlive, whileOutlived } from "./excuses.ts";

const idsIn = (pages: readonly Call[]): string[] => configsIn(pages).flatMap(({ id }) => asText(id) ?? []);

/** Returns the first member that differs from the requested configuration. */
function differs(config: JsonObject | undefined, want: JsonObject): [member: string, saw: string] | undefined {
  for (const [member, value] of Object.entries(want)) {
    if (config?.[member] !== value) return [member, brief(config?.[member] ?? "nothing")];
  }
  return undefined;
}

/** Reports a call that had to succeed. */
function failed(what: string, call: Call): Finding {
  const isBreakdown = isInternal(call) || call.reply.is === "failure";
  const code = isBreakdown ? "crashed" : isNotServed(call) ? "operation-not-served" : "broken";
  return breach(code, `${what} fails`, answerOf(call, "a result"));
}

/**
 * Judges the response to an unusable configuration. To accept it is always wrong. After the end of the task, the agent
 * may choose the error.
 */
const unusable = (seen: PushConfigs, call: Call, what: string): Finding =>
  call.reply.is === "result" ? expectInvalid(call, what) : whileAlive(seen, expectInvalid(call, what));

/** Checks that an unknown configuration is reported as not found, with the error for tasks or another one. */
function judgeUnknown(call: Call, what: string, target: Target): Finding {
  const finding = expectNotFound(call, what, target);
  if (finding.is === "holds" || isBreach(finding, "error-table-1.0.0")) return finding;
  if (!isNotFound(call) || matches(call, "InvalidParams")) return finding;
  return breach(
    "not-found-of-its-own",
    `${what} returns a "not found" error other than TaskNotFoundError`,
    answerOf(call, "TaskNotFoundError"),
  );
}

export const configLife: readonly Check[] = [
  activeCheck("PUSH-005", {
    uses: { pushConfigs },
    judge({ pushConfigs: { plain, taskId } }) {
      const { config, given, call } = plain;
      const want = "the stored configuration with id, taskId and the requested url";
      const wrong = differs(config, given);
      if (wrong) {
        return broken(`CreateTaskPushNotificationConfig returns a different ${wrong[0]} than requested`, {
          saw: wrong[1],
          want,
          at: call,
        });
      }
      const named = asText(config?.["taskId"]) || undefined;
      if (named === undefined)
        return breach("task-not-named", "CreateTaskPushNotificationConfig returns a configuration without taskId", {
          want,
          at: call,
        });
      if (named === taskId) return holds();
      return broken("CreateTaskPushNotificationConfig returns the taskId of another task", {
        saw: brief(named),
        want,
        at: call,
      });
    },
  }),

  activeCheck("PUSH-007", {
    uses: { pushConfigs },
    judge({ pushConfigs: seen }) {
      const { noUrl, noSuchUrl } = seen.unusable;
      const first = unusable(seen, noUrl, "CreateTaskPushNotificationConfig without url");
      if (first.is === "not-examined") return first;
      return [first, unusable(seen, noSuchUrl, 'CreateTaskPushNotificationConfig with the url "not a url"')];
    },
  }),

  activeCheck("PUSH-008", {
    uses: { pushConfigs },
    judge({ pushConfigs: seen }) {
      const { noScheme } = seen.unusable;
      if (!noScheme) return notApplicable("the binding cannot omit the schemes");
      return unusable(seen, noScheme, "CreateTaskPushNotificationConfig with authentication but without its scheme");
    },
  }),

  activeCheck("PUSH-009", {
    uses: { pushConfigs },
    judge({ pushConfigs: seen }) {
      const { plain, later, got, deletion } = seen;
      if (deletion?.id === plain.id) return notApplicable("the agent keeps only one configuration per task");
      // The rule about Get judges a configuration that was never found.
      if (asText(asObject(resultOf(got))?.["id"]) === undefined)
        return whileOutlived(seen, notApplicable("the agent never returned the configuration"));
      const isRead = asText(asObject(resultOf(later.got))?.["id"]) !== undefined;
      if (isRead) return holds();
      return whileOutlived(
        seen,
        broken("a push configuration disappears while its task is working", {
          saw: describeReply(later.got),
          want: "the configuration, until the task ends",
          at: [later.got, ...(deletion ? [deletion.call] : []), plain.call],
        }),
      );
    },
  }),

  activeCheck("PUSH-010", {
    uses: { pushConfigs },
    judge({ pushConfigs: seen }) {
      const { plain, bearer, lowerCase, basic, got, gotBearer } = seen;
      const asked = [
        { made: plain, call: got, later: [bearer] },
        { made: bearer, call: gotBearer, later: [lowerCase, basic] },
      ];
      for (const { made, call, later } of asked) {
        const { id, given } = made;
        // Of configurations with the same id, the last one replaces the others (AMB-15).
        if (!call || id === undefined || later.some((other) => other.id === id)) continue;
        const config = asObject(resultOf(call));
        const want = "the configuration with that id and its url";
        if (!config) return whileAlive(seen, failed("GetTaskPushNotificationConfig", call));
        const wrong = differs(config, { id, url: given["url"]! });
        if (wrong) {
          return breach(
            made === bearer ? "other-of-several" : "broken",
            `GetTaskPushNotificationConfig returns the wrong ${wrong[0]}`,
            {
              saw: wrong[1],
              want,
              at: call,
            },
          );
        }
      }
      const auth = asObject(asObject(gotBearer && resultOf(gotBearer))?.["authentication"]);
      if (gotBearer && !auth) {
        return breach(
          "authentication-left-out",
          "GetTaskPushNotificationConfig omits the authentication of the configuration",
          {
            want: "authentication with its scheme (credentials may be masked)",
            at: gotBearer,
          },
        );
      }
      return holds();
    },
  }),

  activeCheck("PUSH-011", {
    uses: { pushConfigs },
    judge({ pushConfigs: seen }, target) {
      const judged = (call: Call, what: string): Finding => {
        const finding = judgeUnknown(call, what, target);
        // To return a configuration is always wrong. For an ended task, the agent may choose the error.
        return call.reply.is === "result" ? finding : whileAlive(seen, finding);
      };
      return [
        judged(seen.unknown, "GetTaskPushNotificationConfig with an unknown id"),
        judged(seen.unknownOfNone, "GetTaskPushNotificationConfig for a task without any"),
      ];
    },
  }),

  activeCheck("PUSH-013", {
    uses: { pushConfigs },
    judge({ pushConfigs: seen }) {
      const { taskId, plain, bearer, lowerCase, gotBearer, listed } = seen;
      const made = [plain, bearer, lowerCase].flatMap(({ id }) => id ?? []);
      const [first] = listed;
      if (first && isNotOffered(first)) return notApplicable("the agent does not list configurations");
      if (first?.reply.is !== "result") return whileAlive(seen, failed("ListTaskPushNotificationConfigs", first!));
      if (Array.isArray(resultOf(first))) return notExamined("prerequisite", "the list is an array, without configs");
      const found = idsIn(listed);
      const missing = made.filter((id) => !found.includes(id));
      if (missing.length) {
        const finding = broken("ListTaskPushNotificationConfigs omits configurations of the task", {
          saw: `${found.length} of ${new Set(made).size} configurations`,
          want: "every configuration of the task under configs",
          at: listed,
        });
        // A configuration that could be read at the same time had to be listed.
        const read = asText(asObject(gotBearer && resultOf(gotBearer))?.["id"]);
        return missing.some((id) => id === read) ? finding : whileAlive(seen, finding);
      }
      const stranger = configsIn(listed).find((config) => (asText(config["taskId"]) || taskId) !== taskId);
      if (stranger) {
        return broken("ListTaskPushNotificationConfigs returns configurations of other tasks", {
          saw: `a configuration of the task ${brief(stranger["taskId"], 60)}`,
          want: "configurations of the requested task only",
          at: listed,
        });
      }
      if (new Set(made).size < made.length) {
        return breach("id-reused", "a second push configuration gets the same id and replaces the first", {
          want: "a different id for each configuration",
          at: bearer.call,
        });
      }
      return holds();
    },
  }),

  activeCheck("PUSH-015", {
    uses: { pushConfigs },
    judge({ pushConfigs: seen }) {
      const { listed, paged } = seen;
      const [all, walked] = [idsIn(listed), idsIn(paged)];
      if (paged[0]?.reply.is !== "result") {
        if (!(paged[0] && isInternal(paged[0])))
          return notApplicable("ListTaskPushNotificationConfigs does not support pageSize");
        return crashed("ListTaskPushNotificationConfigs with pageSize returns an internal error", {
          saw: describeReply(paged[0]),
          at: paged,
        });
      }
      const details = {
        saw: `${all.length} configurations at once, ${walked.length} page by page`,
        want: "each configuration once, with any pageSize",
        at: paged,
      };
      if (new Set(walked).size < walked.length)
        return broken("ListTaskPushNotificationConfigs returns a configuration on two pages", details);
      return all.some((id) => !walked.includes(id))
        ? whileAlive(seen, broken("ListTaskPushNotificationConfigs omits configurations when paging", details))
        : holds(paged.length > 1 ? "the agent lists push configurations in pages" : undefined);
    },
  }),

  activeCheck("PUSH-016", {
    uses: { pushConfigs },
    judge({ pushConfigs: seen }) {
      const { deletion } = seen;
      if (!deletion) return whileOutlived(seen, notApplicable("the agent did not create the configuration to delete"));
      const { id, call, got, listed } = deletion;
      if (isNotOffered(call)) return notApplicable("the agent does not delete configurations");
      // The form of the confirmation does not matter: a deleted configuration can be neither read nor listed.
      const isRead = asText(asObject(resultOf(got))?.["id"]) === id;
      const isListed = listed[0]?.reply.is === "result" ? idsIn(listed).includes(id) : !isNotFound(got);
      const isGone = !isRead && !isListed;
      if (call.reply.is !== "result" && !isGone)
        return whileOutlived(seen, failed("DeleteTaskPushNotificationConfig", call));
      const want = "the configuration removed";
      if (isRead) {
        return broken("GetTaskPushNotificationConfig returns a deleted configuration", {
          saw: describeReply(got),
          want,
          at: [got, call],
        });
      }
      return idsIn(listed).includes(id)
        ? broken("ListTaskPushNotificationConfigs returns a deleted configuration", { want, at: [...listed, call] })
        : holds();
    },
  }),

  activeCheck("PUSH-018", {
    uses: { pushConfigs },
    judge({ pushConfigs: seen }) {
      const { deletion } = seen;
      if (deletion?.call.reply.is !== "result")
        return whileOutlived(seen, notApplicable("the agent deleted no configuration"));
      const { again } = deletion;
      const details = answerOf(again, "success, as the first time");
      if (again.reply.is === "result") return holds();
      if (isNotFound(again)) {
        return whileOutlived(
          seen,
          breach("nothing-to-delete", 'a second DeleteTaskPushNotificationConfig returns "not found"', details),
        );
      }
      return whileOutlived(seen, failed("a second DeleteTaskPushNotificationConfig", again));
    },
  }),

  activeCheck("PUSH-046", {
    uses: { pushConfigs },
    bindings: ["JSONRPC", "GRPC"],
    judge({ pushConfigs: { lacking } }) {
      return lacking.map(({ what, call }) => {
        const finding = expectInvalid(call, what);
        if (call.reply.is !== "result" && !isEmptyDeletion(call)) return finding;
        const details = answerOf(call, "a validation error");
        // A protobuf reader sees a missing id as an empty one.
        const shown = asObject(resultOf(call));
        return asText(shown?.["url"]) === undefined && configsIn([call]).length === 0
          ? breach("missing-id-read-as-empty", `${what} returns no validation error`, details)
          : broken(`${what} returns a configuration`, details);
      });
    },
  }),

  activeCheck("PUSH-048", {
    uses: { pushConfigs },
    judge({ pushConfigs: seen }) {
      const { none } = seen;
      // PUSH-013 judges whether the agent lists configurations at all.
      if (none.on.dialect !== "1.0" && none.reply.is !== "result" && seen.listed[0]?.reply.is !== "result")
        return notApplicable("the agent does not list configurations");
      if (none.reply.is !== "result") {
        // If the list works once it has an entry, the state of the task is not the reason.
        const lasted = seen.outlived || seen.listed[0]?.reply.is === "result";
        return whileAlive({ lasted }, failed("ListTaskPushNotificationConfigs for a task without any", none));
      }
      const answer = asObject(resultOf(none)) ?? {};
      const details = { saw: brief(answer), want: "configs empty or absent, and no nextPageToken", at: none };
      if (configsIn([none]).length > 0)
        return broken("ListTaskPushNotificationConfigs returns configurations for a task without any", details);
      return asText(answer["nextPageToken"])
        ? broken("an empty list of configurations has a nextPageToken", details)
        : holds();
    },
  }),
];
