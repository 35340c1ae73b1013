import "../run/style.css";
import "../../app/signs.css";
import "../../app/wide-table.css";
import "./matrix.css";
import { type MatrixLine, scoreText } from "@assay/matrix/view";
import { dateText } from "@assay/suite/text";
import { useRef, useState } from "preact/hooks";
import { get } from "../../app/api.ts";
import { useLoaded } from "../../app/loaded.ts";
import { Empty, Loading, Trouble } from "../../app/notice.tsx";
import { go, linkTo, type PageRoute } from "../../app/route.ts";
import { Said } from "../../app/sentence.tsx";
import { CauseView } from "./cause.tsx";
import { CellView } from "./cell.tsx";
import { filterIn } from "./filters.ts";
import { Overview } from "./overview.tsx";
import { PairView } from "./pair.tsx";
import { ScenariosView } from "./scenarios.tsx";
import { SdkView } from "./sdk.tsx";
import { openMatrix, openMatrixFile } from "./source.ts";
import { type MatrixView, matrixView } from "./view.ts";

export function Page({ route }: { readonly route: PageRoute }) {
  const [name] = route.rest;
  return name === undefined ? <Matrices /> : <Opened key={name} name={name} route={route} />;
}

/** Lists the matrices, or explains how to create one. */
function Matrices() {
  const loaded = useLoaded(() => get<readonly MatrixLine[]>("/api/matrices"), []);
  if (loaded.is === "loading") return <Loading />;
  if (loaded.is === "failed") return <Trouble error={loaded.error} />;
  if (loaded.value.length === 0)
    return (
      <Empty title="Which client works with which server">
        <p>
          A matrix runs the client of every SDK against every server, over each binding and version that both support.
          For each red cell it shows whose fault it is. There is no matrix here yet.
        </p>
        <p>
          Create one with <code>npx a2a-assay matrix --report json=matrix.json</code>. Then open it here, or run{" "}
          <code>npx a2a-assay ui --matrix matrix.json</code>. The page finds files in <code>.assay/matrix</code> by
          itself.
        </p>
        <OpenFile />
      </Empty>
    );
  return (
    <div class="matrix">
      <h1>Matrices</h1>
      <ul class="matrix-list">
        {loaded.value.map(({ name, startedAt, score, drivers, partial }) => (
          <li>
            <a href={linkTo("matrix", [name])}>{dateText(startedAt)}</a> <b>{scoreText(score)} passed</b>{" "}
            <span class="soft">
              <Said text={drivers.join(", ")} most={200} />
              {partial !== undefined && ", partial"}
            </span>
          </li>
        ))}
      </ul>
      <OpenFile />
    </div>
  );
}

function OpenFile() {
  const picker = useRef<HTMLInputElement>(null);
  const [trouble, setTrouble] = useState<Error>();
  return (
    <p>
      <button type="button" onClick={() => picker.current?.click()}>
        Open a matrix document
      </button>
      <input
        ref={picker}
        class="away"
        type="file"
        accept=".json"
        tabIndex={-1}
        aria-label="a matrix document"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) openMatrixFile(file).then((name) => go(linkTo("matrix", [name])), setTrouble);
        }}
      />
      {trouble && <Trouble error={trouble} />}
    </p>
  );
}

function Opened({ name, route }: { readonly name: string; readonly route: PageRoute }) {
  const loaded = useLoaded(async () => {
    const source = await openMatrix(name);
    return matrixView(name, source, await source.since());
  }, [name]);
  if (loaded.is === "loading") return <Loading />;
  if (loaded.is === "failed") return <Trouble error={loaded.error} />;
  return <Shown view={loaded.value} route={route} />;
}

function Shown({ view, route }: { readonly view: MatrixView; readonly route: PageRoute }) {
  const [, part, first = "", second = ""] = route.rest;
  return (
    <div class="matrix">
      {part !== undefined && (
        <p>
          <a href={view.to()}>The whole matrix</a>
        </p>
      )}
      {part === "pair" && <PairView view={view} client={first} server={second} />}
      {part === "cell" && <CellView view={view} id={first} />}
      {part === "cause" && <Cause view={view} slug={first} />}
      {part === "scenarios" && <ScenariosView view={view} />}
      {part === "sdk" && <SdkView view={view} name={first} />}
      {part === undefined && <Overview view={view} filter={filterIn(route.query)} />}
    </div>
  );
}

function Cause({ view, slug }: { readonly view: MatrixView; readonly slug: string }) {
  const cause = view.causes.find((each) => each.slug === slug);
  if (cause) return <CauseView view={view} cause={cause} />;
  return <Trouble error={new Error("This matrix has no such cause. Open the whole matrix to see all causes.")} />;
}
