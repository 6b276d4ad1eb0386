// The built-in server in a thread of its own: it uses the second core while the main thread reads and sends, and what
// its HTTP library changes in the global scope stays in here.
import { parentPort, workerData } from 'node:worker_threads'
import { listen } from '../server/http/listen.ts'
import { openKnowledgeBase } from '../server/open-knowledge-base.ts'
import { type BuiltinOptions, type FromServer, toPlainFailure, type ToServer } from './builtin-messages.ts'

const answer = (message: FromServer) => parentPort?.postMessage(message)

async function start(options: BuiltinOptions): Promise<void> {
  const knowledgeBase = await openKnowledgeBase(options)
  const { store } = knowledgeBase
  const server = await listen(knowledgeBase, { host: '127.0.0.1', port: 0 })
  const handle = async (message: ToServer): Promise<void> => {
    try {
      if (message.kind === 'seed') {
        const seeded = await store.seed(store.defaultSiteId, message.seed, new Date().toISOString())
        return answer({ kind: 'seeded', seeded })
      }
      await server.close()
      answer({ kind: 'closed', ownRevisions: store.ownRevisions() })
      parentPort?.close()
    } catch (error) {
      answer({ kind: 'failed', failure: toPlainFailure(error) })
    }
  }
  parentPort?.on('message', (message: ToServer) => void handle(message))
  answer({ kind: 'listening', url: server.url })
}

start(workerData as BuiltinOptions).catch((error: unknown) => {
  answer({ kind: 'failed', failure: toPlainFailure(error) })
})
