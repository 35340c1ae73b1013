/** The running built-in agents: `POST /api/testbed`. */
export interface TestbedDocument {
  readonly url: string;
  readonly agents: readonly { readonly path: string; readonly name: string; readonly description: string }[];
  readonly mutants: readonly { readonly id: string; readonly does: string }[];
}
