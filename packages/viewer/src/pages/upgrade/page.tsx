import "../../app/wide-table.css";
import "./style.css";
import { get } from "../../app/api.ts";
import { useLoaded } from "../../app/loaded.ts";
import { Loading, Trouble } from "../../app/notice.tsx";
import { Said, Sentence } from "../../app/sentence.tsx";
import { useTitle } from "../../app/title.ts";
import { WideTable } from "../../app/wide-table.tsx";
import type { PlanBlock, PlanPage, SideRow } from "../../documents/plan.ts";

/** Shows a plan or a check of `assay upgrade`. The file contains it. */
export function Page() {
  const plan = useLoaded(() => get<PlanPage>("/api/upgrade"), []);
  if (plan.is === "loading") return <Loading />;
  if (plan.is === "failed") return <Trouble error={plan.error} />;
  return <Plan page={plan.value} />;
}

function Plan({ page: { title, answer, blocks } }: { readonly page: PlanPage }) {
  useTitle(title);
  return (
    <article class="upgrade">
      <h1>
        <Said text={title} />
      </h1>
      <p class="answer">
        <Said text={answer} most={2_000} />
      </p>
      {blocks.map((block) => (
        <Block block={block} />
      ))}
    </article>
  );
}

function Block({ block }: { readonly block: PlanBlock }) {
  switch (block.is) {
    case "heading":
      return block.level === 2 ? (
        <h2>
          <Said text={block.text} />
        </h2>
      ) : (
        <h3>
          <Said text={block.text} />
        </h3>
      );
    case "text":
      return (
        <p>
          <Sentence text={block.text} most={2_000} />
        </p>
      );
    case "list":
      return (
        <ul>
          {block.items.map((item) => (
            <li>
              <Sentence text={item} most={2_000} />
            </li>
          ))}
        </ul>
      );
    case "table":
      return (
        <WideTable
          label={block.head.join(", ")}
          head={block.head.map((cell) => <th scope="col">{<Said text={cell} />}</th>)}
        >
          {block.rows.map((row) => (
            <tr>
              {row.map((cell, index) => (
                <td data-label={block.head[index]}>
                  <Sentence text={cell} most={2_000} />
                </td>
              ))}
            </tr>
          ))}
        </WideTable>
      );
    case "code":
      return (
        <pre class="mono well">
          <Said text={block.text} most={20_000} />
        </pre>
      );
    case "sides":
      return <Sides block={block} />;
  }
}

/** Shows both versions next to each other. Changed lines have a sign besides the colour. */
const Sides = ({
  block: { title, today, next, rows, isDetail },
}: {
  readonly block: Extract<PlanBlock, { is: "sides" }>;
}) => (
  <details open={!isDetail}>
    <summary>
      <Said text={title} />
    </summary>
    <WideTable
      label={title}
      look="mono sides-table"
      head={[today, next].map((column) => <th scope="col">{column}</th>)}
    >
      {rows.map((row) => (
        <tr>
          <Side line={row.today} row={row} sign="-" look="gone" />
          <Side line={row.next} row={row} sign="+" look="new" />
        </tr>
      ))}
    </WideTable>
  </details>
);

interface SideProps {
  readonly line: string | undefined;
  readonly row: SideRow;
  readonly sign: string;
  readonly look: string;
}

const Side = ({ line, row: { isSame }, sign, look }: SideProps) => (
  <td class={isSame || line === undefined ? "" : look}>
    {line !== undefined && (
      <>
        <span class="sign">{isSame ? " " : sign}</span> <Said text={line} most={400} />
      </>
    )}
  </td>
);
