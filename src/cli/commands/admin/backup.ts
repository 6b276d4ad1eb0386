// `kb admin backup` and `kb admin restore`
import { resolve } from 'node:path'
import { KbError } from '../../../core/errors/kb-error.ts'
import {
  assertFile,
  backUp,
  type DatabaseContents,
  inspectBackup,
  restoreDatabase,
} from '../../../server/open-administration.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { escapeControlInLine } from '../../../core/escape-control.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { pathKind } from '../../../core/paths.ts'
import { wrapToColumns } from '../../../core/text-columns.ts'
import { parseName } from './arguments.ts'
import type { AdminAnswer, AdminCall } from './run-admin.ts'

export async function runBackup(call: AdminCall, db: string): Promise<AdminAnswer> {
  assertFile(db)
  const file = fileOf(call)
  const present = pathKind(file)
  if (present === 'folder' || present === 'other') throw notReplaceable(file, present)
  if (present === 'file') await call.confirm(`Replace the file ${escapeControlInLine(file)}?`)
  const { sizeBytes, contents } = backUp(db, file)
  return {
    document: { backup: { file, sizeBytes, ...contents } },
    text: paragraph(
      `Wrote ${escapeControlInLine(file)} (${formatSize(sizeBytes)}): ${describe(contents)}.`,
      call,
    ),
  }
}

export async function restoreBackup(call: AdminCall, db: string): Promise<AdminAnswer> {
  assertFile(db)
  const file = fileOf(call)
  assertBackup(file)
  const contents = inspectBackup(file)
  const held = describe(contents)
  await call.confirm(`Replace everything in ${escapeControlInLine(db)} with the backup of ${held}?`)
  const { kept } = restoreDatabase(db, file, call.now)
  return {
    document: { restored: { file, ...contents }, kept: kept?.file ?? null },
    text:
      paragraph(`Restored ${held}.`, call) +
      (kept === undefined
        ? ''
        : paragraph(`The previous contents are in ${escapeControlInLine(kept.file)}.`, call)),
  }
}

/** In a pipe, only tables are as wide as they need to be. */
function paragraph(text: string, { width }: Pick<AdminCall, 'width'>): string {
  return wrapToColumns(text, Math.min(width, 80))
    .map((line) => `${line}\n`)
    .join('')
}

function fileOf({ args, options }: AdminCall): string {
  return resolve(options.cwd ?? '.', parseName(args[0], 'file name'))
}

/** A backup may replace a file, but not a folder or a device such as /dev/null. */
function notReplaceable(file: string, present: 'folder' | 'other'): KbError {
  const [what, hint] =
    present === 'folder' ? ['a folder', 'Name a file in it.'] : ['not a regular file', 'Name another file.']
  return new KbError('BACKUP_UNWRITABLE', `${escapeControlInLine(file)} is ${what}. Nothing was written.`, {
    hint,
  })
}

function assertBackup(file: string): void {
  const present = pathKind(file)
  if (present === 'file' || present === 'unreadable') return
  const what = present === 'missing' ? `There is no file ${file}.` : `${file} is not a file.`
  throw new KbError('BACKUP_UNUSABLE', `${escapeControlInLine(what)} Nothing was changed.`, {
    hint: 'Use a file that kb admin backup has written.',
  })
}

function describe({ sites, users, keys, categories, tags, articles }: DatabaseContents): string {
  const rest = [
    pluralize(sites, 'site'),
    pluralize(users, 'user'),
    pluralize(keys, 'key'),
    `${formatNumber(categories)} ${categories === 1 ? 'category' : 'categories'}`,
  ]
  return `${pluralize(articles, 'article')}, ${rest.join(', ')} and ${pluralize(tags, 'tag')}`
}

function formatSize(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
