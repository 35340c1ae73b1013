import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { settingNames, variableOf } from "../packages/cli/src/serving/settings.ts";
import { readSettingsFile } from "../packages/cli/src/serving/settings-file.ts";

/** No engine of containers runs here: what can be known of these files without one is known by these tests and `npm run lint:deploy`. */
const dockerfile = readFileSync("Dockerfile", "utf8");
const kubernetes = readFileSync("deploy/kubernetes/assay.yaml", "utf8");

interface Manifest {
  readonly kind: string;
  readonly data?: Record<string, string>;
  readonly spec?: { readonly template?: { readonly spec: PodSpec } };
}

interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly enableServiceLinks: boolean;
  readonly securityContext: object;
  readonly containers: readonly {
    readonly env: readonly { readonly name: string; readonly value?: string }[];
    readonly securityContext: object;
    readonly livenessProbe: object;
    readonly readinessProbe: object;
  }[];
}

const manifests = parseAllDocuments(kubernetes).map((document) => document.toJS() as Manifest);
const pod = manifests.find(({ kind }) => kind === "Deployment")!.spec!.template!.spec;
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

test("the image has the optional libraries in the versions that are tested", () => {
  const wanted = ["agents", "storage"].flatMap((name): [string, string][] =>
    Object.entries(JSON.parse(readFileSync(`packages/${name}/package.json`, "utf8")).optionalDependencies),
  );
  // The Node of the image has SQLite of its own.
  const expected = wanted.filter(([name]) => name !== "libsql").map(([name, version]) => `${name}@${version}`);
  const installed = [...dockerfile.matchAll(/^ {4}((?:@[\w-]+\/)?[\w-]+@\d[\w.]*)/gm)].map(([, each]) => each);
  expect(installed.toSorted()).toEqual(expected.toSorted());
});

test("the server is not root, is asked after, gets its signals, and writes nowhere", () => {
  const [last] = dockerfile.split(/^FROM /m).slice(-1);
  expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  expect(last).toMatch(/^HEALTHCHECK /m);
  // As a list: a shell before it would keep the signals.
  expect(last).toMatch(/^ENTRYPOINT \["node", /m);
  expect(pod).toMatchObject({ enableServiceLinks: false, securityContext: { runAsNonRoot: true } });
  expect(pod.containers[0]).toMatchObject({
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    livenessProbe: { httpGet: { path: "/health" } },
    readinessProbe: { httpGet: { path: "/ready" } },
  });
});

test("no secret stands in them: the store is given by reference", () => {
  const store = pod.containers[0]!.env.find(({ name }) => name === "ASSAY_SERVE_STORE");
  expect(store).toEqual({
    name: "ASSAY_SERVE_STORE",
    valueFrom: { secretKeyRef: { name: "assay-store", key: "url" } },
  });
  expect(manifests.map(({ kind }) => kind)).not.toContain("Secret");
  expect(settingsInCluster()).not.toHaveProperty("store");
  expect(dockerfile).not.toMatch(/PASSWORD|TOKEN|SECRET/i);
});
