/** `Guides/Accounts` as `['Guides', 'Accounts']`; `\/` is a slash in a name. */
export function parseCategoryPath(text: string): string[] {
  return text.split(/(?<!\\)\//).map((name) => name.replaceAll('\\/', '/'))
}

/** The inverse of `parseCategoryPath`. */
export function formatCategoryPath(path: readonly string[]): string {
  return path.map((name) => name.replaceAll('/', '\\/')).join('/')
}
