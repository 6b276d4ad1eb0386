// Runs the built-in server in a separate thread. It uses the second core while the main thread reads and sends, and its
// HTTP library cannot change the global scope of the main thread.
import { parentPort } from 'node:worker_threads'
import { listen } from '../../server/http/listen.ts'
import { openKnowledgeBase } from '../../server/open-knowledge-base.ts'
import { type FromServer, toPlainFailure, type ToServer } from './builtin-messages.ts'

/** Set by the first message, which opens the server. */
let opened: Promise<Awaited<ReturnType<typeof open>>> | undefined

async function answer(message: ToServer): Promise<FromServer> {
  if (message.kind === 'open') {
    opened = open(message.options)
    return { kind: 'listening', url: (await opened).server.url }
  }
  if (opened === undefined) throw new Error(`${message.kind} came before open`)
  const { knowledgeBase, server } = await opened
  const { store } = knowledgeBase
  if (message.kind === 'seed') {
    const seeded = await store.seed(store.defaultSiteId, message.seed, new Date().toISOString())
    return { kind: 'seeded', seeded }
  }
  await server.close()
  return { kind: 'closed', ownRevisions: knowledgeBase.ownRevisions() }
}

async function open(options: Parameters<typeof openKnowledgeBase>[0]) {
  const knowledgeBase = await openKnowledgeBase(options)
  const server = await listen(knowledgeBase, { host: '127.0.0.1', port: 0 })
  return { knowledgeBase, server }
}

async function handle(message: ToServer): Promise<void> {
  const answered = await answer(message).catch((error: unknown): FromServer => ({
    kind: 'failed',
    failure: toPlainFailure(error),
  }))
  parentPort?.postMessage(answered)
  if (answered.kind === 'closed') parentPort?.close()
}

parentPort?.on('message', (message: ToServer) => void handle(message))
