// npm run bench: what kb-sync promises of its speed and memory, each figure beside a floor or a peer measured in the
// same run. A benchmark, not a test: it always ends well, and its ratios are for reading.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findMarkdown } from './corpus/find-markdown.mjs'
import { keepAccepted } from './corpus/keep-accepted.mjs'
import { makeDocuments } from './corpus/make-documents.mjs'
import { writeProject } from './corpus/write-project.mjs'
import { assertBuilt, BINARY, PROJECT_ROOT } from './kb.mjs'
import { runNode } from './measure/run-process.mjs'
import { readOptions } from './options.mjs'
import { installEleventy } from './peers/eleventy.mjs'
import { findHugo } from './peers/hugo.mjs'
import { formatTable } from './report/format-table.mjs'
import { measureFirstSync } from './rows/first-sync.mjs'
import { measureLargeMemory, measureMemory } from './rows/memory.mjs'
import { measureNoOp, measureTouchedNoOp } from './rows/no-op.mjs'
import { measureOneChange } from './rows/one-change.mjs'
import { measurePlugins } from './rows/plugins.mjs'
import { measureReport } from './rows/report.mjs'
import { measureServer } from './rows/server.mjs'
import { measureServerWaits } from './rows/server-waits.mjs'
import { measureSmallChange, measureSmallNoOp, measureVersion } from './rows/start.mjs'
import { measureWatch } from './rows/watch.mjs'

const SMALL = 20
const LARGE_FACTOR = 10
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
  const found = findMarkdown(join(PROJECT_ROOT, 'node_modules'))
  const documents = keepAccepted(makeDocuments(found), join(scratch, 'candidates'))
  const project = writeProject(join(scratch, 'project'), documents, options.documents)
  const small = writeProject(join(scratch, 'small'), documents, SMALL)
  const peers = {
    hugo: findHugo(project.content, scratch),
    eleventy: options.peers ? installEleventy(project.content, scratch) : undefined,
  }
  return { ...options, scratch, documents, rejected: found.length - documents.length, project, small, peers }
}

async function measure(context) {
  const rows = []
  const measureGroup = async (group, measureRows) => {
    if (!context.groups.has(group)) return undefined
    progress(`measuring ${group}`)
    try {
      const measured = [await measureRows()].flat()
      rows.push(...measured)
      return measured[0]
    } catch (error) {
      // One group that cannot run is said, and takes nothing away from the others.
      process.stderr.write(`${group} could not be measured: ${error.message}\n`)
      return undefined
    }
  }
  await measureGroup('start', async () => [
    await measureVersion(context),
    await measureSmallNoOp(context),
    await measureSmallChange(context),
  ])
  const first = await measureGroup('first-sync', () => measureFirstSync(context))
  const hugo = first?.beside.find(({ name }) => name === context.peers.hugo?.name)
  const memory = await measureGroup('memory', () => measureMemory(context))
  if (context.large && memory !== undefined) {
    const { documents, scratch } = context
    progress('writing the large corpus')
    const large = writeProject(join(scratch, 'large'), documents, context.project.files.length * LARGE_FACTOR)
    await measureGroup('memory', () => measureLargeMemory({ large, scratch, smallerPeaks: memory.ours }))
  }
  if (memory === undefined && first === undefined) syncOnce(context.project)
  await measureGroup('no-op', () => measureNoOp({ ...context, hugo }))
  await measureGroup('touched', () => measureTouchedNoOp(context))
  await measureGroup('one-change', () => measureOneChange(context))
  await measureGroup('server', () => measureServer(context))
  await measureGroup('server-waits', () => measureServerWaits(context))
  await measureGroup('watch', () => measureWatch(context))
  await measureGroup('report', () => measureReport(context))
  await measureGroup('plugins', () => measurePlugins(context))
  return rows
}

/** The rows of changes need a project that is synced. */
function syncOnce({ root }) {
  runNode([BINARY, 'sync', '--quiet', '--cwd', root])
}

function report(rows, { documents, rejected, project, json, scratch }) {
  const corpus = {
    documents: project.files.length,
    megabytes: project.bytes / 1e6,
    originals: Math.min(documents.length, project.files.length),
    copies: project.copies,
    rejected,
  }
  if (json) {
    console.log(JSON.stringify({ corpus, node: process.version, rows }, undefined, 2))
    return
  }
  console.log(describe(corpus))
  if (statfsSync(scratch).type === TMPFS)
    console.log('The temporary folder is in memory: nothing here was durable.')
  console.log(`\n${formatTable(rows)}`)
}

function describe({ documents, megabytes, originals, copies, rejected }) {
  return [
    `${documents.toLocaleString('en-US')} documents, ${megabytes.toFixed(1)} MB, from the Markdown of installed npm packages:`,
    `${originals} are different, ${copies.toLocaleString('en-US')} are copies under other titles; ${rejected} more were left out since`,
    `kb check rejects them. Whole processes where it is a command; medians of runs in turn.`,
  ].join('\n')
}

function progress(text) {
  process.stderr.write(`${text}…\n`)
}

const options = readOptions(process.argv.slice(2))
if (options !== undefined) await main(options)
