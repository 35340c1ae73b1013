/** What the older client of this folder is told, and where it writes. */
interface OlderClientRun {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly misbehaviour?: string;
  readonly binding?: string;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly signal?: AbortSignal;
}

export function runOlderClient(run: OlderClientRun): Promise<number>;
