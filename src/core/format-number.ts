/** A whole number with a comma between thousands; toLocaleString would load the locale data first. */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
