import type { OnConflict } from '../../core/config/schema.ts'
import type { RequestCounts } from '../../api/client/request-counter.ts'
import type { KbError } from '../../core/errors/kb-error.ts'
import type { Diagnostic } from '../../core/model/diagnostic.ts'
import type { Outcome, Summary } from '../../core/model/plan.ts'
import type { OpenContent } from '../../sync/open-content.ts'
import type { TargetRun, TargetSession } from '../../sync/target-session.ts'
import type { FileDigests } from '../../content/source/hash-sources.ts'
import type { FoundSources } from '../../content/source/find-sources.ts'
import type { TargetState } from '../../core/model/target-state.ts'
import type { LocalArticle } from '../../core/model/document.ts'
import type { RemoteArticle } from '../../core/model/remote-article.ts'
import type { FieldName } from '../../core/model/article-fields.ts'
import { keyOfField } from './frontmatter-changes.ts'

export interface PullContentOptions extends TargetRun {
  /** True if no file may change. */
  readonly dryRun: boolean
  /** `overwrite`: if both sides changed the same, the target's version is written to the file. */
  readonly onConflict: OnConflict
  /** True if articles that exist only on the target are ignored. */
  readonly editsOnly: boolean
  /** Selects files; default: all. If set, no new files are created. */
  readonly isSelected?: ((source: string) => boolean) | undefined
}

/** An edit on the target to be written to a file. */
export interface IncomingEdit {
  readonly kind: 'edit'
  readonly source: string
  /** The file's text as read. */
  readonly before: string
  readonly article: LocalArticle
  readonly remote: RemoteArticle
  /** The HTML on the target. */
  readonly html: string
  readonly fields: readonly FieldName[]
  readonly text: boolean
  /** True if the user allowed overwriting something in the file. */
  readonly isForced: boolean
  /** True if parts that the file cannot contain may be left out. */
  readonly mayLose: boolean
}

/** An article of the target that becomes a new file. */
export interface IncomingArticle {
  readonly kind: 'new'
  readonly source: string
  readonly remote: RemoteArticle
  readonly html: string
  /** Source of the file of its original. */
  readonly original: string | undefined
}

export type Incoming = IncomingEdit | IncomingArticle

export interface ProposedFile {
  /** The whole file. */
  readonly text: string
  /** Descriptions of the parts on the target that the file cannot contain. */
  readonly lost: readonly string[]
  /** Fields that the user's frontmatter mapping cannot write. */
  readonly unwritten?: readonly string[] | undefined
}

/** A text that can be written: together with all others, it passes `kb check` without errors. */
export interface AcceptedFile {
  readonly incoming: Incoming
  readonly text: string
  readonly article: LocalArticle
  /** Descriptions of the parts on the target that the file cannot contain. */
  readonly lost: readonly string[]
}

export interface RejectedFile {
  readonly incoming: Incoming
  readonly reason: string
}

type PullAction = 'update' | 'create' | 'conflict' | 'skip'

/** The reason of conflicts that `overwrite` resolves. Other conflicts contain their own advice. */
export const EDITED_ON_BOTH_SIDES = 'it was edited in the file and on the target'

export interface PulledFile {
  readonly action: PullAction
  /** Relative to the project, with `/`; undefined for an article without a file. */
  readonly file: string | undefined
  readonly slug: string
  readonly language: string | null
  readonly id: string
  readonly outcome: Outcome
  /** Frontmatter keys that are taken from the target or in conflict. */
  readonly fields: readonly string[]
  /** True if the text is taken from the target or in conflict. */
  readonly text: boolean
  /** A sentence without a full stop. */
  readonly reason?: string
  /** Backup of the overwritten file, relative to the project, with `/`. */
  readonly backup?: string | undefined
  /** Descriptions of the parts on the target that the file does not contain. */
  readonly lost?: readonly string[]
  /** The file's text before (undefined for a new file) and after, if it changes. */
  readonly change?: { readonly before: string | undefined; readonly after: string }
}

