import type { Exchange } from "@assay/wire";
import { answeredHeader, answerText, sentHeader } from "./compare.ts";
import type { GatewayCall } from "./verdict.ts";

/** A gateway that Assay recognises, and its settings that preserve a property. */
export interface KnownGateway {
  readonly name: string;
  /** matches a response header, or a header that the gateway adds to requests */
  readonly marks: readonly (readonly [header: string, pattern: RegExp])[];
  /** headers of requests that only together are a mark */
  readonly together?: readonly string[];
  /** matches the gateway's own response when the agent closes the connection */
  readonly errorPage?: RegExp;
  /** by property id, or by the beginning of it */
  readonly settings: Readonly<Record<string, string>>;
  /** settings that a proof has shown to repair a property: it is broken by default, and preserved with the setting */
  readonly repairs: readonly string[];
}

export const knownGateways: readonly KnownGateway[] = [
  {
    name: "nginx",
    marks: [["server", /^(nginx|openresty)\b/i]],
    errorPage: /<center>(?:nginx|openresty)/,
    settings: {
      "GW-STREAM-TIMING": "proxy_buffering off;",
      "GW-STREAM-IDLE": "proxy_read_timeout 3600s;",
      "GW-BODY-SIZE": "client_max_body_size 20m;",
      "GW-ERROR": "proxy_intercept_errors off;",
      "GW-STREAM-DISCONNECT": "proxy_ignore_client_abort off;",
      "GW-DELIVERY": "proxy_next_upstream off;",
    },
    repairs: ["GW-STREAM-TIMING", "GW-STREAM-IDLE", "GW-BODY-SIZE", "GW-ERROR", "GW-DELIVERY"],
  },
  {
    name: "HAProxy",
    marks: [["via", /haproxy/i]],
    errorPage: /^<html><body><h1>502 Bad Gateway<\/h1>\nThe server returned an invalid or incomplete response\./,
    settings: { "GW-STREAM-IDLE": "timeout client 1h, timeout server 1h", "GW-DELIVERY": "retries 0" },
    repairs: ["GW-STREAM-IDLE", "GW-DELIVERY"],
  },
  {
    name: "Caddy",
    marks: [
      ["server", /^caddy/i],
      ["via", /caddy/i],
    ],
    settings: {
      "GW-STREAM-TIMING": "remove response_buffers (buffer_responses before 2.7)",
      "GW-DELIVERY": "lb_try_duration 0s",
    },
    // Caddy 2.6 repeats only the head of a message, so no proof shows that the other setting helps.
    repairs: ["GW-STREAM-TIMING"],
  },
  {
    name: "Apache httpd",
    marks: [["server", /^apache/i]],
    errorPage: /The proxy server received an invalid\s+response from an upstream server/,
    settings: { "GW-STREAM-IDLE": "ProxyTimeout 3600", "GW-ERROR": "ProxyErrorOverride Off" },
    repairs: ["GW-STREAM-IDLE", "GW-ERROR"],
  },
  {
    name: "Envoy",
    marks: [
      ["server", /^envoy/i],
      ["x-envoy-upstream-service-time", /./],
    ],
    errorPage: /^upstream connect error or disconnect\/reset before headers/,
    settings: {
      "GW-STREAM-IDLE": "route.timeout: 0s and stream_idle_timeout: 3600s",
      "GW-DELIVERY": "remove retry_policy from the route",
    },
    repairs: [],
  },
  {
    name: "Traefik",
    marks: [["x-forwarded-server", /traefik/i]],
    together: ["x-forwarded-server", "x-forwarded-port", "x-real-ip"],
    settings: {
      "GW-STREAM-TIMING": "responseForwarding.flushInterval: 1ms",
      "GW-DELIVERY": "remove the retry middleware",
    },
    repairs: [],
  },
  {
    name: "LiteLLM",
    marks: [
      ["x-litellm-version", /./],
      ["user-agent", /^litellm\//i],
    ],
    settings: {
      "GW-HEADER-A2A-EXTENSIONS": "extra_headers: [A2A-Extensions, X-A2A-Extensions]",
    },
    repairs: ["GW-HEADER-A2A-EXTENSIONS"],
  },
  {
    name: "agentgateway",
    marks: [],
    errorPage: /^upstream call failed: /,
    settings: {
      "GW-CARD-ADDRESSES": "policies.a2a: {}",
      "GW-STREAM-IDLE": "policies.timeout.requestTimeout: 1h",
      "GW-DELIVERY": "remove policies.retry",
    },
    repairs: [],
  },
  {
    name: "ContextForge",
    marks: [["x-contextforge-uaid-hop", /./]],
    settings: {
      "GW-HEADER-A2A-EXTENSIONS":
        "ENABLE_HEADER_PASSTHROUGH=true, passthrough_headers: [A2A-Extensions, X-A2A-Extensions]",
    },
    repairs: ["GW-HEADER-A2A-EXTENSIONS"],
  },
];

/** Recognises a gateway by its headers at either end. */
export function recognised({ client, agent }: GatewayCall): KnownGateway | undefined {
  const has = (exchange: Exchange | undefined, read: typeof answeredHeader) => (header: string, pattern: RegExp) =>
    exchange !== undefined && pattern.test(read(exchange, header) ?? "");
  const [answered, asked] = [has(client, answeredHeader), has(agent[0], sentHeader)];
  return knownGateways.find(
    ({ marks, together }) =>
      marks.some(([header, pattern]) => answered(header, pattern) || asked(header, pattern)) ||
      together?.every((header) => asked(header, /./)),
  );
}

/** Recognises a gateway by its own response to a request whose connection the agent closed. */
export const recognisedByError = ({ client }: GatewayCall): KnownGateway | undefined =>
  knownGateways.find(({ errorPage }) => errorPage?.test(answerText(client)));

/** Returns the setting of a gateway that preserves a property. */
export function settingFor({ name, settings, repairs }: KnownGateway, property: string): string | undefined {
  const found = Object.entries(settings).find(([id]) => property.startsWith(id));
  return found && `${name}: \`${found[1]}\`${repairs.includes(found[0]) ? "" : " (not tested)"}.`;
}
