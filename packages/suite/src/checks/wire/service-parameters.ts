import { probe } from "../../check.ts";
import { broken, type Finding, holds, notApplicable } from "../../finding.ts";
import { otherVersion } from "../../observations/other-version.ts";
import { describeReply, errorOf } from "../../reading.ts";
import type { Talk } from "../../talk.ts";
import { worstOf } from "./errors/names.ts";

/** The version is the one service parameter that every agent has to look at. */
const readsHeaders = (id: string, remedy: string) =>
  probe({
    id,
    title: "service parameters are read from the headers of every call",
    remedy,
    uses: { otherVersion },
    probe({ otherVersion: asked }, lab) {
      const findings = asked.map(({ operation, talk }): Finding => {
        // With which error it is refused is for ERR-028.
        if (errorOf(talk) && errorOf(talk)?.code !== -32001 && !isTaskNotFound(talk)) return holds();
        if (talk.reply.is === "failure" || talk.reply.is === "malformed")
          return notApplicable("the call was not answered in the words of the binding");
        return broken(`${operation} in version 99.0 is served`, {
          saw: describeReply(talk),
          want: "VersionNotSupportedError",
          at: talk,
        });
      });
      return worstOf(id, findings, lab);
    },
  });

/** Served as far as to look for the task. */
const isTaskNotFound = (talk: Talk): boolean => {
  const error = errorOf(talk);
  return error?.grpc ? error.grpc.status === "NOT_FOUND" : error?.http === 404;
};

const look = "Look at A2A-Version on every call, and refuse versions the agent does not speak.";

export const serviceParameterChecks = [
  readsHeaders("JSONRPC-021", look),
  readsHeaders("REST-016", look),
  readsHeaders(
    "GRPC-005",
    "Look at a2a-version in the metadata of every call, and refuse versions the agent does not speak.",
  ),
];
