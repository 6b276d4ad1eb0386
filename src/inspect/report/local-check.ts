import { parseUrl } from '../../core/parse-url.ts'
import { checkExternalLinks, linkMemoryFile } from '../check/external/check-external-links.ts'
import { openLinkMemory } from '../check/external/link-memory.ts'
import { toWebAddress } from '../check/external/web-address.ts'
import type { Observation } from '../../api/link-probe/observation.ts'
import { pluralize } from '../../core/pluralize.ts'
import { addressKey, keyWithoutFragment, plainAddress } from './addresses.ts'
import type { KnownFile } from './join/join.ts'
import type { ReportContent } from './open-report-content.ts'
import type { LocalCheck, LocalVerdict } from './join/collect-links.ts'
import type { TargetRead } from './read-target.ts'
import type { ReportTask } from './report-task.ts'
import { statusLine } from '../../core/status-line.ts'

type Found = Pick<TargetRead, 'identified' | 'reviews'>

interface LocalParts {
  readonly content: Pick<ReportContent, 'readExternalLinks' | 'leavesNoTrace'>
  /** By source. */
  readonly files: ReadonlyMap<string, KnownFile>
  readonly isSelected: (source: string) => boolean
}

/**
 * Prepares the checks on this machine: stored results of `kb check --external`, or current responses of other sites,
 * and the URLs of the files.
 *
 * @throws KbError INTERRUPTED
 */
export async function openLocalCheck(parts: LocalParts, task: ReportTask) {
  const { recall, notes } = await openOutside(parts, task)
  const outside = createCheckOutside(recall)
  return {
    /** Creates the check when the articles of the files are known. */
    judge: (found: Found) => {
      const within = createCheckWithin(knownAddresses(parts, found, task))
      return remembered((url) => within(url) ?? outside(url))
    },
    notes,
  }
}

async function openOutside(
  { content: { readExternalLinks, leavesNoTrace }, isSelected }: LocalParts,
  { settings, ignoredLinks, external, now, onProgress, signal }: ReportTask,
): Promise<{
  readonly recall: (address: string) => Observation | undefined
  readonly notes: readonly string[]
}> {
  if (external === undefined) return { recall: recallAll(settings.root, () => now().getTime()), notes: [] }
  const links = readExternalLinks()
  const { seen, summary } = await checkExternalLinks({
    ...external,
    settings: { ...settings, ignoredLinks },
    links: links.filter(({ source, link }) => isSelected(link.source ?? source)),
    leavesNoTrace,
    now,
    onProgress,
    signal,
  })
  const { unknown, isOffline } = summary
  const why =
    isOffline === true
      ? 'no host could be reached.'
      : 'the host is busy, requires a sign-in, or has a private address (--check-private-links includes those).'
  const note = `${pluralize(unknown, 'link')} to other sites could not be checked from here: ${why}`
  return { recall: (address) => seen.get(address), notes: unknown === 0 ? [] : [note] }
}

/** Returns the results of earlier checks, including private addresses. Requests nothing. */
function recallAll(root: string, nowMs: () => number): (address: string) => Observation | undefined {
  const memories = [false, true].map((isPrivate) => openLinkMemory(linkMemoryFile(root, isPrivate), nowMs))
  return (address) => {
    const seen = memories.flatMap(({ recall }) => recall(address) ?? [])
    // A check that was not allowed to request the URL has no result.
    return seen.find(({ kind }) => kind === 'works' || kind === 'broken')
  }
}

/** Returns the known URLs. They are incomplete if articles on the target have no file, or files are unreadable. */
function knownAddresses(
  { files }: LocalParts,
  { identified, reviews }: Found,
  { settings: { articleUrl, defaultLanguage }, target }: ReportTask,
): KnownAddresses {
  const all = [...files.values()]
  const isWhole = reviews.hasNoOthers && all.every(({ document }) => document !== undefined)
  const languages = new Set(all.map(({ document }) => document?.language ?? defaultLanguage))
  const onTarget = new Set(identified.sourceOf.values())
  const articles = all.flatMap(({ source, url, document }): AddressedArticle[] => {
    if (url === undefined || document === undefined) return []
    const published = onTarget.has(source) ? 'published' : 'missing'
    const standing = document.status === 'draft' ? 'draft' : published
    const language = document.language ?? defaultLanguage
    // Links of articles have the URL of `links.article`, but people copy the public one.
    const linked = articleUrl({ slug: document.slug, language })
    return linked === url ? [{ url, standing }] : [linked, url].map((each) => ({ url: each, standing }))
  })
  const orphans = identified.orphans.map(({ slug, language }): AddressedArticle => {
    return { url: articleUrl({ slug, language: language ?? defaultLanguage }), standing: 'orphan' }
  })
  return {
    articles: [...articles, ...orphans],
    site: target.kind === 'remote' ? target.url : undefined,
    addressesOf: isWhole
      ? (slug) => [...languages].map((language) => articleUrl({ slug, language }))
      : undefined,
  }
}

