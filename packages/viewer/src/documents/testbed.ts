/** The built-in agents while they are served: `POST /api/testbed`. */
export interface TestbedDocument {
  readonly url: string;
  readonly agents: readonly { readonly path: string; readonly name: string; readonly description: string }[];
  readonly mutants: readonly { readonly id: string; readonly does: string }[];
}
