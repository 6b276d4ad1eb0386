import { median, pairwiseRatio } from '../measure/statistics.mjs'

const LABEL = 39
const VALUE = 9
const RATIO = 8
const RANGE = 13
const NEARLY_BUSY = 0.9

/** Rows as lines of 80 columns: ours, then each floor or peer with our ratio to it and the goal. */
export function formatTable(rows) {
  const head = line('', 'median', 'ratio', 'min–max', 'goal')
  return [head, '-'.repeat(80), ...rows.flatMap(formatRow)].join('\n')
}

function formatRow(row) {
  const goal = row.goal ?? ''
  const notes =
    row.generatorBusy > NEARLY_BUSY ? ['  (the load generator was the limit: ratios flatter)'] : []
  return [
    line(row.title, formatValue(row.ours, row.unit), '', '', goal),
    ...row.beside.map((beside) => formatBeside(row, beside)),
    ...notes,
  ]
}

function formatBeside({ ours, unit }, beside) {
  const { median: middle, least, greatest } = ratioOf(ours, beside)
  return line(
    `  / ${beside.name}`,
    formatValue(beside.samples, unit),
    `${digits(middle)}x`,
    `${digits(least)}–${digits(greatest)}`,
    beside.goal ?? '',
  )
}

/** Our ratio to what stands beside us; for speeds that are asked for as "N times as fast", theirs to ours. */
export function ratioOf(ours, { samples, isInverse = false }) {
  return isInverse ? pairwiseRatio(samples, ours) : pairwiseRatio(ours, samples)
}

function line(label, value, ratio, range, goal) {
  const goalText = goal === '' ? '' : ` ${goal}`
  return (
    label.padEnd(LABEL) +
    value.padStart(VALUE) +
    ratio.padStart(RATIO) +
    range.padStart(RANGE) +
    goalText
  ).trimEnd()
}

export function formatValue(samples, unit) {
  const value = median(samples)
  if (unit === 'per second') return `${Math.round(value).toLocaleString('en-US')}/s`
  if (unit === 'exponent') return value.toFixed(2)
  if (unit === 'share') return value.toFixed(3)
  if (unit === 'MiB') return `${Math.round(value)} MiB`
  if (value < 10) return `${value.toFixed(1)} ms`
  return value < 1000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(2)} s`
}

export function digits(number) {
  return number < 0.1 ? number.toFixed(3) : number < 100 ? number.toFixed(2) : number.toFixed(0)
}
