/** What is counted and measured, with the sentence that /metrics says about it. A name that is not here is not printed. */
export const counters = {
  assay_requests_total:
    "Requests by agent, binding, operation and outcome: ok, or the name of the error they were answered with.",
  assay_errors_total: "Errors that requests were answered with, or that broke off a stream.",
  assay_skill_errors_total: "Skills that threw: a fault of the agent.",
  assay_push_total:
    "Notifications to webhooks, by what became of them; each attempt that is tried again is counted too.",
} as const;

export const histograms = {
  assay_request_duration_seconds:
    "From the head of a request to its answer, or to the opening of the stream that answers it.",
  assay_store_duration_seconds: "What the database took for one operation on tasks.",
} as const;

export const gauges = {
  assay_streams: "Streams of events that are being sent.",
  assay_streams_by_agent: "The same, by agent and binding.",
  assay_tasks: "Tasks that are kept.",
  assay_tasks_by_state: "Tasks that are kept, by their state.",
  assay_connections: "Open connections.",
  assay_held_bytes: "What is held for clients: tasks, webhooks, bodies, answers.",
  assay_agents: "Agents that were built so far.",
  assay_build_info: "1; the version of Assay and of Node.",
  process_resident_memory_bytes: "Resident memory of the process.",
  process_heap_bytes: "Heap in use.",
  process_cpu_seconds_total: "Processor time of the process, user and system.",
  process_start_time_seconds: "When the process started, in seconds since 1970.",
  nodejs_eventloop_lag_p50_seconds: "Half of the turns of the event loop since the last reading were late by no more.",
  nodejs_eventloop_lag_p99_seconds: "99 of 100 turns since the last reading were late by no more.",
  nodejs_eventloop_lag_max_seconds: "How late the latest turn since the last reading was.",
} as const;

export type CounterName = keyof typeof counters;
export type HistogramName = keyof typeof histograms;
export type GaugeName = keyof typeof gauges;
