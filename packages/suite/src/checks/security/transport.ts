import type { TlsVersion } from "@assay/wire";
import { type Check, probe } from "../../check.ts";
import { broken, type Finding, holds, notApplicable, notExamined, odd } from "../../finding.ts";
import type { Lab } from "../../lab.ts";
import { contact, isSpoken } from "../../observations/contact.ts";
import { describeReply, headerOf, isLogin } from "../../reading.ts";

const isSecure = ({ on }: Lab): boolean => on.url.startsWith("https:");

/** Who does not answer in clear has nothing to say there; nobody waits for a port that a firewall swallows. */
const clearMs = 3_000;

const outdated: Readonly<Partial<Record<TlsVersion, string>>> = { TLSv1: "TLS 1.0", "TLSv1.1": "TLS 1.1" };

/** What production deployments owe those who call them. */
export const transport: readonly Check[] = [
  probe({
    id: "AUTH-001",
    title: "a production deployment is reached over TLS",
    remedy: "Serve every interface over TLS, name it with https:// in the card, and let plain http redirect or refuse.",
    uses: { contact },
    async probe({ contact: spoken }, lab) {
      const want = "https, or TLS for gRPC";
      if (!isSecure(lab)) {
        return broken("an interface of a production deployment is spoken to in clear", {
          saw: lab.on.url,
          want,
          at: spoken,
        });
      }
      if (lab.on.binding === "GRPC") return holds();
      // By nobody: credentials do not travel in clear.
      const talk = await lab
        .as("anonymous")!
        .http("GetTask", { id: lab.unknownId() }, ({ url, ...rest }) => ({ ...rest, url: inClear(url) }), {
          timeout: Math.min(lab.grace, clearMs),
        });
      if (!isSpoken(talk) && !isLogin(talk)) return holds();
      return odd("an interface that is served over https answers to plain http as well", {
        saw: describeReply(talk),
        want: "a redirect to https, a refusal, or nobody",
        at: talk,
      });
    },
  }),

  probe({
    id: "AUTH-002",
    title: "outdated versions of TLS are switched off",
    remedy: "Offer TLS 1.3 and 1.2, and switch off SSLv3, TLS 1.0 and TLS 1.1.",
    uses: { contact },
    async probe({ contact: spoken }, lab) {
      if (!isSecure(lab)) return notApplicable("the interface is not served over TLS");
      const accepted: string[] = [];
      for (const [version, name] of Object.entries(outdated) as [TlsVersion, string][]) {
        if ((await lab.shakeHands(version)) === "accepted") accepted.push(name);
      }
      const want = "TLS 1.3 or 1.2, and nothing older";
      if (accepted.length)
        return broken("outdated versions of TLS are accepted", { saw: accepted.join(", "), want, at: spoken });
      const newest = await lab.shakeHands("TLSv1.3");
      if (newest === "accepted") return holds();
      if (newest !== "refused")
        return notExamined("unstable", `no handshake could be tried: ${newest.unknown}`, "--timeout <seconds>");
      // 7.1 recommends 1.3, the guide for enterprises is content with 1.2 (AMB-46).
      const message = "TLS 1.3 is not offered";
      return lab.strict ? broken(message, { want: "TLS 1.3", at: spoken }) : holds(message);
    },
  }),

  probe({
    id: "AUTH-003",
    title: "answers over https carry Strict-Transport-Security",
    remedy: "Send Strict-Transport-Security: max-age=31536000 with every answer over https.",
    uses: { contact },
    async probe({ contact: spoken }, lab): Promise<Finding> {
      if (!isSecure(lab)) return notApplicable("the interface is not served over TLS");
      // Those who set it on what succeeds alone have set it.
      const talks = [spoken, await lab.call("ListTasks", { pageSize: 1 })];
      const said = talks.map(({ exchange }) => headerOf(exchange, "strict-transport-security"));
      if (said.some((value) => /max-age\s*=\s*"?0*[1-9]/i.test(value ?? ""))) return holds();
      return broken("answers over https come without Strict-Transport-Security", {
        saw: said.find((value) => value !== undefined) ?? "no such field",
        want: "Strict-Transport-Security: max-age=…",
        at: talks,
      });
    },
  }),

  probe({
    id: "GRPC-003",
    title: "gRPC of a production deployment is spoken over TLS",
    remedy:
      "Serve gRPC over TLS with ALPN h2; where the port is not 443, write https:// before the address in the card.",
    uses: { contact },
    // That it was spoken there is what the first call has shown.
    probe: ({ contact: spoken }, lab) =>
      isSecure(lab)
        ? holds()
        : broken("gRPC of a production deployment is spoken in plain text", {
            saw: lab.on.url,
            want: "HTTP/2 over TLS",
            at: spoken,
          }),
  }),
];

/** The same place for plain http: port 80 where https has its own, else the very port. */
const inClear = (url: string): string => url.replace(/^https:/i, "http:");
