import { parseArgs } from 'node:util'

const HELP = `npm run bench -- [options]

  --corpus DIR    documents of this folder, with their paths and links (default: the Markdown of npm packages)
  --documents N,… articles in the corpus (default 10000); with several sizes, syncs, reports and watches are
                  measured at each, and their growth is fitted: an exponent of 1 is linear
  --quick         1,000 articles and fewer runs
  --peers         also Eleventy, installed from the registry (Hugo is used where it is on the PATH or in HUGO)
  --runs N        measured runs per row (default 5, of slow rows 3)
  --only A,B      some of: first-sync, no-op, touched, one-change, memory, report, search, pages, watch,
                  start, judged, server, postgres, postgres-latencies, postgres-list, server-waits,
                  long-report, long-watch, plugins
  --keep          leave the temporary folder
  --json FILE     also results as JSON, every sample included
  --markdown FILE also a table for documentation, with the machine and the spread
`

export const GROUPS = [
  'first-sync',
  'no-op',
  'touched',
  'one-change',
  'memory',
  'report',
  'search',
  'pages',
  'watch',
  'start',
  'judged',
  'server',
  'postgres',
  'postgres-latencies',
  'postgres-list',
  'server-waits',
  'long-report',
  'long-watch',
  'plugins',
]

/** `edits`: saves that are timed. `counts`: edits after which the memory of a long run is looked at. */
const WATCH = { edits: 200, counts: [1000, 10_000] }
const QUICK_WATCH = { edits: 20, counts: [100, 500] }

/** Entries of the lists whose memory is looked at. */
const LISTED = [100_000, 1_000_000]
const QUICK_LISTED = [50_000, 200_000]

/** What is in the knowledge base beside whose large requests others wait. */
const SERVED = { articles: 200_000, links: 1_000_000 }
const QUICK_SERVED = { articles: 20_000, links: 100_000 }

/** What the command line asks for; undefined when it only asks for help. */
export function readOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      corpus: { type: 'string' },
      documents: { type: 'string' },
      runs: { type: 'string' },
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      json: { type: 'string' },
      markdown: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return undefined
  }
  const { quick } = values
  const runs = readCount(values.runs ?? (quick ? '3' : '5'))
  return {
    ...values,
    sizes: (values.documents ?? (quick ? '1000' : '10000')).split(',').map(readCount),
    runs,
    slowRuns: values.runs === undefined ? Math.min(runs, 3) : runs,
    requests: quick ? 1000 : 4000,
    watched: quick ? QUICK_WATCH : WATCH,
    served: quick ? QUICK_SERVED : SERVED,
    listed: quick ? QUICK_LISTED : LISTED,
    searched: quick ? 20_000 : 100_000,
    groups: readGroups(values.only),
  }
}

function readCount(text) {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1) return number
  throw new Error(`${text} is not a whole number above 0`)
}

function readGroups(only) {
  const groups = only?.split(',') ?? GROUPS
  const unknown = groups.find((group) => !GROUPS.includes(group))
  if (unknown !== undefined) throw new Error(`there is no group ${unknown}: choose of ${GROUPS.join(', ')}`)
  return new Set(groups)
}
