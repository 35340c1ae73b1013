/** An option that does not fit the agent, which shows only when its card is read: a mistake of the call, not a run. */
export class UnfitOption extends Error {
  override readonly name = "UnfitOption";
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
