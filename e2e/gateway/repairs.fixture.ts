import type { GatewayName } from "./real-gateways.fixture.ts";

/** A configuration that breaks a property, and the same one with the setting that Assay recommends. */
interface Repair {
  readonly gateway: GatewayName;
  /** as in `settings` of the known gateway */
  readonly property: string;
  readonly broken: string;
  readonly repaired: string;
  readonly depth?: "full";
}

const errorPage = "error_page 401 404 409 429 500 503 =502 /broken;";
// This location ends the one of the fixture, because nginx tries a second server only in a group.
const paired = "} location /message:send { proxy_pass http://pair; proxy_next_upstream";
const retried = "retry-on all-retryable-errors\n  option redispatch";

export const repairs: readonly Repair[] = [
  {
    gateway: "nginx",
    property: "GW-ERROR",
    broken: `proxy_intercept_errors on; ${errorPage}`,
    repaired: `proxy_intercept_errors off; ${errorPage}`,
  },
  {
    gateway: "nginx",
    property: "GW-DELIVERY",
    broken: `${paired} error timeout http_503 non_idempotent;`,
    repaired: `${paired} off;`,
  },
  {
    gateway: "HAProxy",
    property: "GW-DELIVERY",
    broken: `retries 3\n  ${retried}`,
    repaired: `retries 0\n  ${retried}`,
  },
  {
    gateway: "Apache httpd",
    property: "GW-ERROR",
    broken: "ProxyErrorOverride On",
    repaired: "ProxyErrorOverride Off",
  },
  {
    gateway: "Apache httpd",
    property: "GW-STREAM-IDLE",
    broken: "ProxyTimeout 30",
    repaired: "ProxyTimeout 3600",
    depth: "full",
  },
  { gateway: "Caddy", property: "GW-STREAM-TIMING", broken: "buffer_responses", repaired: "" },
];
