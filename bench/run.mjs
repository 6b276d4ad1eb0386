// npm run bench: what kb-sync promises of its speed and memory, each figure beside a floor or a peer measured in the
// same run. A benchmark, not a test: it always ends well, and its ratios are for reading.
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCorpus } from './corpus/open-corpus.mjs'
import { writeProject } from './corpus/write-project.mjs'
import { assertBuilt, BINARY } from './kb.mjs'
import { runNode } from './measure/run-process.mjs'
import { readOptions } from './options.mjs'
import { installEleventy } from './peers/eleventy.mjs'
import { findHugo } from './peers/hugo.mjs'
import { describeRun, formatMarkdown } from './report/format-markdown.mjs'
import { formatTable } from './report/format-table.mjs'
import { fitGrowth } from './rows/growth.mjs'
import { measureFirstSync } from './rows/first-sync.mjs'
import { measureMemory } from './rows/memory.mjs'
import { measureNoOp, measureTouchedNoOp } from './rows/no-op.mjs'
import { measureOneChange } from './rows/one-change.mjs'
import { measurePages } from './rows/pages.mjs'
import { measurePlugins } from './rows/plugins.mjs'
import { measurePostgres } from './rows/postgres.mjs'
import { measureLatencies, measureLongList } from './rows/postgres-large.mjs'
import { measureLongReport, measureReport } from './rows/report.mjs'
import { judgeSearch, measureLargeSearch, measureSearch } from './rows/search.mjs'
import { measureServer } from './rows/server.mjs'
import { measureServerWaits } from './rows/server-waits.mjs'
import { measureSmallChange, measureSmallNoOp, measureVersion } from './rows/start.mjs'
import { measureLongWatch, measureWatch } from './rows/watch.mjs'

const SMALL = 20
const TMPFS = 0x01021994

async function main(options) {
  assertBuilt()
  const scratch = mkdtempSync(join(tmpdir(), 'kb-bench-'))
  try {
    const context = prepare(options, scratch)
    const rows = await measure(context)
    report(rows, context)
  } finally {
    if (options.keep) progress(`kept ${scratch}`)
    else rmSync(scratch, { recursive: true, force: true })
  }
}

function prepare(options, scratch) {
  progress('building the corpus')
  const corpus = openCorpus(options.corpus, scratch)
  const projects = options.sizes.map((size) => corpus.write(join(scratch, `project-${size}`), size))
  const small = writeProject(join(scratch, 'small'), corpus.documents, SMALL)
  const peers = { hugo: findHugo(scratch), eleventy: options.peers ? installEleventy(scratch) : undefined }
  return {
    ...options,
    scratch,
    corpus,
    documents: corpus.documents,
    projects,
    project: projects[0],
    small,
    peers,
  }
}

/** Groups that are measured at each size, in this order: the last ones edit the project. */
const SIZED = {
  'first-sync': measureFirstSync,
  memory: measureMemory,
  'no-op': measureNoOp,
  touched: measureTouchedNoOp,
  'one-change': measureOneChange,
  report: measureReport,
  search: measureSearch,
  pages: measurePages,
  watch: measureWatch,
}

async function measure(context) {
  const rows = []
  const measureGroup = async (group, measureRows) => {
    if (!context.groups.has(group)) return []
    progress(`measuring ${group}`)
    try {
      const measured = [await measureRows()].flat()
      rows.push(...measured)
      return measured
    } catch (error) {
      // One group that cannot run is said, and takes nothing away from the others.
      process.stderr.write(`${group} could not be measured: ${error.message}\n`)
      return []
    }
  }
  await measureGroup('start', async () => [
    await measureVersion(context),
    await measureSmallNoOp(context),
    await measureSmallChange(context),
  ])
  const series = []
  const isSized = Object.keys(SIZED).some((group) => context.groups.has(group))
  for (const project of isSized ? context.projects : []) {
    if (!context.groups.has('first-sync') && !context.groups.has('memory')) syncOnce(project)
    for (const [group, measureRows] of Object.entries(SIZED)) {
      const measured = await measureGroup(group, () => measureRows({ ...context, project }))
      series.push(
        ...measured.map((row, index) => ({ group: `${group} ${index}`, size: project.files.length, row })),
      )
    }
  }
  rows.push(...fitGrowth(series))
  await measureGroup('search', () => measureLargeSearch(context))
  await measureGroup('judged', () => judgeSearch(context))
  await measureGroup('server', () => measureServer(context))
  await measureGroup('postgres', () => measurePostgres(context))
  await measureGroup('postgres-latencies', () => measureLatencies(context))
  await measureGroup('postgres-list', () => measureLongList(context))
  await measureGroup('server-waits', () => measureServerWaits(context))
  await measureGroup('long-report', () => measureLongReport(context))
  await measureGroup('long-watch', () => measureLongWatch(context))
  await measureGroup('plugins', () => measurePlugins(context))
  return rows
}

/** The rows of changes need a project that is synced. */
function syncOnce({ root }) {
  runNode([BINARY, 'sync', '--quiet', '--cwd', root])
}

function report(rows, { corpus, projects, runs, json, markdown, scratch }) {
  const run = describeRun({ corpus, projects, runs })
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ ...run, rows }, undefined, 2)}\n`)
  if (markdown !== undefined) writeFileSync(markdown, formatMarkdown(rows, run))
  console.log(`${run.corpus}\nWhole processes where it is a command; medians of runs in turn.`)
  if (statfsSync(scratch).type === TMPFS)
    console.log('The temporary folder is in memory: nothing here was durable.')
  console.log(`\n${formatTable(rows)}`)
}

function progress(text) {
  process.stderr.write(`${text}…\n`)
}

const options = readOptions(process.argv.slice(2))
if (options !== undefined) await main(options)
