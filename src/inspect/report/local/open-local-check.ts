import { checkExternalLinks, linkMemoryFile } from '../../check/external/check-external-links.ts'
import { openLinkMemory } from '../../check/external/link-memory.ts'
import type { ReadContent } from '../../check/read-content.ts'
import type { Observation } from '../../../api/link-probe/observation.ts'
import { counted } from '../../../core/counted.ts'
import type { KnownFile } from '../join/known-files.ts'
import type { TargetRead } from '../read-target.ts'
import type { ReportTask } from '../report-task.ts'
import { createCheckOutside } from './check-outside.ts'
import { type AddressedArticle, createCheckWithin, type KnownAddresses } from './check-within.ts'
import { firstVerdict, type LocalCheck } from './local-check.ts'

type Found = Pick<TargetRead, 'identified' | 'reviews'>

export interface OpenLocalCheck {
  /** Judges links once it is known which file has which article. */
  readonly judge: (found: Found) => LocalCheck
  readonly notes: readonly string[]
}

interface LocalParts {
  readonly open: ReadContent
  /** By source. */
  readonly files: ReadonlyMap<string, KnownFile>
  readonly isSelected: (source: string) => boolean
}

/**
 * Prepares the judgement of this machine: what `kb check --external` remembers of other sites, or what they answer now,
 * and which addresses the files have.
 *
 * @throws KbError INTERRUPTED
 */
export async function openLocalCheck(parts: LocalParts, task: ReportTask): Promise<OpenLocalCheck> {
  const { recall, notes } = await openOutside(parts, task)
  const outside = createCheckOutside(recall)
  return {
    judge: (found) => firstVerdict(createCheckWithin(addressesOf(parts, found, task)), outside),
    notes,
  }
}

async function openOutside(
  { open: { content, leavesNoTrace }, isSelected }: LocalParts,
  { settings, ignoredLinks, external, now, onProgress, signal }: ReportTask,
): Promise<{
  readonly recall: (address: string) => Observation | undefined
  readonly notes: readonly string[]
}> {
  if (external === undefined) return { recall: recallAll(settings.root, () => now().getTime()), notes: [] }
  const links = content.readExternalLinks()
  const { seen, summary } = await checkExternalLinks({
    ...external,
    settings: { ...settings, ignoredLinks },
    links: links.filter(({ source, link }) => isSelected(link.source ?? source)),
    leavesNoTrace,
    now,
    onProgress,
    signal,
  })
  const { unknown } = summary
  const note = `${counted(unknown, 'link')} to other sites could not be judged from here: the host is busy, wants a sign-in, or is a private one (--check-private-links asks those, too).`
  return { recall: (address) => seen.get(address), notes: unknown === 0 ? [] : [note] }
}

/** What any check has seen, of private addresses, too: nobody is asked for it. */
function recallAll(root: string, nowMs: () => number): (address: string) => Observation | undefined {
  const memories = [false, true].map((isPrivate) => openLinkMemory(linkMemoryFile(root, isPrivate), nowMs))
  return (address) => {
    const seen = memories.flatMap(({ recall }) => recall(address) ?? [])
    // One that could not say anything, since it may not ask, is no answer.
    return seen.find(({ kind }) => kind === 'works' || kind === 'broken')
  }
}

/** What others have written is not in the files: where there is any of it, or a file cannot be read, not all is known. */
function addressesOf(
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
    const standing = onTarget.has(source) ? 'published' : 'missing'
    return [{ url, standing: document.status === 'draft' ? 'draft' : standing }]
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
