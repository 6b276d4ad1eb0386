// The thread that cleans one large article: it keeps no one waiting but who asked for it.
import { parentPort, workerData } from 'node:worker_threads'
import type { PageAddresses } from '../page-addresses.ts'
import { cleanArticle } from './clean-article.ts'
import type { Finishing } from './finish-tree.ts'
import { createLocaliseLink } from './localise-link.ts'

/** What is handed to the thread; it answers with a `CleanArticle` or undefined. */
export interface CleanTask {
  readonly html: string
  readonly addresses: PageAddresses
  readonly names: Finishing['names']
}

const { html, addresses, names } = workerData as CleanTask
parentPort?.postMessage(cleanArticle(html, { localise: createLocaliseLink(addresses), names }))
