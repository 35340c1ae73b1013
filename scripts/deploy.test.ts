import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { settingNames, variableOf } from "../packages/cli/src/serving/settings.ts";
import { readSettingsFile } from "../packages/cli/src/serving/settings-file.ts";
// @ts-expect-error: the scripts are plain JavaScript
import { imageLockOf } from "./generate/image-lock.mjs";

/** No engine of containers runs here: what can be known of these files without one is known by these tests and `npm run prove -- deploy`. */
const dockerfile = readFileSync("Dockerfile", "utf8");
const kubernetes = readFileSync("deploy/kubernetes/assay.yaml", "utf8");
const worker = readFileSync("deploy/kubernetes/worker.yaml", "utf8");

interface Manifest {
  readonly kind: string;
  readonly data?: Record<string, string>;
  readonly spec?: {
    readonly template?: { readonly spec: PodSpec };
    readonly ports?: readonly { readonly targetPort: string; readonly appProtocol: string }[];
  };
}

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly enableServiceLinks: boolean;
  readonly securityContext: object;
  readonly containers: readonly {
    readonly args: readonly string[];
    readonly env: readonly { readonly name: string; readonly value?: string }[];
    readonly securityContext: object;
    readonly livenessProbe: object;
    readonly readinessProbe: object;
  }[];
}

const manifestsIn = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as Manifest);
const podIn = (all: readonly Manifest[]) => all.find(({ kind }) => kind === "Deployment")!.spec!.template!.spec;
const manifests = manifestsIn(kubernetes);
const pod = podIn(manifests);
const workers = podIn(manifestsIn(worker));
const config = manifests.find(({ kind }) => kind === "ConfigMap")!.data!["serve.yaml"]!;

function settingsInCluster(): ReturnType<typeof readSettingsFile> {
  const file = join(mkdtempSync(join(tmpdir(), "assay-deploy-")), "serve.yaml");
  writeFileSync(file, config);
  return readSettingsFile(file);
}

test("every variable in the image and in the cluster is a setting of the server", () => {
  const known = [variableOf("config"), ...settingNames.map(variableOf)];
  const named = [...`${dockerfile}\n${kubernetes}`.matchAll(/ASSAY_SERVE_\w+/g)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

test("the file of the cluster is one that the server reads", () => {
  expect(settingsInCluster()).toMatchObject({ host: "0.0.0.0", operationsPort: 9090, drainDelay: 5 });
});

test("the cluster waits for longer than the server takes to end", () => {
  const { drainDelay, shutdownGrace } = settingsInCluster() as { drainDelay: number; shutdownGrace: number };
  const reserve = 10;
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(drainDelay + 2 * shutdownGrace + reserve);
});

test("the image installs the tested versions of all optional libraries from a lockfile", () => {
  const { manifest, lock } = imageLockOf(".") as { manifest: string; lock: string };
  const made = (name: string) => readFileSync(`deploy/image/${name}`, "utf8");
  // `npm run generate -- image` makes them again.
  expect([made("package.json"), made("package-lock.json")]).toEqual([manifest, lock]);
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(["bullmq", "ioredis", "oidc-provider", "pg"]));
  expect(lock).not.toContain('"resolved"');
  expect(dockerfile).toMatch(/^COPY deploy\/image \/image$/m);
  expect(dockerfile).toMatch(/^RUN sh \/image\/install\.sh /m);
  expect(readFileSync("deploy/image/install.sh", "utf8")).toMatch(/\bnpm ci --ignore-scripts /);
  expect(readFileSync(".dockerignore", "utf8")).toContain("!deploy/image\n");
});

test("npm takes the lockfile of the image for that of its package.json", () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-image-"));
  for (const name of ["package.json", "package-lock.json"]) cpSync(`deploy/image/${name}`, join(folder, name));
  const args = ["ci", "--dry-run", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { status, stderr } = spawnSync("npm", args, {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  rmSync(folder, { recursive: true });
  expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
});

test("the base image is a build argument, and the release workflow resolves its digest", () => {
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect([bases.length, bases.every((base) => base === `$${"{BASE}"}`)]).toEqual([3, true]);
  expect(dockerfile).toMatch(/^ARG BASE=node:22-bookworm-slim$/m);
  const release = readFileSync(".github/workflows/release.yml", "utf8");
  for (const text of [dockerfile, release]) expect(text).not.toMatch(/sha256:[0-9a-f]{8}/);
  expect(release).toContain("imagetools inspect");
  expect(release).toMatch(/build-args: BASE=.*digest/);
});

test("gRPC has a port of its own in the cluster, which is spoken to in HTTP/2", () => {
  const ports = manifests.find(({ kind }) => kind === "Service")!.spec!.ports!;
  expect(ports.map(({ targetPort, appProtocol }) => [targetPort, appProtocol])).toEqual([
    ["a2a", "http"],
    ["a2a", "kubernetes.io/h2c"],
  ]);
});

test("workers start with options that there are, and get queue and history by reference", () => {
  const [container] = workers.containers;
  const [command, ...options] = container!.args;
  expect(command).toBe("worker");
  const help = readFileSync("docs/cli.md", "utf8");
  const section = help.slice(help.indexOf("## assay worker"));
  for (const option of options) expect(section).toContain(option.split("=")[0]);
  const named = options.flatMap((option) => /=env:(\w+)$/.exec(option)?.[1] ?? []);
  expect(container!.env.map(({ name, value }) => [name, value])).toEqual(named.map((name) => [name, undefined]));
  const grace = Number(options.find((option) => option.startsWith("--grace="))?.slice(8));
  expect(workers.terminationGracePeriodSeconds).toBeGreaterThan(grace + 10);
});

test("the server is not root, is asked after, gets its signals, and writes nowhere", () => {
  const [last] = dockerfile.split(/^FROM /m).slice(-1);
  expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  expect(last).toMatch(/^HEALTHCHECK /m);
  // As a list: a shell before it would keep the signals.
  expect(last).toMatch(/^ENTRYPOINT \["node", /m);
  for (const each of [pod, workers]) {
    expect(each).toMatchObject({ enableServiceLinks: false, securityContext: { runAsNonRoot: true } });
    expect(each.containers[0]!.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  }
  expect(pod.containers[0]).toMatchObject({
    livenessProbe: { httpGet: { path: "/health" } },
    readinessProbe: { httpGet: { path: "/ready" } },
  });
});

test("the deployment files contain no secret, only a reference to the store", () => {
  const store = pod.containers[0]!.env.find(({ name }) => name === "ASSAY_SERVE_STORE");
  expect(store).toEqual({
    name: "ASSAY_SERVE_STORE",
    valueFrom: { secretKeyRef: { name: "assay-store", key: "url" } },
  });
  expect(manifests.map(({ kind }) => kind)).not.toContain("Secret");
  expect(settingsInCluster()).not.toHaveProperty("store");
  expect(dockerfile).not.toMatch(/PASSWORD|TOKEN|SECRET/i);
});