/** Checks external links with stored results. @param recall by `toWebAddress` */
function createCheckOutside(recall: (address: string) => Observation | undefined): LocalCheck {
  return (url) => {
    const address = toWebAddress(plainAddress(url))
    const seen = address === undefined ? undefined : recall(address)
    if (seen?.kind === 'works')
      return { localSays: 'works', reason: seen.status === null ? 'it answered' : statusLine(seen.status) }
    if (seen?.kind === 'broken') return { localSays: 'broken', reason: seen.reason }
    // The host is busy or denies access, so there is no result.
    return undefined
  }
}

/** An article of this knowledge base with its URL. */
interface AddressedArticle {
  readonly url: string
  readonly standing: 'published' | 'draft' | 'missing' | 'orphan'
}

interface KnownAddresses {
  readonly articles: Iterable<AddressedArticle>
  /** URL of the target, if it is a URL of a site: everything on its host belongs to the knowledge base. */
  readonly site: string | undefined
  /**
   * Returns the URLs that an article with this slug may have. Undefined if the target has foreign articles, whose URLs
   * no file may have.
   */
  readonly addressesOf: ((slug: string) => readonly string[]) | undefined
}

/**
 * Checks internal links: whether an article of a file has the URL. URLs of articles without file are known to work. Any
 * other URL is broken only if no foreign article can have it.
 */
function createCheckWithin({ articles, site, addressesOf }: KnownAddresses): LocalCheck {
  const keyOf = createKeyOf(site)
  const known = new Map<string, LocalVerdict | undefined>()
  for (const { url, standing } of articles) {
    const key = keyOf(url)
    // Another file may have the URL of an orphan now.
    if (standing !== 'orphan' || !known.has(key)) known.set(key, VERDICTS[standing])
  }
  return (url) => {
    const whole = keyWithoutFragment(keyOf(url))
    const path = whole.split('?', 1)[0] ?? ''
    const key = known.has(whole) ? whole : path
    if (known.has(key) || addressesOf === undefined) return known.get(key)
    const slug = path.replace(/^.*\//s, '')
    if (slug === '') return undefined
    return addressesOf(slug).some((address) => keyOf(address) === path) ? NOWHERE : undefined
  }
}

/** The key of a URL on the site's host is that of its path. */
function createKeyOf(site: string | undefined): (url: string) => string {
  const { origin } = (site === undefined ? undefined : parseUrl(site)) ?? {}
  if (origin === undefined) return addressKey
  const start = `${origin}/`
  return (url) => {
    const key = addressKey(url)
    return key.startsWith(start) ? key.slice(origin.length) : key
  }
}

const NOWHERE: LocalVerdict = { localSays: 'broken', reason: 'no article of these files has this URL' }

const VERDICTS: Record<AddressedArticle['standing'], LocalVerdict | undefined> = {
  published: { localSays: 'works', reason: 'a published article of these files' },
  missing: { localSays: 'works', reason: 'an article of these files that is not on the target yet' },
  // The target decides whether readers see it.
  draft: undefined,
  orphan: { localSays: 'broken', reason: 'the article is on the target, but its file is gone' },
}

/** Number of URLs whose result is cached. Most links lead to the same URLs as others. */
const MOST_REMEMBERED = 50_000

function remembered(check: LocalCheck): LocalCheck {
  const known = new Map<string, LocalVerdict | undefined>()
  return (url) => {
    const before = known.get(url)
    if (before !== undefined || known.has(url)) return before
    const verdict = check(url)
    if (known.size < MOST_REMEMBERED) known.set(url, verdict)
    return verdict
  }
}
