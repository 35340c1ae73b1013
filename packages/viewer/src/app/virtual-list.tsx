import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** The number of extra rows above and below the visible ones, so that scrolling shows no gaps. */
const beyond = 8;

export interface VirtualListProps {
  /** label of the list for screen readers */
  readonly label: string;
  readonly count: number;
  /** in pixels; every row has the same */
  readonly rowHeight: number;
  readonly row: (index: number) => ComponentChildren;
  readonly selected?: number | undefined;
  readonly onSelect: (index: number) => void;
  /** receives the range of visible rows, so that their data can be loaded */
  readonly onSeen?: (from: number, to: number) => void;
}

/**
 * Shows a list of any length and renders only the visible rows. Arrow keys, Page Up and Down, Home and End move through
 * it. Enter selects a row.
 */
export function VirtualList({ label, count, rowHeight, row, selected, onSelect, onSeen }: VirtualListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const id = useRef(`list-${Math.random().toString(36).slice(2)}`).current;

  useLayoutEffect(() => {
    const element = box.current!;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const from = Math.max(0, Math.floor(view.top / rowHeight) - beyond);
  const to = Math.min(count, Math.ceil((view.top + view.height) / rowHeight) + beyond);
  useEffect(() => onSeen?.(from, to), [from, to, count]);

  const reveal = (index: number): void => {
    const element = box.current!;
    const top = index * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
  };
  // A deep link selects a row, which may be outside of the visible range.
  useLayoutEffect(() => {
    if (selected !== undefined) reveal(selected);
  }, [selected, count > 0]);

  const rowsOfPage = Math.max(1, Math.floor(view.height / rowHeight) - 1);
  const { active, setActive, onKeyDown } = useWalk({ count, rowsOfPage, selected, onSelect, reveal });
  const shown = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  const isActiveShown = active >= from && active < to;
  return (
    <div
      ref={box}
      class="virtual"
      role="listbox"
      aria-label={label}
      tabIndex={0}
      {...(isActiveShown && { "aria-activedescendant": `${id}-${active}` })}
      onScroll={({ currentTarget }) => setView({ top: currentTarget.scrollTop, height: currentTarget.clientHeight })}
      onKeyDown={onKeyDown}
    >
      <div class="virtual-all" role="presentation" style={{ height: `${count * rowHeight}px` }}>
        {shown.map((index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys for all of its rows
          <div
            key={index}
            id={`${id}-${index}`}
            class={`virtual-row${index === active ? " active" : ""}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === selected}
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
            onClick={() => {
              setActive(index);
              onSelect(index);
            }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Moves the active row by keyboard, and selects it. */
function useWalk({
  count,
  rowsOfPage,
  selected,
  onSelect,
  reveal,
}: Pick<VirtualListProps, "count" | "selected" | "onSelect"> & {
  readonly rowsOfPage: number;
  readonly reveal: (index: number) => void;
}) {
  const [active, setActive] = useState(selected ?? 0);
  useEffect(() => {
    if (selected !== undefined) setActive(selected);
  }, [selected]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onSelect(active);
      return;
    }
    const steps: Partial<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + rowsOfPage,
      PageUp: active - rowsOfPage,
      Home: 0,
      End: count - 1,
    };
    const wanted = steps[event.key];
    if (wanted === undefined || count === 0) return;
    event.preventDefault();
    const next = Math.min(count - 1, Math.max(0, wanted));
    setActive(next);
    reveal(next);
  };
  return { active, setActive, onKeyDown };
}
