/** Formats a whole number with thousands separators. toLocaleString would first load the locale data. */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
