// Everything, at full count: what `npm test` draws a few times is drawn ten times as often here, and lists are as long as
// they may get. Arguments such as --shard=1/4 go to vitest; variables that are set stay as they are.
process.env.RUNS ??= '10'
process.env.REPORT_ENTRIES ??= '1000000'
process.argv.splice(2, 0, 'build', 'test', 'sites')
await import('./run-parts.mjs')
