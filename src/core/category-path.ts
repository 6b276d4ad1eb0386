/** Splits `Guides/Accounts` into `['Guides', 'Accounts']`. `\/` is a slash in a name. */
export function parseCategoryPath(text: string): string[] {
  return text.split(/(?<!\\)\//).map((name) => name.replaceAll('\\/', '/'))
}

/** Returns the inverse of `parseCategoryPath`. */
export function formatCategoryPath(path: readonly string[]): string {
  return path.map((name) => name.replaceAll('/', '\\/')).join('/')
}
