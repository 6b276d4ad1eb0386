import { join } from 'node:path'
import type { OnConflict } from '../../core/config/schema.ts'
import type { LoadedContent } from '../../content/pipeline/load-content.ts'
import { readBytes } from '../../content/source/read-source.ts'
import { digest } from '../../core/digest.ts'
import type { FoundEdit } from './find-edits.ts'
import type { IncomingEdit } from './incoming.ts'
import { EDITED_ON_BOTH_SIDES, type PulledFile } from './pull-options.ts'
import type { FileReports } from './pulled-file.ts'

interface SortOptions {
  readonly contentRoot: string
  readonly onConflict: OnConflict
  readonly includes: LoadedContent['includes']
}

/** Reads the files to change, and reports those that stay as they are. */
export function partitionEdits(
  found: readonly FoundEdit[],
  reports: FileReports,
  { contentRoot, onConflict, includes }: SortOptions,
): { readonly incoming: readonly IncomingEdit[]; readonly left: readonly PulledFile[] } {
  const incoming: IncomingEdit[] = []
  const left: PulledFile[] = []
  for (const each of found) {
    const { article } = each.resolved
    const id = each.kind === 'edited' ? each.remote.id : each.entry.id
    const subject = { source: article.source, slug: article.slug, language: article.language, id }
    if (each.kind === 'gone') left.push(reports.skipped(subject, GONE))
    else if (each.kind === 'draft') left.push(reports.skipped(subject, 'it has an open draft on the target'))
    else if (each.decision.text && includes.has(article.source))
      left.push(
        reports.conflict(
          subject,
          reasonOfIncludes([...(includes.get(article.source)?.keys() ?? [])]),
          each.decision,
        ),
      )
    else if (each.decision.kind === 'conflict' && onConflict !== 'overwrite')
      left.push(reports.conflict(subject, EDITED_ON_BOTH_SIDES, each.decision))
    else {
      const before = readUnchanged(contentRoot, article)
      if (before === undefined) left.push(reports.conflict(subject, CHANGED_MEANWHILE, each.decision))
      else incoming.push(toIncoming(each, before, onConflict === 'overwrite'))
    }
  }
  return { incoming, left }
}

function reasonOfIncludes(sources: readonly string[]): string {
  const [first = '', ...others] = sources
  const files = others.length === 0 ? first : `${first} and ${others.length} more`
  return `it includes ${files}: make the same edit there or in the article by hand, then run kb sync --on-conflict overwrite`
}

const GONE = 'it was deleted on the target; the file is kept, and kb sync would send it again'

export const CHANGED_MEANWHILE = 'the file was changed while kb pull ran; run it again'

/** The text of a file, if it has not changed since it was compiled. */
export function readUnchanged(
  contentRoot: string,
  { source, sourceHash }: { readonly source: string; readonly sourceHash: string },
): string | undefined {
  const read = readBytes(join(contentRoot, source))
  return read.kind === 'bytes' && digest(read.bytes) === sourceHash ? read.bytes.toString('utf8') : undefined
}

function toIncoming(
  { resolved, remote, html, decision }: Extract<FoundEdit, { kind: 'edited' }>,
  before: string,
  mayLose: boolean,
): IncomingEdit {
  const { fields, text } = decision
  return {
    kind: 'edit',
    source: resolved.article.source,
    before,
    article: resolved.article,
    remote,
    html,
    fields,
    text,
    isForced: decision.kind === 'conflict',
    mayLose,
  }
}
