// `kb admin backup`, `kb admin restore` and `kb admin copy`
import { resolve } from 'node:path'
import { KbError } from '../../../core/errors/kb-error.ts'
import {
  assertFile,
  backUp,
  copyToDatabase,
  countContents,
  type DatabaseContents,
  inspectBackup,
  restoreDatabase,
} from '../../../server/backup-and-copy.ts'
import { describeDatabase } from '../../../core/database-url.ts'
import { formatNumber } from '../../../core/format-number.ts'
import { escapeControlInLine } from '../../../core/escape-control.ts'
import { pluralize } from '../../../core/pluralize.ts'
import { pathKind } from '../../../core/paths.ts'
import { wrapToColumns } from '../../../core/text-columns.ts'
import { parseName } from './arguments.ts'
import type { AdminAnswer, AdminCall, FileCall } from './run-admin.ts'
import { formatBytes } from '../../../core/quantities.ts'

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
      `Wrote ${escapeControlInLine(file)} (${formatBytes(sizeBytes)}): ${describe(contents)}.`,
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

export async function runCopy(call: FileCall<{ readonly to: string }>, from: string): Promise<AdminAnswer> {
  const to = call.newDatabase(call.options.to)
  const { onProgress, stop } = call.progress
  const { tables, isContinued } = await copyToDatabase({ from, to, onProgress }).finally(stop)
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  const contents = countContents((name) => tables[name]?.rows ?? 0)
  const [source, target] = [from, to].map((db) => escapeControlInLine(describeDatabase(db)))
  return {
    document: { copied: { from: source, to: target, continued: isContinued, ...contents, tables } },
    text: paragraph(
      `Copied ${source} to ${target}, and compared ${pluralize(rows, 'row')}: ${describe(contents)}.`,
      call,
    ),
  }
}

/** In a pipe, only tables are as wide as necessary. */
function paragraph(text: string, { width }: Pick<AdminCall, 'width'>): string {
  return wrapToColumns(text, Math.min(width, 80))
    .map((line) => `${line}\n`)
    .join('')
}

function fileOf({ args, options }: AdminCall): string {
  return resolve(options.cwd ?? '.', parseName(args[0], 'file name'))
}

/** Rejects folders and devices such as /dev/null. A backup may only replace a file. */
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
