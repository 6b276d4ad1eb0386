import type { SettledDraft, RejectedDraft } from './validate-proposals.ts'
import type { FieldName } from '../../core/model/article-fields.ts'
import { keyOfField } from './frontmatter-changes.ts'
import type { Incoming } from './proposed-file.ts'
import type { PulledFile, PullSummary } from './pull-options.ts'

interface Subject {
  /** Omitted for an article without a file. */
  readonly source?: string
  readonly slug: string
  readonly language: string | null
  readonly id: string
}

/** Creates the results for files in this run. */
export interface FileReports {
  readonly skipped: (subject: Subject, reason: string) => PulledFile
  readonly conflict: (
    subject: Subject,
    reason: string,
    parts?: { readonly fields: readonly FieldName[]; readonly text: boolean },
  ) => PulledFile
  readonly drafted: (draft: SettledDraft, outcome: PulledFile['outcome'], reason?: string) => PulledFile
  readonly rejected: (draft: RejectedDraft) => PulledFile
}

/** @param contentPrefix path of the content folder, '' or with a slash at its end */
export function createFileReports(contentPrefix: string, dryRun: boolean): FileReports {
  const subjectOf = ({ source, slug, language, id }: Subject) => ({
    file: source === undefined ? undefined : `${contentPrefix}${source}`,
    slug,
    language,
    id,
  })
  const nothing = { fields: [], text: false }
  const skipped: FileReports['skipped'] = (subject, reason) => ({
    action: 'skip',
    ...subjectOf(subject),
    outcome: 'skipped',
    ...nothing,
    reason,
  })
  const conflict: FileReports['conflict'] = (subject, reason, parts = nothing) => ({
    action: 'conflict',
    ...subjectOf(subject),
    outcome: dryRun ? 'planned' : 'skipped',
    ...partsOf(parts),
    reason,
  })
  return {
    skipped,
    conflict,
    drafted: ({ incoming, text, lost }, outcome, reason) => ({
      action: incoming.kind === 'new' ? 'create' : 'update',
      ...subjectOf(subjectOfIncoming(incoming)),
      outcome,
      ...(incoming.kind === 'new' ? { fields: [], text: true } : partsOf(incoming)),
      ...(reason !== undefined && { reason }),
      ...(lost.length > 0 && { lost }),
      change: { before: incoming.kind === 'new' ? undefined : incoming.before, after: text },
    }),
    rejected: ({ incoming, reason }) => {
      const { source, ...subject } = subjectOfIncoming(incoming)
      return incoming.kind === 'new'
        ? skipped(subject, reason)
        : conflict({ ...subject, source }, reason, incoming)
    },
  }
}

function partsOf({ fields, text }: { readonly fields: readonly FieldName[]; readonly text: boolean }) {
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
