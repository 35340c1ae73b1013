import { visible } from "@assay/suite/text";
import { useEffect } from "preact/hooks";

/** What the browser calls this place, in its tab and its history, while it is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${visible(title)} · Assay`;
    return () => {
      document.title = "Assay";
    };
  }, [title]);
}
