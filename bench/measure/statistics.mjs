export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The value that so many percent of the others do not exceed. */
export function percentile(values, percent) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)]
}

/** Median, least and greatest of the ratios of runs that were made side by side. */
export function pairwiseRatio(above, below) {
  const pairs = Math.min(above.length, below.length)
  const ratios = Array.from({ length: pairs }, (_, index) => above[index] / below[index])
  return { median: median(ratios), least: Math.min(...ratios), greatest: Math.max(...ratios) }
}
