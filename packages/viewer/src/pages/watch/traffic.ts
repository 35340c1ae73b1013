import type { PassedCall, WatchEvent } from "../../documents/watch.ts";

/** A row of the list: a call from its start on, or a notice. */
export type TrafficRow = CallRow | NoticeRow;

export interface CallRow {
  readonly is: "call";
  readonly id: string;
  /** arrival time of the request, in milliseconds since the watch started */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  /** absent until the response is complete */
  readonly call?: PassedCall;
}

export interface NoticeRow {
  readonly is: "notice";
  readonly at: number;
  readonly side: string;
  readonly text: string;
}

export interface Traffic {
  readonly rows: readonly TrafficRow[];
  readonly calls: number;
  readonly open: number;
  /** failed rules, by the party that broke them */
  readonly client: number;
  readonly agent: number;
}

export const noTraffic: Traffic = { rows: [], calls: 0, open: 0, client: 0, agent: 0 };

/** The maximum number of rows to keep; new rows replace the oldest. */
const most = 20_000;

/** Returns the traffic with more events. */
export function seen(before: Traffic, events: readonly WatchEvent[]): Traffic {
  const rows = [...before.rows];
  let { calls, client, agent } = before;
  const places = new Map(rows.flatMap((row, index) => (row.is === "call" && !row.call ? [[row.id, index]] : [])));
  for (const event of events) {
    switch (event.is) {
      case "begun":
        places.set(event.id, rows.length);
        rows.push({ is: "call", id: event.id, at: event.at, method: event.method, path: event.path });
        break;
      case "call": {
        const index = places.get(event.id);
        calls += 1;
        for (const { party, severity } of event.breaches)
          if (severity === "fail") {
            if (party === "client") client += 1;
            else agent += 1;
          }
        const begun = index === undefined ? undefined : rows[index];
        if (begun?.is === "call") rows[index!] = { ...begun, call: event };
        else rows.push({ is: "call", id: event.id, at: event.at - event.tookMs, method: "", path: "", call: event });
        places.delete(event.id);
        break;
      }
      case "notice":
        rows.push({ is: "notice", at: event.at, side: event.side, text: event.text });
        break;
      case "card":
        rows.push({
          is: "notice",
          at: event.at,
          side: "proxy",
          text: `the card of ${event.name} ${event.version}${event.changes.length ? `: ${event.changes.join("; ")}` : ""}`,
        });
        break;
    }
  }
  return { rows: rows.slice(-most), calls, open: places.size, client, agent };
}

export type RowFilter = "all" | "breaches" | "client" | "agent";

export function isShown(row: TrafficRow, filter: RowFilter): boolean {
  if (filter === "all") return true;
  if (row.is !== "call" || !row.call) return false;
  return row.call.breaches.some(({ party }) => filter === "breaches" || party === filter);
}

/** The verdict on one party of a call. A call that was not judged is never green. */
export type PartyStanding = "kept" | "warned" | "broken" | "unjudged" | "open";

export function partyStanding({ call }: CallRow, side: "client" | "agent"): PartyStanding {
  if (!call) return "open";
  const own = call.breaches.filter(({ party }) => party === side);
  if (own.some(({ severity }) => severity === "fail")) return "broken";
  if (own.length > 0) return "warned";
  // A call that a fault hit says nothing about either side.
  if (call.over === undefined || call.faults || (side === "agent" && call.unjudged !== undefined)) return "unjudged";
  return "kept";
}
