import { randomUUID } from "node:crypto";
import type { HeaderPairs } from "@assay/wire";
import { judged, sentHeader } from "../compare.ts";
import type { Property } from "../property.ts";
import { unknownTask } from "../requests.ts";
import { broken, changed, notExamined, preserved } from "../verdict.ts";

const credentialHeaders = ["authorization", "cookie", "x-api-key", "proxy-authorization"];

const shortestToken = 8;

export const credentialProperties: readonly Property[] = [
  {
    id: "GW-CREDENTIALS-PASSED",
    area: "credentials",
    title: "The gateway passes the client's credentials on",
    breaks: "The agent rejects every caller, or takes all callers for the same one.",
    remedy: "Pass Authorization on, or let the gateway log in to the agent on behalf of each caller.",
    async examine(ends, binding) {
      const token = `Bearer assay-${randomUUID()}`;
      const passage = await ends.send(unknownTask(ends.through, binding, [["Authorization", token]]));
      return judged(passage, (arrived, client) => {
        const [sent, seen] = [sentHeader(client, "authorization"), sentHeader(arrived, "authorization")];
        if (seen === sent) return preserved;
        const at = { part: "request", header: "Authorization" } as const;
        // The value belongs to the operator of the gateway: it is not shown.
        if (seen !== undefined) return changed("the gateway replaces the client's credentials with its own", at);
        if (sent !== token) return changed("the gateway keeps the credentials of this run to itself", at);
        return broken(
          "the gateway removes the client's credentials",
          { saw: "no Authorization", want: "the Authorization header of the client" },
          at,
        );
      });
    },
  },
  {
    id: "GW-CREDENTIALS-ADDED",
    area: "credentials",
    title: "The gateway adds no credentials",
    breaks: "Callers without credentials act with those of the gateway.",
    remedy: "Make sure that the gateway authenticates callers before it adds its own credentials.",
    async examine(ends, binding) {
      // The caller's credentials would hide those that the gateway adds.
      const passage = await ends.sendWithout(credentialHeaders, unknownTask(ends.through, binding));
      return judged(passage, (arrived) => {
        const added = credentialHeaders.filter((name) => sentHeader(arrived, name) !== undefined);
        const [first] = added;
        return first === undefined
          ? preserved
          : changed(`the gateway adds ${added.join(" and ")} to requests without it`, {
              part: "request",
              header: first,
            });
      });
    },
  },
  {
    id: "GW-CREDENTIALS-ECHOED",
    area: "credentials",
    isProof: true,
    title: "The gateway does not return credentials in headers",
    breaks: "Tokens end up in logs of clients and browsers.",
    remedy: "Remove headers with credentials from responses.",
    async examine(ends, binding) {
      const authorization: HeaderPairs = [["Authorization", `Bearer assay-${randomUUID()}`]];
      const passage = await ends.send(unknownTask(ends.through, binding, authorization));
      return judged(passage, (_, client) => {
        const token = sentHeader(client, "authorization")!.split(" ").at(-1)!;
        if (token.length < shortestToken)
          return notExamined(`a token of less than ${shortestToken} characters may appear in a header by chance`);
        const echo = client.http.response?.headers.find(([, value]) => value.includes(token));
        if (!echo) return preserved;
        return broken(
          `the response header ${echo[0]} contains the client's token`,
          { saw: `${echo[0]}: …`, want: "no credentials in response headers" },
          { part: "response", header: echo[0] },
        );
      });
    },
  },
];
