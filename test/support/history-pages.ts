// What people do to their files in the random histories, and what the target is to hold afterwards.
import * as fc from 'fast-check'
import type { LenientReadArticle } from '../../src/api/contract/lenient.ts'
import { article, type Files } from './project.ts'
import type { ServiceHabits, StoredArticle } from './strict-service.ts'

export const SLUGS = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
const LANGUAGES = [null, 'fr', 'de'] as const

export interface Page {
  readonly title: string
  readonly slug: string
  readonly order: number
  readonly status: string
  readonly words: string
  readonly language: string | null
  /** Name of the file that it may be a translation of. */
  readonly of: string | undefined
}

export const NEW_PAGE = { order: 0, status: 'draft', words: 'New words.', language: null, of: undefined }

export type Edit =
  | { readonly kind: 'add'; readonly page: number; readonly slug: number; readonly title: number }
  | {
      readonly kind: 'words' | 'order' | 'status' | 'move' | 'delete'
      readonly page: number
      readonly value: number
    }
  | { readonly kind: 'slug' | 'rename'; readonly page: number; readonly slug: number }
  | { readonly kind: 'title'; readonly page: number; readonly title: number }
  | { readonly kind: 'language' | 'translates'; readonly page: number; readonly value: number }

const page = fc.nat(9)
const slug = fc.nat(SLUGS.length - 1)
const title = fc.nat(2)
const plainEdits: fc.WeightedArbitrary<Edit>[] = [
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), page, slug, title }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(...(['words', 'order', 'status', 'move', 'delete'] as const)),
      page,
      value: fc.nat(5),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('slug' as const, 'rename' as const), page, slug }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('title' as const), page, title }) },
]
const languageEdit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('language' as const, 'translates' as const),
  page,
  value: fc.nat(5),
})
export const plainEdit: fc.Arbitrary<Edit> = fc.oneof(...plainEdits)

/** With languages and translations among them. */
export const anyEdit: fc.Arbitrary<Edit> = fc.oneof(...plainEdits, { weight: 5, arbitrary: languageEdit })

/** Pages by file name, after one edit; a slug that is taken in a language is swapped with its holder. */
export function apply(pages: ReadonlyMap<string, Page>, change: Edit): Map<string, Page> {
  const next = new Map(pages)
  if (change.kind === 'add') {
    const free = SLUGS.filter((each) => ![...pages.values()].some((other) => other.slug === each))
    const chosen = free[change.slug % Math.max(1, free.length)]
    const name = `page-${change.page}.md`
    const added = { ...NEW_PAGE, title: `Title ${change.title}` }
    if (chosen !== undefined && !pages.has(name)) next.set(name, { ...added, slug: chosen })
    return next
  }
  const entry = [...pages][change.page % Math.max(1, pages.size)]
  if (entry === undefined) return next
  const [name, old] = entry
  switch (change.kind) {
    case 'words':
      return next.set(name, { ...old, words: `Words number ${change.value}.` })
    case 'order':
      return next.set(name, { ...old, order: change.value })
    case 'status':
      return next.set(name, { ...old, status: change.value % 2 === 0 ? 'draft' : 'published' })
    case 'title':
      return next.set(name, { ...old, title: `Title ${change.title}` })
    case 'slug': {
      const wanted = SLUGS[change.slug] ?? ''
      const holder = findPage(pages, wanted, old.language)
      if (holder !== undefined) next.set(holder[0], { ...holder[1], slug: old.slug })
      return next.set(name, { ...old, slug: wanted })
    }
    case 'move': {
      const moved = `folder-${change.value}/${name.split('/').at(-1)}`
      if (pages.has(moved)) return next
      return moveFile(next, name, moved, old)
    }
    case 'rename': {
      const free = SLUGS[change.slug] ?? ''
      const moved = `renamed/${free}.md`
      if (pages.has(moved) || findPage(pages, free, old.language) !== undefined) return next
      return moveFile(next, name, moved, { ...old, slug: free })
    }
    case 'language': {
      const language = LANGUAGES[change.value % LANGUAGES.length] ?? null
      if (findPage(pages, old.slug, language) !== undefined) return next
      return next.set(name, { ...old, language })
    }
    case 'translates':
      return next.set(name, { ...old, of: [...pages.keys(), undefined][change.value % (pages.size + 1)] })
    case 'delete':
      // Without any article left, prune deletes nothing.
      if (pages.size > 1) next.delete(name)
      return next
  }
}

