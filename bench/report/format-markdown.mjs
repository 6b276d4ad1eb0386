import { availableParallelism, cpus, totalmem } from 'node:os'
import { formatValue, ratioOf, digits } from './format-table.mjs'

/** What was measured, and on which machine. */
export function describeRun({ corpus, projects, runs }) {
  const sizes = projects.map(
    ({ files, bytes }) =>
      `${files.length.toLocaleString('en-US')} documents (${(bytes / 1e6).toFixed(1)} MB)`,
  )
  return {
    corpus: `${sizes.join(', ')}: ${corpus.name}.`,
    machine: `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 1024 ** 3)} GiB, Node.js ${process.version}`,
    runs,
    rejected: projects.map(({ rejected = 0 }) => rejected),
  }
}

/** Rows as a Markdown table: each with the floors and peers of the same run, and the spread of the ratios. */
export function formatMarkdown(rows, { corpus, machine, runs }) {
  const lines = rows.flatMap(({ title, unit, ours, beside, goal = '' }) => [
    [title, formatValue(ours, unit), '', '', goal],
    ...beside.map((each) => {
      const { median: middle, least, greatest } = ratioOf(ours, each)
      const spread = `${digits(least)} to ${digits(greatest)}`
      return [`beside ${each.name}`, formatValue(each.samples, unit), digits(middle), spread, each.goal ?? '']
    }),
  ])
  const head = ['measured', 'median', 'ratio', 'spread', 'goal']
  const table = [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`)
  return `${corpus} ${machine}; ${runs} runs of each row, fewer of slow ones.\n\n${table.join('\n')}\n`
}
