// `kb admin backup` and `kb admin restore`
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { backUp, type DatabaseContents, inspectBackup, restore } from '../../../server/open-administration.ts'
import { grouped } from '../../../util/grouped.ts'
import { printableLine } from '../../../util/printable.ts'
import { plural } from '../../format-diagnostics.ts'
import { readName } from './arguments.ts'
import type { AdminAnswer, AdminCall } from './run-admin.ts'

/** `kb admin backup FILE` */
export async function writeBackup(call: AdminCall, db: string): Promise<AdminAnswer> {
  const file = fileOf(call)
  if (existsSync(file)) await call.confirm(`Replace the file ${printableLine(file)}?`)
  const { sizeBytes, contents } = backUp(db, file)
  return {
    document: { backup: { file, sizeBytes, ...contents } },
    text: `Wrote ${printableLine(file)} (${formatSize(sizeBytes)}): ${describe(contents)}.\n`,
  }
}

/** `kb admin restore FILE` */
export async function restoreBackup(call: AdminCall, db: string): Promise<AdminAnswer> {
  const file = fileOf(call)
  const contents = inspectBackup(file)
  const held = describe(contents)
  await call.confirm(`Replace everything in ${printableLine(db)} by the backup with ${held}?`)
  const { kept } = restore(db, file, call.now)
  return {
    document: { restored: { file, ...contents }, kept: kept?.file ?? null },
    text:
      `Restored ${held}.\n` +
      (kept === undefined ? '' : `What was there before is in ${printableLine(kept.file)}.\n`),
  }
}

function fileOf({ args, options }: AdminCall): string {
  return resolve(options.cwd ?? '.', readName(args[0], 'file name'))
}

function describe({ sites, users, keys, categories, tags, articles }: DatabaseContents): string {
  const rest = [
    plural(sites, 'site'),
    plural(users, 'user'),
    plural(keys, 'key'),
    `${grouped(categories)} ${categories === 1 ? 'category' : 'categories'}`,
  ]
  return `${plural(articles, 'article')}, ${rest.join(', ')} and ${plural(tags, 'tag')}`
}

function formatSize(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
