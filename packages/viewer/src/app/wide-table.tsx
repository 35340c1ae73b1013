import type { ComponentChildren } from "preact";

interface WideTableProps {
  readonly label: string;
  /** classes of the table */
  readonly look?: string;
  /** the cells of the first row */
  readonly head: ComponentChildren;
  readonly children: ComponentChildren;
}

/**
 * A table that scrolls by itself where it is wider than the page. On a phone each row is a card, with `data-label`
 * before each value.
 */
export const WideTable = ({ label, look = "", head, children }: WideTableProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a table that scrolls is no group of fields
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
  <div class="wide-table" role="group" tabIndex={0} aria-label={label}>
    <table class={look}>
      <thead>
        <tr>{head}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
