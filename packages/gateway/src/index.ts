export { properties } from "./properties/index.ts";
export { type GatewayRunOptions, testGateway } from "./test-gateway.ts";
