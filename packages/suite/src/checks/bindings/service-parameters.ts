import { matches } from "../../answers/expect-error.ts";
import { describeReply, errorOf } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { type AskedInVersion, isTaken, looksAtNoVersion, otherVersion } from "../../observations/other-version.ts";
import { sentCall } from "../../observations/sent-calls.ts";

/**
 * The version is the one service parameter that every agent has to look at. An interface that looks at it nowhere has
 * one fault, which VER-005 counts; here it is that some calls go without. Only ListTasks is asked with no other fault:
 * that there is no such task may be said before or after the version is looked at (AMB-34).
 */
const readsHeaders = (id: string, remedy: string) =>
  activeCheck({
    id,
    title: "service parameters are read from the headers of every call",
    remedy,
    uses: { otherVersion },
    judge({ otherVersion: asked }) {
      if (looksAtNoVersion(asked)) return notApplicable("the interface looks at no version at all (VER-005)");
      const list = sentCall(asked, ({ operation }) => operation === "ListTasks")!.call;
      if (!isTaken(list))
        return asked.some(isRefused)
          ? holds()
          : notExamined("not-triggered", `ListTasks is not served: ${describeReply(list)}`);
      return broken("ListTasks in version 99.0 is served, though other calls are refused for their version", {
        saw: describeReply(list),
        want: "VersionNotSupportedError",
        at: list,
      });
    },
  });

/** With which error is for ERR-028; ListTasks alone may be refused for reasons of its own. */
const isRefused = ({ operation, call }: AskedInVersion): boolean =>
  matches(call, "VersionNotSupported") !== undefined ||
  (operation !== "ListTasks" && errorOf(call) !== undefined && !isTaken(call));

const look = "Look at A2A-Version on every call, and refuse versions the agent does not speak.";

export const serviceParameterChecks = [
  readsHeaders("JSONRPC-021", look),
  readsHeaders("REST-016", look),
  readsHeaders(
    "GRPC-005",
    "Look at a2a-version in the metadata of every call, and refuse versions the agent does not speak.",
  ),
];
