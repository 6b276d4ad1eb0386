// A thread that sanitises one large article, so that only its request waits.
import { parentPort, workerData } from 'node:worker_threads'
import type { PageAddresses } from '../page-addresses.ts'
import { cleanArticle, loadHighlighter } from './clean-article.ts'
import type { Finishing } from './finish-tree.ts'
import { createLocaliseLink } from './localise-link.ts'

/** The input of the thread; it returns a `CleanArticle` or undefined. */
export interface CleanTask extends Pick<Finishing, 'names' | 'pictures'> {
  readonly html: string
  readonly addresses: PageAddresses
  readonly embeds: Finishing['embeds']
}

const { html, addresses, ...finishing } = workerData as CleanTask
const highlight = await loadHighlighter(html)
parentPort?.postMessage(
  cleanArticle(html, { ...finishing, localise: createLocaliseLink(addresses), highlight }),
)
