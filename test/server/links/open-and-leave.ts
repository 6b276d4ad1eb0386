// Opens a knowledge base that checks links, and does not close it: the checker must not keep the process alive.
import { openKnowledgeBase } from '../../../src/server/open-knowledge-base.ts'

const [db = ''] = process.argv.slice(2)
await openKnowledgeBase({ db, linkChecks: { intervalMs: 86_400_000 } })
process.stdout.write('open')
