export type { ClientTestOptions } from "./options.ts";
export { testClient } from "./test-client.ts";
