/** What the client of this folder is told, and where it writes. */
interface ClientRun {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly misbehaviour?: string;
  readonly spoken?: readonly string[];
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly signal?: AbortSignal;
}

export function runClient(run: ClientRun): Promise<number>;
