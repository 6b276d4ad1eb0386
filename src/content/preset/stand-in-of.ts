/** What stands for the HTML that a section's text becomes, until links are resolved. */
export function standInOf(source: string): string {
  return `section ${source}`
}
