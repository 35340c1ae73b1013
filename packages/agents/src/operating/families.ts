/** The metrics with their help texts for /metrics. A name that is not here is not printed. */
export const counters = {
  assay_requests_total: "Requests by agent, binding, operation and outcome: ok, or the name of the returned error.",
  assay_errors_total: "Errors returned to requests, or that broke off a stream.",
  assay_skill_errors_total: "Skills that threw an internal error.",
  assay_push_total: "Push notification attempts by outcome, including attempts that are retried.",
} as const;

export const histograms = {
  assay_request_duration_seconds:
    "Time from receiving a request's headers to its response, or to the start of its stream.",
  assay_store_duration_seconds: "Database time of one operation on tasks.",
} as const;

export const gauges = {
  assay_streams: "Event streams that are open.",
  assay_streams_by_agent: "Event streams that are open, by agent and binding.",
  assay_tasks: "Tasks in the store.",
  assay_tasks_by_state: "Tasks in the store, by state.",
  assay_connections: "Open connections.",
  assay_held_bytes: "Memory held for clients: tasks, webhooks, bodies, responses.",
  assay_agents: "Agents created so far.",
  assay_build_info: "Always 1. The labels give the versions of Assay and of Node.",
  process_resident_memory_bytes: "Resident memory of the process.",
  process_heap_bytes: "Heap in use.",
  process_cpu_seconds_total: "Processor time of the process, user and system.",
  process_start_time_seconds: "Start time of the process, in seconds since 1970.",
  nodejs_eventloop_lag_p50_seconds: "Median delay of the event loop since the last reading.",
  nodejs_eventloop_lag_p99_seconds: "99th percentile of the event loop delay since the last reading.",
  nodejs_eventloop_lag_max_seconds: "Maximum delay of the event loop since the last reading.",
} as const;

export type CounterName = keyof typeof counters;
export type HistogramName = keyof typeof histograms;
export type GaugeName = keyof typeof gauges;
