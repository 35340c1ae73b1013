import type { HeaderPairs } from "@assay/wire";
import { answeredHeader, isSameType, judged, olderTypeIn, sentHeader } from "../compare.ts";
import type { Property } from "../property.ts";
import { unknownTask } from "../requests.ts";
import { broken, changed, preserved } from "../verdict.ts";

const extension = "https://assay.invalid/extensions/gateway-test";
const trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

interface Header {
  readonly id: string;
  readonly name: string;
  /** the value to send; absent if every request has the header */
  readonly value?: string;
  readonly breaks: string;
  readonly rule?: string;
  /** the name in 0.3; absent if 0.3 does not have it */
  readonly older?: string;
  /** no rule of A2A needs the header, so neither its loss nor another value breaks anything */
  readonly isOptional?: true;
  /** the gateway may add values */
  readonly isList?: true;
}

const requestHeader = ({ id, name, value, older, breaks, rule, isOptional, isList }: Header): Property => ({
  id,
  ...(older !== undefined && { older: true }),
  area: "headers",
  title: `The gateway passes ${name} on`,
  breaks,
  ...(rule !== undefined && { rule }),
  remedy: `Pass the request header ${name} on unchanged.`,
  async examine(ends, binding, version) {
    const given = version === "0.3" ? (older ?? name) : name;
    const field = given.toLowerCase();
    const more: HeaderPairs = value === undefined ? [] : [[given, value]];
    const passage = await ends.send(unknownTask(ends.through, binding, more, version));
    return judged(passage, (arrived, client) => {
      const [sent, seen] = [sentHeader(client, field), sentHeader(arrived, field)];
      if (sent === seen) return preserved;
      const at = { part: "request", header: given } as const;
      const lines = { saw: seen === undefined ? `no ${given}` : `${given}: ${seen}`, want: `${given}: ${sent}` };
      // An extension of the gateway leaves those of the client active.
      const names = isList ? (seen?.split(",").map((each) => each.trim()) ?? []) : [];
      const added = names.filter((each) => each !== sent);
      if (names.length > added.length) return changed(`the gateway adds ${added.join(", ")} to ${given}`, at, lines);
      const message = `the gateway ${seen === undefined ? "drops" : "changes"} ${given}`;
      return isOptional ? changed(message, at, lines) : broken(message, lines, at);
    });
  },
});

export const headerProperties: readonly Property[] = [
  requestHeader({
    id: "GW-HEADER-A2A-VERSION",
    name: "A2A-Version",
    breaks: "The agent takes the request for one of A2A 0.3, and answers with an error or in the old format.",
    rule: "VER-001",
  }),
  requestHeader({
    id: "GW-HEADER-A2A-EXTENSIONS",
    name: "A2A-Extensions",
    older: "X-A2A-Extensions",
    value: extension,
    isList: true,
    breaks: "The agent does not activate extensions, and rejects requests that need one.",
    rule: "EXT-004",
  }),
  requestHeader({
    id: "GW-HEADER-TRACEPARENT",
    name: "traceparent",
    value: trace,
    breaks: "Traces of client and agent are not connected.",
    isOptional: true,
  }),
  requestHeader({
    id: "GW-HEADER-ACCEPT",
    name: "Accept",
    breaks: "The agent cannot tell what the client accepts.",
    isOptional: true,
  }),
  {
    id: "GW-ANSWER-CONTENT-TYPE",
    area: "headers",
    older: true,
    title: "The gateway keeps the content type of responses",
    breaks: "Clients do not recognise the response as JSON of A2A.",
    remedy: "Pass the response header Content-Type on unchanged.",
    async examine(ends, binding, version) {
      const passage = await ends.send(unknownTask(ends.through, binding, [], version));
      return judged(passage, (agent, client) => {
        const [want, saw] = [answeredHeader(agent, "content-type"), answeredHeader(client, "content-type")];
        if (want === saw) return preserved;
        const at = { part: "response", header: "Content-Type" } as const;
        const lines = { saw: saw ?? "none", want: want ?? "none" };
        if (isSameType(want, saw)) return changed(`Content-Type has other parameters: ${saw}`, at, lines);
        const older = olderTypeIn(want, saw);
        if (older !== undefined) return changed(older, at, lines);
        return broken("the gateway changes the content type of a response", lines, at);
      });
    },
  },
];
