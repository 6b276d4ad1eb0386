import { writeArticleFile } from '../../content/write-back/file/write-article-file.ts'
import { KbError, reasonOf } from '../../core/errors/kb-error.ts'
import { backUpFile } from './back-up-file.ts'
import type { PulledFile, PullOptions } from './pull-options.ts'
import type { FileReports } from './pulled-file.ts'
import type { SettledDraft } from './settle-drafts.ts'
import { CHANGED_MEANWHILE, readUnchanged } from './sort-edits.ts'

export interface WrittenDrafts {
  readonly files: readonly PulledFile[]
  /** Those that are now on the disk. */
  readonly written: readonly SettledDraft[]
  /** What ended the writing early; the rest was left alone. */
  readonly failure: KbError | undefined
}

export interface WriteOptions extends Pick<PullOptions, 'dryRun' | 'now' | 'signal'> {
  readonly contentRoot: string
  readonly backupFolder: string
}

/** Writes the drafts one by one; one that fails is said, and the others are written all the same. */
export async function writeDrafts(
  drafts: readonly SettledDraft[],
  reports: FileReports,
  noteOf: (draft: SettledDraft) => string | undefined,
  options: WriteOptions,
): Promise<WrittenDrafts> {
  const files: PulledFile[] = []
  const written: SettledDraft[] = []
  let failure: KbError | undefined
  for (const draft of drafts) {
    if (options.dryRun) {
      files.push(reports.drafted(draft, 'planned', noteOf(draft)))
    } else if (options.signal?.aborted === true) {
      failure = interrupted()
      files.push(reports.drafted(draft, 'skipped', 'the run was stopped'))
    } else {
      const file = await writeDraft(draft, reports, noteOf(draft), options)
      if (file.outcome === 'done') written.push(draft)
      files.push(file)
    }
  }
  return { files, written, failure }
}

async function writeDraft(
  draft: SettledDraft,
  reports: FileReports,
  note: string | undefined,
  { contentRoot, backupFolder, now }: WriteOptions,
): Promise<PulledFile> {
  const { incoming, text } = draft
  let backup: string | undefined
  try {
    if (incoming.kind === 'new') {
      await writeArticleFile(contentRoot, incoming.source, text, { createNew: true })
    } else {
      // Whoever saved the file since it was read keeps what they wrote.
      if (readUnchanged(contentRoot, incoming.article) === undefined)
        return reports.drafted(draft, 'failed', CHANGED_MEANWHILE)
      if (incoming.isForced)
        backup = `.kb/backups/${await backUpFile(backupFolder, incoming.source, incoming.before, now())}`
      await writeArticleFile(contentRoot, incoming.source, text)
    }
    return { ...reports.drafted(draft, 'done', note), ...(backup !== undefined && { backup }) }
  } catch (error) {
    return reports.drafted(draft, 'failed', reasonOf(error).replace(/\.$/, ''))
  }
}

function interrupted(): KbError {
  return new KbError('INTERRUPTED', 'Stopped before every file was written. Each file is whole.', {
    hint: 'Run the command again: it takes in what is left.',
  })
}
