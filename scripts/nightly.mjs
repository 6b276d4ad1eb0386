// Everything, at full count: what `npm test` draws a few times is drawn ten times as often here, of moments, documents and
// looks none is left out, and lists are as long as they may get. Arguments such as --shard=1/4 go to vitest; variables that
// are set stay as they are.
const ALL = '1000000'
const COUNTS = {
  RUNS: '10',
  HISTORIES: '100+',
  FUZZ: '1000+',
  DOCUMENTS: ALL,
  PAYLOADS: ALL,
  MOMENTS: ALL,
  LOOKS: ALL,
  SYNC_KILLS: ALL,
  KILLS: '15',
  RESTORE_KILLS: '8',
  WATCH_KILLS: '5',
  REPORT_ARTICLES: '5000',
  REPORT_ENTRIES: ALL,
}
for (const [name, count] of Object.entries(COUNTS)) process.env[name] ??= count
process.argv.splice(2, 0, 'build', 'test', 'package', 'sites')
await import('./run-parts.mjs')
