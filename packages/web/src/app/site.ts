/** Whether the page is served by `assay ui`, or was exported as files that can only be read. */
export const isExported = document.documentElement.dataset["site"] === "exported";
