/** The Markdown of the page; `read` gives the text of a file by its path from the root of the project. */
export function renderReference(read: (path: string) => string): string
