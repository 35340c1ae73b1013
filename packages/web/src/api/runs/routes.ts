import { formats, formatsWith, type ReportFormat } from "@assay/reporters/formats";
import { compareReports, type RunEvent } from "@assay/suite/report";
import type { LiveRunDocument } from "@assay/viewer/documents";
import { ApiError } from "../../server/api-error.ts";
import type { Lab } from "../../server/lab.ts";
import { type ApiRequest, type ApiRoute, download, events, json, route } from "../../server/route.ts";
import type { LiveRuns } from "./live-runs.ts";
import { readGatewayWish, readWish } from "./read-wish.ts";
import { exchangePage, type RunShelf, type ShelvedRun } from "./run-shelf.ts";

/** The maximum number of exchange lines in one response. */
const mostLines = 500;

/** Routes to start, watch, stop, read, compare and export runs. */
export function runsRoutes(
  lab: Pick<Lab, "test" | "testGateway">,
  shelf: RunShelf,
  live: LiveRuns,
): readonly ApiRoute[] {
  const opened = async (run: string): Promise<ShelvedRun> => {
    const found = await shelf.open(run);
    if (!found) throw new ApiError(404, `There is no run "${run}".`, "GET /api/runs lists the known runs.");
    return found;
  };
  return [
    route("GET", "/api/runs", async () =>
      json((await shelf.list()).map((line) => (live.isRunning(line.run) ? { ...line, isRunning: true } : line))),
    ),
    route("POST", "/api/runs", async (request) => {
      const wish = readWish(await request.json());
      return json({ run: await live.start((signal) => lab.test(wish, signal)) }, 201);
    }),
    route("POST", "/api/gateway-runs", async (request) => {
      const wish = readGatewayWish(await request.json());
      return json({ run: await live.start((signal) => lab.testGateway(wish, signal)) }, 201);
    }),
    route("GET", "/api/runs/:run", async ({ params: { run } }) =>
      live.isRunning(run!) || (live.has(run!) && !shelf.has(run!))
        ? json({ run: run!, isLive: true } satisfies LiveRunDocument)
        : json((await opened(run!)).report),
    ),
    route("GET", "/api/runs/:run/events", ({ params: { run }, signal }) => {
      const watched = live.watch(run!, signal);
      if (!watched)
        throw new ApiError(
          404,
          `This server did not start the run "${run}".`,
          "GET /api/runs/:run returns its saved report.",
        );
      return events(watched);
    }),
    route("POST", "/api/runs/:run/stop", ({ params: { run } }) => {
      if (!live.stop(run!)) throw new ApiError(404, `This server did not start the run "${run}".`);
      return json({ stopping: true }, 202);
    }),
    route("GET", "/api/runs/:run/exchanges", async ({ params: { run }, query }) => {
      const from = numberIn(query, "from", 0);
      const count = Math.min(numberIn(query, "count", mostLines), mostLines);
      return json(exchangePage(await opened(run!), from, count));
    }),
    route("GET", "/api/runs/:run/exchanges/:id", async ({ params: { run, id } }) => {
      const found = (await opened(run!)).exchanges.find((exchange) => exchange.id === id);
      if (!found) throw new ApiError(404, `The run has no exchange "${id}".`);
      return json(found);
    }),
    route("GET", "/api/runs/:run/reports/:format", async (request) =>
      reportFile(await opened(request.params["run"]!), request),
    ),
    route("GET", "/api/runs/:run/diff/:other", async ({ params: { run, other } }) =>
      json(compareReports((await opened(run!)).report, (await opened(other!)).report)),
    ),
  ];
}

/** Formats that Assay makes from the recording, not from the report. */
const ofRecordings: readonly ReportFormat[] = [...formatsWith("needsRecording"), "json+evidence"];

/** Returns a report as a file, or only these exchanges with `?exchange=…`. */
async function reportFile({ events: all, report }: ShelvedRun, { params, query }: ApiRequest) {
  const format = params["format"]!;
  if (!Object.hasOwn(formats, format))
    throw new ApiError(404, `There is no format "${format}".`, `Available formats: ${formatsWith().join(", ")}`);
  const known = format as ReportFormat;
  if (all.length === 0 && ofRecordings.includes(known))
    throw new ApiError(
      404,
      `${format} needs the recording of "${report.run}", which is not here.`,
      `Formats without a recording: ${formatsWith()
        .filter((each) => !ofRecordings.includes(each))
        .join(", ")}.`,
    );
  const wanted = new Set(query.getAll("exchange"));
  const isWanted = (event: RunEvent): boolean => event.event !== "exchange" || wanted.has(event.id);
  const some = wanted.size ? all.filter(isWanted) : all;
  const write = await formats[known].load();
  // Sent as plain bytes, so that the browser saves the file and does not display it.
  return download(
    `${report.run}.${formats[known].extension}`,
    "application/octet-stream",
    write({ events: [...some], report }),
  );
}

function numberIn(query: URLSearchParams, name: string, fallback: number): number {
  const given = query.get(name);
  if (given === null) return fallback;
  if (!/^\d{1,9}$/.test(given)) throw new ApiError(400, `"${name}" must be a whole number, 0 or more.`);
  return Number(given);
}
