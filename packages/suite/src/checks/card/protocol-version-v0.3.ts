import { asList, asText, brief, errorOf } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, holds, notApplicable } from "../../define/finding.ts";
import { shellQuoted } from "../../report/repeat.ts";

/**
 * What speaks 0.3 and does not say so may be of 0.2 as well, which asked for a version only in its last releases. The
 * two are told apart by the one method that came with 0.3.
 */
export const versionIsNamed = activeCheck({
  id: "V03-CARD-002",
  title: "the card says which version of the protocol the agent speaks",
  remedy: 'Add `"protocolVersion": "0.3.0"` at the top of the card.',
  uses: {},
  once: true,
  async judge(_seen, target) {
    const { card } = target.facts;
    if (card["url"] === undefined && asList(card["supportedInterfaces"]).length > 0)
      return notApplicable("there is no card for clients of this version");
    const value = card["protocolVersion"];
    const want = 'protocolVersion: "0.3.0"';
    const version = asText(value);
    if (version !== undefined && /^0\.3(\.|$)/.test(version)) return holds();
    // The calls below only tell 0.3 from 0.2; what is wrong is on the card.
    const repeat = `curl -s ${shellQuoted(target.facts.cardUrl)}`;
    const saw = value === undefined ? "no protocolVersion" : `protocolVersion: ${brief(value)}`;
    if (version !== undefined)
      return breach("other-version-named", "the card of an agent that speaks 0.3 names another version", {
        saw,
        want,
        repeat,
      });
    const rpc = target.sameVersion.find(({ on }) => on.binding === "JSONRPC");
    const message = value === undefined ? "protocolVersion is missing" : "protocolVersion is no string";
    if (!rpc) return breach("version-unknown", message, { saw, want, repeat });
    const call = await rpc.call("GetExtendedAgentCard", {});
    const code = errorOf(call)?.code;
    const isOf03 = call.reply.is === "result" || (code !== undefined && code !== -32601 && code !== -32600);
    return breach(isOf03 ? "broken" : "version-unknown", message, { saw, want, repeat, at: call });
  },
});
