// Opens a knowledge base that checks links, and leaves it open: nothing of the checker may keep the process alive.
import { openKnowledgeBase } from '../../../src/server/open-knowledge-base.ts'

const [db = ''] = process.argv.slice(2)
await openKnowledgeBase({ db, linkChecks: { intervalMs: 86_400_000 } })
process.stdout.write('open')