function moveFile(pages: Map<string, Page>, name: string, moved: string, then: Page): Map<string, Page> {
  pages.delete(name)
  for (const [other, each] of pages) if (each.of === name) pages.set(other, { ...each, of: moved })
  return pages.set(moved, then)
}

function findPage(pages: ReadonlyMap<string, Page>, at: string, language: string | null) {
  return [...pages].find(([, other]) => other.slug === at && other.language === language)
}

/** Which page is a translation of which, as files may say it: of one that is none, once into each language. */
function originalsOf(pages: ReadonlyMap<string, Page>): Map<string, string> {
  const originals = new Map<string, string>()
  const taken = new Set<string>()
  for (const [name, { of = '', language }] of pages) {
    const original = pages.get(of)
    const isChain = originals.has(of) || [...originals.values()].includes(name)
    if (original === undefined || original.language === language || isChain) continue
    if (taken.has(`${of} ${language}`)) continue
    taken.add(`${of} ${language}`)
    originals.set(name, of)
  }
  return originals
}

/** The files of these pages. */
export function toFiles(pages: ReadonlyMap<string, Page>): Files {
  const originals = originalsOf(pages)
  return Object.fromEntries(
    [...pages].map(([name, { title: heading, slug: at, order, status, words, language }]) => {
      const fields = { slug: at, order, status, language: language ?? undefined }
      return [
        `content/${name}`,
        article(heading, { ...fields, translationOf: originals.get(name), body: words }),
      ]
    }),
  )
}

/** What the service is to hold, each article with the address of its original. */
export function asWanted(pages: ReadonlyMap<string, Page>): object[] {
  const originals = originalsOf(pages)
  return [...pages]
    .map(([name, each]) => {
      const { of: _, ...fields } = each
      const original = pages.get(originals.get(name) ?? '')
      return { ...fields, original: original === undefined ? undefined : addressOf(original) }
    })
    .toSorted(byAddress)
}

export interface HeldArticle extends Omit<Page, 'of'> {
  readonly id: string
  readonly originalId: string
}

/** What the service holds, in the same words. */
export function asPages(articles: readonly HeldArticle[]): object[] {
  const byId = new Map(articles.map((each) => [each.id, each]))
  return articles
    .map((each) => {
      const { id: _, originalId, ...fields } = each
      const original = byId.get(originalId)
      return { ...fields, original: original === undefined ? undefined : addressOf(original) }
    })
    .toSorted(byAddress)
}

export function toHeld({ languageParent, content, ...stored }: StoredArticle): HeldArticle {
  const { id, title: name, slug: at, order, status, language } = stored
  return {
    id,
    title: name,
    slug: at,
    order,
    status,
    language,
    words: wordsOf(content),
    originalId: languageParent,
  }
}

export function toHeldFromWire(data: LenientReadArticle['data']): HeldArticle {
  return {
    id: data.id,
    title: data.name ?? '',
    slug: data.slug ?? '',
    order: data.order_by ?? 0,
    status: data.status ?? '',
    language: data.language ?? null,
    words: wordsOf(data.content ?? ''),
    originalId: data.language_parent ?? '',
  }
}

/** A page as a service of these habits stores it. */
export function asStored(given: Page, { alters = (body) => body }: ServiceHabits): Page {
  const { title: name, slug: at, order: ordering, words } = given
  const content = `<p>${words}</p>`
  const plain = { excerpt: '', status: 'draft', categories: [] } as const
  const stored = alters({ ...plain, title: name, slug: at, ordering, content })
  return {
    ...given,
    title: stored.title,
    slug: stored.slug,
    order: stored.ordering,
    words: wordsOf(stored.content),
  }
}

const wordsOf = (content: string) => content.replaceAll(/<[^>]*>/g, '').trim()

const addressOf = ({ slug: at, language }: Pick<Page, 'slug' | 'language'>) => `${at} ${language ?? ''}`

const byAddress = (a: Pick<Page, 'slug' | 'language'>, b: Pick<Page, 'slug' | 'language'>) =>
  addressOf(a) < addressOf(b) ? -1 : 1
