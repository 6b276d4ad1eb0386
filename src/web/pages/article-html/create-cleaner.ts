import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { packageFile } from '../../../core/package-files.ts'
import type { EmbedHost } from '../../../core/embed-hosts.ts'
import { storedFileNamesIn } from '../../../core/stored-file-names.ts'
import type { PageAddresses } from '../page-addresses.ts'
import type { ArticlePage } from '../page-source.ts'
import type { Messages } from '../../../core/page-messages.ts'
import { cleanArticle, type CleanArticle, loadHighlighter } from './clean-article.ts'
import type { CleanTask } from './clean-worker.ts'
import type { Finishing } from './finish-tree.ts'
import { createLocaliseLink } from './localise-link.ts'
import { type ArticleLimits, SHOWN } from './parse-article.ts'
import { errorCodeOf } from '../../../core/error-code.ts'

/** An article, or the text of a category. */
type CleanedPage = Pick<ArticlePage, 'id' | 'language' | 'version' | 'isDraft' | 'readHtml' | 'pictureSizes'>

export type CleanPage = (article: CleanedPage, words: Messages) => Promise<CleanArticle | undefined>

const KEPT_ARTICLES = 200

/** Limits memory, together with the number of articles. The latest one is always kept. */
const KEPT_CHARACTERS = 20_000_000

/**
 * Articles up to this size, nearly all of them, are sanitised synchronously, in some 20 ms. Larger ones use a thread.
 */
const AT_ONCE: ArticleLimits = { characters: 100_000, text: 100_000, nodes: 5000 }

/** Maximum number of pictures whose size is looked up. */
const MOST_PICTURES = 1000

/** Far more than the largest tree needs. */
const WORKER_MEMORY_MB = 512

/**
 * Sanitises articles, and caches the latest results, including failures: parsing takes most of the time of a page.
 * Large ones are read and sanitised one at a time, so that few are in memory.
 */
export function createCleaner(addresses: PageAddresses, embeds: readonly EmbedHost[] = []): CleanPage {
  const localise = createLocaliseLink(addresses)
  const oneAtATime = pLimit(1)
  const kept = new Map<string, CleanArticle | undefined>()
  const running = new Map<string, Promise<CleanArticle | undefined>>()
  let keptCharacters = 0

  function take(key: string): CleanArticle | undefined {
    const clean = kept.get(key)
    if (kept.delete(key)) keptCharacters -= sizeOf(clean)
    return clean
  }

  function keep(key: string, clean: CleanArticle | undefined): void {
    kept.set(key, clean)
    keptCharacters += sizeOf(clean)
    // A map returns its keys in insertion order: the first is the least recently used.
    for (const oldest of kept.keys()) {
      if (oldest === key || (kept.size <= KEPT_ARTICLES && keptCharacters <= KEPT_CHARACTERS)) return
      take(oldest)
    }
  }

  async function prepare(article: CleanedPage, messages: Messages): Promise<CleanArticle | undefined> {
    const { table, done, open, copy, copied, note, tip, important, warning, caution } = messages
    const names = { table, done, open, copy, copied, note, tip, important, warning, caution }
    const cleaned = await cleanAtOnce(article, { localise, names, embeds })
    if (cleaned !== undefined) return cleaned
    return oneAtATime(async () => {
      const large = await article.readHtml(SHOWN.characters)
      if (large === undefined) return undefined
      const largePictures = await picturesOf(article, large)
      return cleanInThread({ html: large, addresses, names, embeds, pictures: largePictures })
    })
  }

  return (article, words) => {
    const { id, language, version, isDraft } = article
    const key = JSON.stringify([id, language, version, isDraft, words.language])
    if (kept.has(key)) {
      const known = take(key)
      keep(key, known)
      return Promise.resolve(known)
    }
    const begun =
      running.get(key) ??
      prepare(article, words)
        .then((cleaned) => {
          keep(key, cleaned)
          return cleaned
        })
        .finally(() => running.delete(key))
    running.set(key, begun)
    return begun
  }
}

/** Sanitises an article in this thread; undefined if that would take too long. */
async function cleanAtOnce(
  article: CleanedPage,
  finishing: Pick<Finishing, 'localise' | 'names' | 'embeds'>,
): Promise<CleanArticle | undefined> {
  const html = await article.readHtml(AT_ONCE.characters)
  if (html === undefined) return undefined
  const highlight = await loadHighlighter(html)
  return cleanArticle(html, { ...finishing, highlight, pictures: await picturesOf(article, html) }, AT_ONCE)
}

/** Returns the sizes of the stored pictures that an article shows. */
async function picturesOf(article: CleanedPage, html: string): Promise<CleanTask['pictures']> {
  const names = storedFileNamesIn(html, MOST_PICTURES)
  return (await article.pictureSizes?.(names)) ?? new Map()
}

async function cleanInThread(task: CleanTask): Promise<CleanArticle | undefined> {
  const worker = new Worker(packageFile('dist/web/pages/article-html/clean-worker.js'), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_MEMORY_MB },
  })
  try {
    const [cleaned] = (await once(worker, 'message')) as [CleanArticle | undefined]
    return cleaned
  } catch (error) {
    // No article needs more memory, so it cannot be shown.
    if (errorCodeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY') return undefined
    throw error
  } finally {
    await worker.terminate()
  }
}

function sizeOf(clean: CleanArticle | undefined): number {
  return clean?.html.length ?? 0
}
