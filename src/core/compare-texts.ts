/** Compares texts by code unit, which gives the same order on every machine. */
export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
