import type { Skill, SkillEvent, Turn } from "../definition/skill.ts";
import type { EngineOptions } from "../engine/options.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { type Tracing, traced } from "./tracing.ts";

/** Wraps the skills of a route in a span each. */
export const routeWithSpans =
  (route: EngineOptions["route"], tracing: Tracing): EngineOptions["route"] =>
  (message) => {
    const { skill, argument } = route(message);
    return { skill: { ...skill, run: (turn) => run(skill, turn, tracing) }, argument };
  };

async function* run(skill: Skill, turn: Turn, tracing: Tracing): AsyncGenerator<SkillEvent, void, undefined> {
  const span = tracing.begin(`skill ${skill.id}`, "internal");
  const events = tracing.within(span, () => skill.run(turn));
  try {
    for (;;) {
      const next = await tracing.within(span, () => events.next());
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    span.failed("threw");
    throw error;
  } finally {
    await tracing.within(span, () => events.return());
    span.end();
  }
}

/** Wraps outgoing calls in a span each and passes on its context. */
export const outboundWithSpans = (outbound: Outbound, tracing: Tracing): Outbound => ({
  ...outbound,
  post: (url, headers, body, signal, kind) =>
    traced(tracing, "POST webhook", "client", async (span) => {
      span.set(placeOf(url));
      const result = await outbound.post(url, [...headers, ...tracing.headers()], body, signal, kind);
      if ("status" in result) span.set({ "http.response.status_code": result.status });
      else span.failed("no answer");
      return result;
    }),
  relay: (cardUrl, text, signal) =>
    traced(tracing, "relay", "client", (span) => {
      span.set(placeOf(cardUrl));
      return outbound.relay(cardUrl, text, signal, tracing.headers());
    }),
});

/** Returns only host and port: a path or a query may hold a secret. */
function placeOf(url: string): Record<string, string | number> {
  if (!URL.canParse(url)) return {};
  const { hostname, port, protocol } = new URL(url);
  return { "server.address": hostname, "server.port": Number(port || (protocol === "https:" ? 443 : 80)) };
}
