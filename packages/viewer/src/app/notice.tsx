import type { ComponentChildren } from "preact";
import { ApiFailure } from "./api.ts";
import { Sentence } from "./sentence.tsx";

/** Shows an error and what to do. */
export const Trouble = ({ error }: { readonly error: Error }) => (
  <div class="trouble panel" role="alert">
    <p>
      <strong>
        <Sentence text={error.message} />
      </strong>
    </p>
    {error instanceof ApiFailure && error.hint !== undefined && (
      <p>
        <Sentence text={error.hint} />
      </p>
    )}
  </div>
);

/** Shows an empty page that explains what belongs here and how to get it. */
export const Empty = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
);

export const Loading = () => (
  <p class="loading" role="status">
    loading …
  </p>
);
