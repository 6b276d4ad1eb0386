// A separate process: checks the links of a database until it is killed. Each line of its input is the time.
import { createInterface } from 'node:readline'
import { startLinkChecker } from '../../../src/server/links/start-link-checker.ts'
import { openStore } from '../../../src/server/store/open-store.ts'

const [db = '', version = '', start = ''] = process.argv.slice(2)
let nowMs = Number(start)
createInterface({ input: process.stdin }).on('line', (line) => (nowMs = Number(line)))

startLinkChecker({
  store: await openStore({ db, languages: ['en'], articleLimit: 1000, now: new Date(nowMs).toISOString() }),
  version,
  clock: () => new Date(nowMs),
  intervalMs: 86_400_000,
  pollMs: 5,
  limits: { hostPauseMs: 0 },
  allowPrivateAddresses: true,
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  random: () => 0,
  onError: (error) => {
    throw error
  },
})
