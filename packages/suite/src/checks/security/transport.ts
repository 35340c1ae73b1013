import type { TlsVersion } from "@assay/wire";
import { answerOf, headerOf, isLogin } from "../../answers/reading.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { firstContact, isSpoken } from "../../observations/first-contact.ts";

const isSecure = ({ on }: Target): boolean => on.url.startsWith("https:");

/** Who does not answer in clear has nothing to say there; a port that a firewall swallows is not waited for. */
const clearMs = 3_000;

const outdated: Readonly<Partial<Record<TlsVersion, string>>> = { TLSv1: "TLS 1.0", "TLSv1.1": "TLS 1.1" };

/** What production deployments owe those who call them. */
export const transport: readonly Check[] = [
  activeCheck({
    id: "AUTH-001",
    uses: { firstContact },
    async judge({ firstContact: { spoken } }, target) {
      const want = "https, or TLS for gRPC";
      if (!isSecure(target)) {
        return broken("an interface of a production deployment is spoken to in clear", {
          saw: target.on.url,
          want,
          at: spoken,
        });
      }
      if (target.on.binding === "GRPC") return holds();
      // Without credentials: they do not travel in clear.
      const call = await target
        .as("anonymous")!
        .http("GetTask", { id: target.unknownId() }, ({ url, ...rest }) => ({ ...rest, url: inClear(url) }), {
          timeout: Math.min(target.grace, clearMs),
          // A server that speaks TLS alone closes the connection: that is no crash.
          unrepeated: true,
        });
      if (!isSpoken(call) && !isLogin(call)) return holds();
      return breach(
        "plain-http-answered",
        "an interface that is served over https answers to plain http as well",
        answerOf(call, "a redirect to https, a refusal, or no answer"),
      );
    },
  }),

  activeCheck({
    id: "AUTH-002",
    uses: { firstContact },
    async judge({ firstContact: { spoken } }, target) {
      if (!isSecure(target)) return notApplicable("the interface is not served over TLS");
      const accepted: string[] = [];
      for (const [version, name] of Object.entries(outdated) as [TlsVersion, string][]) {
        if ((await target.shakeHands(version)) === "accepted") accepted.push(name);
      }
      const want = "TLS 1.3 or 1.2, and nothing older";
      if (accepted.length)
        return broken("outdated versions of TLS are accepted", { saw: accepted.join(", "), want, at: spoken });
      const newest = await target.shakeHands("TLSv1.3");
      if (newest === "accepted") return holds();
      if (newest !== "refused")
        return notExamined("unstable", `no handshake could be tried: ${newest.unknown}`, "--timeout <seconds>");
      return breach("tls-1.3-not-offered", "TLS 1.3 is not offered", { want: "TLS 1.3", at: spoken });
    },
  }),

  activeCheck({
    id: "AUTH-003",
    uses: { firstContact },
    async judge({ firstContact: { spoken } }, target): Promise<Finding> {
      if (!isSecure(target)) return notApplicable("the interface is not served over TLS");
      // Those who set it on what succeeds alone have set it.
      const calls = [spoken, await target.call("ListTasks", { pageSize: 1 })];
      const said = calls.map(({ exchange }) => headerOf(exchange, "strict-transport-security"));
      if (said.some((value) => /max-age\s*=\s*"?0*[1-9]/i.test(value ?? ""))) return holds();
      return broken("answers over https come without Strict-Transport-Security", {
        saw: said.find((value) => value !== undefined) ?? "no such field",
        want: "Strict-Transport-Security: max-age=…",
        at: calls,
      });
    },
  }),

  activeCheck({
    id: "GRPC-003",
    uses: { firstContact },
    // That it was spoken there is what the first call has shown.
    judge: ({ firstContact: { spoken } }, target) =>
      isSecure(target)
        ? holds()
        : broken("gRPC of a production deployment is spoken in plain text", {
            saw: target.on.url,
            want: "HTTP/2 over TLS",
            at: spoken,
          }),
  }),
];

/** The same place for plain http: port 80 where https has its own, else the very port. */
const inClear = (url: string): string => url.replace(/^https:/i, "http:");
