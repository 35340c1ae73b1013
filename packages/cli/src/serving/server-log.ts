import { currentRequest, type LoggedRequest, type OutageNotice } from "@assay/agents";
import { brief } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";
import { type LogLevel, type LogOptions, logLevels } from "./log-choices.ts";

/** Log lines for the operator. They go to stderr, because a program that waits for readiness may read stdout. */
export interface ServerLog {
  request(request: LoggedRequest): void;
  /** logs an internal error, with its request if there is one */
  error(error: unknown): void;
  /** logs once that the store is unavailable or full, or works again, at every log level */
  outage(outage: OutageNotice): void;
  /** logs an event of the server; `text` is the line for people, if they should see the event */
  event(level: LogLevel, message: string, facts?: Readonly<Record<string, unknown>>, text?: string): void;
}

export const serverLog = (screen: Screen, options: LogOptions): ServerLog =>
  options.format === "json" ? jsonLog(screen, options) : textLog(screen, options);

const isTold = (level: LogLevel, { level: least }: LogOptions): boolean =>
  logLevels.indexOf(level) <= logLevels.indexOf(least);

/** Returns the level of a request: an error of Assay, a mistake of the client, or none. */
function levelOf({ status, outcome = "ok", isWhole }: LoggedRequest): LogLevel {
  if (outcome === "Internal" || Number(status) >= 500) return "error";
  return outcome !== "ok" || Number(status) >= 400 || !isWhole ? "warn" : "info";
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function textLog(screen: Screen, options: LogOptions): ServerLog {
  return {
    request(request) {
      if (!isTold(levelOf(request), options)) return;
      const { method, path, status, ms, from, requestId } = request;
      const time = new Date().toISOString().slice(11, 23);
      const line = `${time}  ${method.padEnd(6)} ${brief(path, 90)}  ${status}  ${Math.round(ms)} ms  ${from}  ${requestId}`;
      screen.complain(line);
    },
    error(error) {
      const { requestId } = currentRequest() ?? {};
      screen.complain(`assay serve: ${messageOf(error)}${requestId === undefined ? "" : `  (request ${requestId})`}`);
    },
    outage(outage) {
      screen.complain(
        outage.is === "begun"
          ? `assay serve: The store is unavailable: ${outage.reason}. Clients get 503 until it is back.`
          : `assay serve: The store is available again after ${Math.round(outage.ms / 1_000)} s.`,
      );
    },
    event(level, _message, _facts, text) {
      if (text !== undefined && isTold(level, options)) screen.complain(text);
    },
  };
}

/** Writes one JSON object per line. A line describes a request, and never contains its content. */
function jsonLog(screen: Screen, options: LogOptions): ServerLog {
  const tell = (level: LogLevel, message: string, facts: Readonly<Record<string, unknown>>): void =>
    screen.complain(JSON.stringify({ time: new Date().toISOString(), level, message, ...facts }));
  const write = (level: LogLevel, message: string, facts: Readonly<Record<string, unknown>> = {}): void => {
    if (isTold(level, options)) tell(level, message, facts);
  };
  return {
    request(request) {
      const { path, ms, isWhole: _isWhole, ...facts } = request;
      write(levelOf(request), "request", { ...facts, path: path.slice(0, 200), ms: Math.round(ms * 10) / 10 });
    },
    error(error) {
      const { requestId, traceId, agent, operation } = currentRequest() ?? {};
      write("error", messageOf(error), { requestId, traceId, agent, operation });
    },
    outage(outage) {
      const isBegun = outage.is === "begun";
      tell(isBegun ? "error" : "info", isBegun ? "store unavailable" : "store works again", {
        ...(isBegun ? { reason: outage.reason } : { ms: outage.ms }),
      });
    },
    event: (level, message, facts) => write(level, message, facts),
  };
}
