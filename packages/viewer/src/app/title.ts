import { visible } from "@assay/suite/text";
import { useEffect } from "preact/hooks";

/** Sets the title in the browser's tab and history while the component is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${visible(title)} · Assay`;
    return () => {
      document.title = "Assay";
    };
  }, [title]);
}
