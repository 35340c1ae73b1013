import { Copy } from "../../app/copy.tsx";
import { ExchangeView } from "./exchange-view.tsx";
import type { RunSource } from "./source.ts";

/** One exchange, from the list of all of them. */
export const ExchangeDetail = ({ id, source }: { readonly id: string; readonly source: RunSource }) => (
  <article class="finding">
    <p class="actions">
      <button type="button" onClick={() => source.saveHar([id])}>
        HAR
      </button>
      <Copy text={location.href} label="copy link" />
    </p>
    <ExchangeView id={id} source={source} />
  </article>
);
