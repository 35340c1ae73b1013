import { expect, test } from "vitest";
import { readGrpcAddress } from "./address.ts";

test.each([
  ["http://agent.test:50051", "http://agent.test:50051/"],
  ["https://agent.test", "https://agent.test/"],
  ["https://agent.test:8443/a2a/v1?x#y", "https://agent.test:8443/"],
  ["HTTPS://Agent.Test", "https://agent.test/"],
  ["grpc://agent.test:50051", "http://agent.test:50051/"],
  ["grpcs://agent.test:50051", "https://agent.test:50051/"],
  ["dns:///agent.test:50051", "http://agent.test:50051/"],
  ["dns:///agent.test:443", "https://agent.test/"],
  ["dns://192.0.2.53/agent.test:50051", "http://agent.test:50051/"],
  ["dns:///agent.test", "https://agent.test/"],
  ["agent.test:50051", "http://agent.test:50051/"],
  ["agent.test:443", "https://agent.test/"],
  ["agent.test", "https://agent.test/"],
  ["localhost:8080/some/path", "http://localhost:8080/"],
  ["127.0.0.1:50051", "http://127.0.0.1:50051/"],
  ["[::1]:50051", "http://[::1]:50051/"],
  ["https://[2001:db8::1]", "https://[2001:db8::1]/"],
  [" agent.test:50051 ", "http://agent.test:50051/"],
])("%j is at %s", (text, url) => {
  expect(readGrpcAddress(text)?.href).toBe(url);
});

test.each([
  "",
  "://",
  "agent test:1",
  "agent.test:",
  "agent.test:port",
  "agent.test:123456",
  "agent.test:65536",
  "user:password@agent.test:50051",
  "https://user@agent.test",
  "unix:///tmp/agent.sock",
  "ftp://agent.test",
  "constructor://agent.test",
  "[::1:50051",
  "/only/a/path",
])("%j is no address", (text) => {
  expect(readGrpcAddress(text)).toBe(undefined);
});
