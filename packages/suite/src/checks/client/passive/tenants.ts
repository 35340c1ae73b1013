import { asText, brief } from "../../../answers/reading.ts";
import { passiveClientCheck } from "../../../client/client-check.ts";
import { callName } from "../../../client/request-fields.ts";
import { broken, holds } from "../../../define/finding.ts";

const sameTenant = passiveClientCheck({
  id: "TEN-001",
  title: "every request names the tenant of its interface",
  remedy:
    "Copy `tenant` of the chosen interface into every request: params.tenant, or over HTTP+JSON the first segment of the path.",
  judge({ on, operation, written, exchange, ...call }, { agent }) {
    if (on.dialect !== "1.0" || operation === undefined || written === undefined) return undefined;
    const here = agent.interfaces.filter(
      (each) => each.url === on.url && each.binding === on.binding && each.dialect === on.dialect,
    );
    // Where an interface without a tenant has the same address, one may be meant as well as the other.
    if (here.some(({ tenant }) => tenant === undefined)) return undefined;
    const named = asText(written["tenant"]) ?? "";
    const wanted = here.map(({ tenant }) => tenant!);
    if (wanted.includes(named)) return holds();
    return broken(
      `${callName({ operation, on, written, exchange, ...call })} ${named ? "names another tenant" : "names no tenant"}`,
      {
        saw: named ? brief(named) : "none",
        want: wanted.join(" or "),
        at: exchange,
      },
    );
  },
});

const noTenant = passiveClientCheck({
  id: "TEN-002",
  title: "no tenant is named where the interface has none",
  remedy: "Leave tenant out where the chosen interface declares none.",
  judge(call, { agent }) {
    const { on, operation, written, exchange } = call;
    if (on.dialect !== "1.0" || operation === undefined || written === undefined) return undefined;
    const here = agent.interfaces.filter(
      (each) => each.url === on.url && each.binding === on.binding && each.dialect === on.dialect,
    );
    if (here.some(({ tenant }) => tenant !== undefined)) return undefined;
    const named = asText(written["tenant"]);
    if (named)
      return broken(`${callName(call)} names a tenant, and the interface has none`, {
        saw: brief(named),
        want: "none",
        at: exchange,
      });
    return holds(named === "" ? 'it sends "tenant": "", which is the same as none' : undefined);
  },
});

export const clientTenantChecks = [sameTenant, noTenant];
