import type { TlsVersion } from "@assay/wire";
import { answerOf, headerOf, isLogin } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { firstContact, isSpoken } from "../../observations/first-contact.ts";

const isSecure = ({ on }: Target): boolean => on.url.startsWith("https:");

/** Limits the wait for a connection in plain text, because a firewall may drop the packets. */
const clearMs = 3_000;

/** Assay hung up on a server that had accepted its connection. */
const isSilent = ({ reply, exchange }: Call): boolean =>
  reply.is === "failure" && reply.failure.code === "aborted" && exchange.timing.connected !== undefined;

const outdated: Readonly<Partial<Record<TlsVersion, string>>> = { TLSv1: "TLS 1.0", "TLSv1.1": "TLS 1.1" };

/** Transport rules for production deployments. */
export const transport: readonly Check[] = [
  activeCheck("AUTH-001", {
    uses: { firstContact },
    async judge({ firstContact: { spoken } }, target) {
      const want = "https, or TLS for gRPC";
      if (!isSecure(target)) {
        return broken("an interface of a production deployment does not use TLS", {
          saw: target.on.url,
          want,
          at: spoken,
        });
      }
      if (target.on.binding === "GRPC") return holds();
      // Sends no credentials, because the request goes out in plain text.
      const ask = (timeout: number) =>
        target
          .as("anonymous")!
          .http("GetTask", { id: target.unknownId() }, ({ url, ...rest }) => ({ ...rest, url: inClear(url) }), {
            timeout,
            // A server that speaks only TLS closes the connection, which is not a crash.
            unrepeated: true,
          });
      const first = await ask(Math.min(target.grace, clearMs));
      const call = isSilent(first) ? await ask(target.grace) : first;
      if (!isSpoken(call) && !isLogin(call)) return holds();
      return breach(
        "plain-http-answered",
        "an https interface also responds to plain http",
        answerOf(call, "a redirect to https, an error, or no response"),
      );
    },
  }),

  activeCheck("AUTH-002", {
    uses: { firstContact },
    async judge({ firstContact: { spoken } }, target) {
      if (!isSecure(target)) return notApplicable("the interface is not served over TLS");
      const accepted: string[] = [];
      for (const [version, name] of Object.entries(outdated) as [TlsVersion, string][]) {
        if ((await target.shakeHands(version)) === "accepted") accepted.push(name);
      }
      const want = "TLS 1.3 or 1.2, and nothing older";
      if (accepted.length)
        return broken("the agent accepts outdated TLS versions", { saw: accepted.join(", "), want, at: spoken });
      const newest = await target.shakeHands("TLSv1.3");
      if (newest === "accepted") return holds();
      if (newest !== "refused")
        return notExamined(
          "unstable",
          `the TLS handshake could not be tested: ${newest.unknown}`,
          "--timeout <seconds>",
        );
      return breach("tls-1.3-not-offered", "the agent does not support TLS 1.3", { want: "TLS 1.3", at: spoken });
    },
  }),

  activeCheck("AUTH-003", {
    uses: { firstContact },
    async judge({ firstContact: { spoken } }, target): Promise<Finding> {
      if (!isSecure(target)) return notApplicable("the interface is not served over TLS");
      // Setting it only on successful responses is enough.
      const calls = [spoken, await target.call("ListTasks", { pageSize: 1 })];
      const said = calls.map(({ exchange }) => headerOf(exchange, "strict-transport-security"));
      if (said.some((value) => /max-age\s*=\s*"?0*[1-9]/i.test(value ?? ""))) return holds();
      return broken("https responses have no Strict-Transport-Security header", {
        saw: said.find((value) => value !== undefined) ?? "no such header",
        want: "Strict-Transport-Security: max-age=…",
        at: calls,
      });
    },
  }),

  activeCheck("GRPC-003", {
    uses: { firstContact },
    // The first call has shown that gRPC works there.
    judge: ({ firstContact: { spoken } }, target) =>
      isSecure(target)
        ? holds()
        : broken("gRPC of a production deployment does not use TLS", {
            saw: target.on.url,
            want: "HTTP/2 over TLS",
            at: spoken,
          }),
  }),
];

/** Returns the plain http URL: port 80 instead of the default port of https, else the same port. */
const inClear = (url: string): string => url.replace(/^https:/i, "http:");