export type PullSummary = Omit<Summary, 'replaced' | 'deleted' | 'orphans'>

export interface PullResult {
  /** Name of the target. */
  readonly target: string
  readonly summary: PullSummary
  /** Files that change or need attention. Unchanged files are only counted. */
  readonly files: readonly PulledFile[]
  readonly diagnostics: readonly Diagnostic[]
  readonly requests: RequestCounts
  /** Why the run ended early. */
  readonly failure: KbError | undefined
}

/** The data of one run. */
export interface PullContext {
  readonly open: OpenContent
  readonly found: FoundSources
  /** Digests of the articles' bytes by source. */
  readonly hashes: FileDigests
  readonly state: TargetState
  readonly session: TargetSession
}

interface Subject {
  /** Omitted for an article without a file. */
  readonly source?: string
  readonly slug: string
  readonly language: string | null
  readonly id: string
}

interface Parts {
  readonly fields: readonly FieldName[]
  readonly text: boolean
}

/** Creates the results for files in this run. */
export type FileReports = ReturnType<typeof createFileReports>

/** @param contentPrefix path of the content folder, '' or with a trailing slash */
export function createFileReports(contentPrefix: string, dryRun: boolean) {
  const subjectOf = ({ source, slug, language, id }: Subject) => ({
    file: source === undefined ? undefined : `${contentPrefix}${source}`,
    slug,
    language,
    id,
  })
  const nothing = { fields: [], text: false }
  const skipped = (subject: Subject, reason: string): PulledFile => ({
    action: 'skip',
    ...subjectOf(subject),
    outcome: 'skipped',
    ...nothing,
    reason,
  })
  const conflict = (subject: Subject, reason: string, parts: Parts = nothing): PulledFile => ({
    action: 'conflict',
    ...subjectOf(subject),
    outcome: dryRun ? 'planned' : 'skipped',
    ...partsOf(parts),
    reason,
  })
  return {
    skipped,
    conflict,
    proposed: ({ incoming, text, lost }: AcceptedFile, outcome: Outcome, reason?: string): PulledFile => ({
      action: incoming.kind === 'new' ? 'create' : 'update',
      ...subjectOf(subjectOfIncoming(incoming)),
      outcome,
      ...(incoming.kind === 'new' ? { fields: [], text: true } : partsOf(incoming)),
      ...(reason !== undefined && { reason }),
      ...(lost.length > 0 && { lost }),
      change: { before: incoming.kind === 'new' ? undefined : incoming.before, after: text },
    }),
    rejected: ({ incoming, reason }: RejectedFile): PulledFile => {
      const { source, ...subject } = subjectOfIncoming(incoming)
      return incoming.kind === 'new'
        ? skipped(subject, reason)
        : conflict({ ...subject, source }, reason, incoming)
    },
  }
}

function partsOf({ fields, text }: Parts) {
  return { fields: fields.map(keyOfField), text }
}

function subjectOfIncoming({ source, remote }: Incoming) {
  const { id, language, fields } = remote
  return { source, slug: fields.slug, language, id }
}

/** @param documents number of files that the run selected */
export function summarisePull(files: readonly PulledFile[], documents: number): PullSummary {
  const count = (test: (file: PulledFile) => boolean) => files.filter(test).length
  const named = new Set(
    files.flatMap(({ action, file }) => (file === undefined || action === 'create' ? [] : [file])),
  )
  const isWritten = ({ outcome }: PulledFile) => outcome === 'done' || outcome === 'planned'
  const is = (action: PulledFile['action']) => (file: PulledFile) => file.action === action && isWritten(file)
  return {
    updated: count(is('update')),
    created: count(is('create')),
    unchanged: Math.max(0, documents - named.size),
    conflicts: count(({ action }) => action === 'conflict'),
    skipped: count(({ action, outcome }) => action !== 'conflict' && outcome === 'skipped'),
    failed: count(({ outcome }) => outcome === 'failed'),
  }
}
