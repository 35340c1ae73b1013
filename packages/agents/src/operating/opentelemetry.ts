import { AsyncLocalStorage } from "node:async_hooks";
import { AssayError } from "@assay/protocol/assay-error";
import type { Context } from "@opentelemetry/api";
import type { TraceSpan, Tracing } from "./tracing.ts";

export interface OpenTelemetryOptions {
  /** the collector, without the path of traces (default: the OTEL_EXPORTER_OTLP_… variables) */
  readonly endpoint?: string;
  readonly version: string;
  readonly onError: (error: unknown) => void;
}

const packages =
  "@opentelemetry/api@1.9 @opentelemetry/core@2 @opentelemetry/resources@2 @opentelemetry/sdk-trace-node@2 @opentelemetry/exporter-trace-otlp-http@0.223";

async function load() {
  try {
    return await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/core"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/sdk-trace-node"),
      import("@opentelemetry/exporter-trace-otlp-http"),
    ]);
  } catch {
    throw new AssayError({
      code: "tracing-unavailable",
      message: "Traces need the OpenTelemetry packages",
      hint: `npm install ${packages}`,
    });
  }
}

/**
 * Sends traces to a collector by OTLP over HTTP. It registers nothing globally, so that several servers in a
 * process can each have their own.
 */
export async function openTelemetry({ endpoint, version, onError }: OpenTelemetryOptions): Promise<Tracing> {
  const [api, core, resources, sdk, { OTLPTraceExporter }] = await load();
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const exporter = new OTLPTraceExporter(
    endpoint === undefined ? {} : { url: `${endpoint.replace(/\/+$/, "")}/v1/traces` },
  );
  core.setGlobalErrorHandler(once(onError));
  const own = resources.resourceFromAttributes({ "service.name": "assay", "service.version": version });
  const provider = new sdk.BasicTracerProvider({
    // The OpenTelemetry variables for the service come last and win.
    resource: resources
      .defaultResource()
      .merge(own)
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer("assay", version);
  const propagator = new core.W3CTraceContextPropagator();
  const active = new AsyncLocalStorage<Context>();
  const contexts = new WeakMap<TraceSpan, Context>();
  const kinds = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL, client: SpanKind.CLIENT };
  const current = (): Context => active.getStore() ?? ROOT_CONTEXT;
  return {
    begin(name, kind, from) {
      const parent = from ? propagator.extract(ROOT_CONTEXT, from, api.defaultTextMapGetter) : current();
      const made = tracer.startSpan(name, { kind: kinds[kind] }, parent);
      const span: TraceSpan = {
        traceId: made.spanContext().traceId,
        rename: (text) => void made.updateName(text),
        set: (attributes) => void made.setAttributes({ ...attributes }),
        failed: (why) => void made.setStatus({ code: SpanStatusCode.ERROR }).setAttribute("error.type", why),
        end: () => made.end(),
      };
      contexts.set(span, trace.setSpan(parent, made));
      return span;
    },
    within: (span, work) => active.run(contexts.get(span) ?? current(), work),
    headers() {
      const carried: Record<string, string> = {};
      propagator.inject(current(), carried, api.defaultTextMapSetter);
      return Object.entries(carried);
    },
    flush: () => provider.forceFlush().catch(onError),
    close: () => provider.shutdown().catch(onError),
  };
}

/** Reports an unreachable collector once, because repeated reports would fill the log. */
function once(onError: (error: unknown) => void): (error: unknown) => void {
  let isTold = false;
  return (error) => {
    if (isTold) return;
    isTold = true;
    onError(
      new Error(`Cannot send traces (reported once): ${error instanceof Error ? error.message : "no reason given"}`),
    );
  };
}
