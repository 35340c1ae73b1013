/** One line of a comparison of two texts. */
export interface SideRow {
  readonly today?: string;
  readonly next?: string;
  readonly isSame: boolean;
}

/** A part of a plan. Texts are plain: each format escapes them. Backticks mark code. */
export type PlanBlock =
  | { readonly is: "heading"; readonly level: 2 | 3; readonly text: string }
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "list"; readonly items: readonly string[]; readonly ordered?: true }
  | { readonly is: "table"; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly is: "code"; readonly text: string }
  | {
      readonly is: "sides";
      readonly title: string;
      /** the headings of the columns */
      readonly today: string;
      readonly next: string;
      readonly rows: readonly SideRow[];
      /** the next block shows the response */
      readonly isRequest?: true;
      /** one more example; a terminal omits it */
      readonly isDetail?: true;
    };

/** A plan or a check of `assay upgrade`, ready to show. */
export interface PlanPage {
  readonly title: string;
  /** the answer in one sentence */
  readonly answer: string;
  readonly blocks: readonly PlanBlock[];
}
