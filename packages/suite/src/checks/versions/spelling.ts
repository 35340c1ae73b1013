import { versionHeader } from "@assay/protocol";
import { matches } from "../../answers/expect-error.ts";
import { describeReply } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { HttpChange, Target } from "../../define/target.ts";
import { askAgain, type ControlCall, controlCall, isServed } from "../../observations/control-call.ts";
import { withVersion } from "../../observations/other-version.ts";
import { takesAnything } from "./other-versions.ts";

const isRefused = (call: Call): boolean => matches(call, "VersionNotSupported") !== undefined;

export const nameInAnyCase = activeCheck({
  id: "VER-014",
  title: "the name of the version header may be written in any case",
  remedy: "Look headers up without regard to case: a2a-version is A2A-Version.",
  // Over gRPC all names are in lower case.
  bindings: ["JSONRPC", "HTTP+JSON"],
  uses: { controlCall },
  async judge({ controlCall: plain }, target) {
    const refusesOthers = isRefused(await askAgain(target, plain, { edit: withVersion("99.0"), fair: false }));
    for (const name of ["a2a-version", "A2A-VERSION", "a2A-vErSiOn"]) {
      const right = await spelled(target, plain, name, "1.0");
      if (!isServed(plain, right))
        return broken(`the version is not found in a header spelled ${name}`, {
          saw: describeReply(right),
          want: "the same answer however the header is spelled",
          at: right,
        });
      if (!refusesOthers) continue;
      const wrong = await spelled(target, plain, name, "99.0");
      if (isServed(plain, wrong) && !isRefused(wrong))
        return broken(`version 99.0 is refused, but not in a header spelled ${name}`, {
          saw: describeReply(wrong),
          want: "VersionNotSupportedError however the header is spelled",
          at: wrong,
        });
    }
    return holds();
  },
});

const spelled = (target: Target, plain: ControlCall, name: string, version: string): Promise<Call> =>
  askAgain(target, plain, {
    edit: (headers) => [...withVersion(undefined)(headers), [name, version]],
    // An agent that does not find the version is told so here alone.
    fair: false,
  });

export const readsParameter = activeCheck({
  id: "VER-004",
  title: "the version may come as a query parameter",
  remedy: "Where there is no header, read the version from the query parameter A2A-Version.",
  uses: { controlCall },
  async judge({ controlCall: plain }, target) {
    const right = await target.http(plain.operation, plain.params, inQuery("1.0"));
    if (!isServed(plain, right))
      return broken("the version is not found in the query parameter A2A-Version", {
        saw: describeReply(right),
        want: "the answer to the same request with the header",
        at: right,
      });
    const wrong = await target.http(plain.operation, plain.params, inQuery("99.0"));
    if (isRefused(wrong)) return holds();
    if (await takesAnything(target, plain)) return notApplicable("the agent looks at no version at all (VER-005)");
    if (plain.control.reply.is !== "result")
      return notExamined("not-triggered", `${plain.operation} is refused in version 1.0 as well`);
    return broken("the query parameter A2A-Version is ignored", {
      saw: describeReply(wrong),
      want: "VersionNotSupportedError for A2A-Version=99.0",
      at: wrong,
    });
  },
});

const inQuery =
  (version: string): HttpChange =>
  (request) => ({
    ...request,
    url: `${request.url}${request.url.includes("?") ? "&" : "?"}${versionHeader}=${version}`,
    headers: withVersion(undefined)(request.headers),
  });
