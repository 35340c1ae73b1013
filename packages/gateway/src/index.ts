export { type GatewayRunOptions, testGateway } from "./test-gateway.ts";
