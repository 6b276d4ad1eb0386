import { readdirSync } from 'node:fs'
import type { ApiClient } from '../../api/client/create-client.ts'
import type { Settings } from '../../core/config/settings.ts'
import { createSourceFilter } from '../../content/source/find-sources.ts'
import { createFileNames } from '../../content/write-back/create-file-namer.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import { slugKey } from '../../core/model/slug-key.ts'
import { entryOfRemote, type RemoteEntry } from '../../sync/plan/remote-entry.ts'
import type { PlannedRun } from '../../sync/plan-run/planned-run.ts'
import { toRemoteArticle } from '../../sync/remote/to-remote.ts'
import type { IncomingArticle } from './proposed-file.ts'
import type { PulledFile, FileReports } from './pulled-files.ts'

/**
 * Reads the articles that exist only on the target, and chooses a new file for each in the content folder. Reports those
 * with the slug of a file in any case: one may be its article, without marker and state.
 */
export async function readNewcomers(
  { entries, matches }: PlannedRun,
  documents: readonly LocalArticle[],
  client: ApiClient,
  reports: FileReports,
  settings: Settings & { readonly takesNew: boolean; readonly isSelected: (source: string) => boolean },
): Promise<{ readonly incoming: readonly IncomingArticle[]; readonly left: readonly PulledFile[] }> {
  const chosen = chooseNewcomers(entries, documents)
  const { takesNew, isSelected } = settings
  const isOfInterest = ({ source }: Holder) => (source === undefined ? takesNew : isSelected(source))
  const left = chosen.flatMap((each) =>
    each.kind === 'conflict' && isOfInterest(each.holder)
      ? [reports.conflict({ ...each.entry, ...each.holder }, each.reason)]
      : [],
  )
  if (!takesNew) return { incoming: [], left }
  const toRead = chosen.flatMap((each) => (each.kind === 'create' ? [each.entry] : []))
  const read = await Promise.all(toRead.map((entry) => readForeign(entry, client, settings)))
  const isIncluded = await createSourceFilter(settings.include, settings.exclude)
  const nameFile = createNamer(settings.contentRoot)
  const sources = new Map([...matches.entryOf].map(([source, { id }]) => [id, source]))
  const incoming: IncomingArticle[] = []
  for (const each of read.flatMap((one) => one ?? [])) {
    const { remote } = each
    const subject = { ...remote, slug: remote.fields.slug }
    const source = nameFile(remote)
    if (remote.draftId !== undefined)
      left.push(reports.skipped(subject, 'it has an open draft on the target'))
    else if (!isIncluded(source))
      left.push(reports.skipped(subject, `include and exclude in kb.config.ts leave ${source} out`))
    else {
      // Originals come first, so the file of this article's original is known.
      const original = remote.languageParent === undefined ? undefined : sources.get(remote.languageParent)
      sources.set(remote.id, source)
      incoming.push({ kind: 'new', source, ...each, original })
    }
  }
  return { incoming, left }
}

/** Returns undefined if it is gone or now belongs to a project. */
async function readForeign(
  { id }: RemoteEntry,
  client: ApiClient,
  { project, defaultLanguage }: Settings,
): Promise<{ readonly remote: RemoteArticle; readonly html: string } | undefined> {
  const read = await client.readArticle(id)
  if (read === undefined) return undefined
  const remote = toRemoteArticle(read, defaultLanguage)
  const { ours, project: owner } = entryOfRemote(remote, project)
  return ours === undefined && owner === undefined ? { remote, html: read.data.content ?? '' } : undefined
}

/** Names files by slug, made safe; for a translation, with its language. */
function createNamer(contentRoot: string): (remote: RemoteArticle) => string {
  const nameFile = createFileNames(readdirSync(contentRoot).map((name) => name.replace(/\.md$/i, '')))
  return ({ fields: { slug }, language }) =>
    `${nameFile(language === null ? slug : `${slug}.${language}`)}.md`
}

type Newcomer =
  | { readonly kind: 'create'; readonly entry: RemoteEntry }
  /** Its slug is taken by a file or by another new article. */
  | {
      readonly kind: 'conflict'
      readonly entry: RemoteEntry
      readonly holder: Holder
      readonly reason: string
    }

interface Holder {
  readonly source?: string
}

/**
 * Finds the articles that exist only on the target and may become files: those without a project that are not drafts of
 * other articles. Originals precede their translations. Pure.
 */
function chooseNewcomers(entries: readonly RemoteEntry[], documents: readonly LocalArticle[]): Newcomer[] {
  const draftIds = new Set(entries.flatMap(({ remote }) => remote?.draftId ?? []))
  const holders = new Map<string, Holder>(
    documents.map((document) => [slugKey(document), { source: document.source }]),
  )
  return entries
    .filter(({ id, ours, project }) => ours === undefined && project === undefined && !draftIds.has(id))
    .toSorted(byRank)
    .map((entry) => {
      const holder = holders.get(slugKey(entry))
      if (holder !== undefined) return { kind: 'conflict', entry, holder, reason: reasonOf(entry, holder) }
      holders.set(slugKey(entry), {})
      return { kind: 'create', entry }
    })
}

function reasonOf({ slug }: RemoteEntry, { source }: Holder): string {
  return source === undefined
    ? 'two articles on the target have this slug'
    : `a file has this slug, but neither a marker nor the state shows that the article is its own; kb sync --adopt ${slug} overwrites the article`
}

function byRank(a: RemoteEntry, b: RemoteEntry): number {
  const rank = ({ languageParent }: RemoteEntry) => (languageParent === undefined ? 0 : 1)
  return rank(a) - rank(b) || (a.slug < b.slug ? -1 : a.slug > b.slug ? 1 : a.id < b.id ? -1 : 1)
}
