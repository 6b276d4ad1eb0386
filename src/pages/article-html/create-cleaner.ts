import type { PageAddresses } from '../page-addresses.ts'
import type { ArticlePage } from '../page-source.ts'
import type { Words } from '../words.ts'
import { cleanArticle, type CleanArticle } from './clean-article.ts'
import { createLocaliseLink } from './localise-link.ts'

export type CleanPage = (article: ArticlePage, words: Words) => CleanArticle | undefined

const KEPT_ARTICLES = 200

/** Together with the number, what bounds the memory. The latest is kept in any case. */
const KEPT_CHARACTERS = 20_000_000

/** Cleans articles, and keeps the latest, or that they cannot be shown: parsing is what takes the time of a page. */
export function createCleaner(addresses: PageAddresses): CleanPage {
  const localise = createLocaliseLink(addresses)
  const kept = new Map<string, CleanArticle | undefined>()
  let keptCharacters = 0

  function take(key: string): CleanArticle | undefined {
    const clean = kept.get(key)
    if (kept.delete(key)) keptCharacters -= sizeOf(clean)
    return clean
  }

  function keep(key: string, clean: CleanArticle | undefined): void {
    kept.set(key, clean)
    keptCharacters += sizeOf(clean)
    // A map gives its keys in the order in which they were set: the first is the one that was not asked for longest.
    for (const oldest of kept.keys()) {
      if (oldest === key || (kept.size <= KEPT_ARTICLES && keptCharacters <= KEPT_CHARACTERS)) return
      take(oldest)
    }
  }

  return (article, words) => {
    const { id, language, version, isDraft } = article
    const key = JSON.stringify([id, language, version, isDraft, words.language])
    const names = { table: words.table, done: words.done, open: words.open }
    const clean = kept.has(key) ? take(key) : cleanArticle(article.html, { localise, names })
    keep(key, clean)
    return clean
  }
}

function sizeOf(clean: CleanArticle | undefined): number {
  return clean?.html.length ?? 0
}
