// The file of a baseline: findings that a team accepts for now, in their repository. Only new findings are failures.
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { JSONParser } from '@streamparser/json'
import { LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { compareTexts } from '../../../core/compare-texts.ts'
import { KbError, reasonOf, reasonWithoutPath } from '../../../core/errors/kb-error.ts'
import { writeFileWhole } from '../../../core/write-file-whole.ts'
import { relativePath } from '../../../core/paths.ts'
import { errorCodeOf } from '../../../core/error-code.ts'

/** The baseline that a run uses or writes. */
export interface BaselineUse {
  /** Absolute path. */
  readonly file: string
  readonly isWritten: boolean
}

export interface BaselineFile {
  /** Absolute path. */
  readonly path: string
  /** Its name in messages. */
  readonly name: string
}

/** Names the file relative to the project if it is inside. */
export function baselineFileOf({ file: path }: BaselineUse, root: string): BaselineFile {
  const way = relativePath(root, path)
  return { path, name: way.startsWith('..') ? path : way }
}

export interface BaselineFormat<Content> {
  /** The command that writes it. */
  readonly command: 'kb check' | 'kb report'
  /** Incremented with every change that an older kb-sync would not understand. */
  readonly version: number
  readonly schema: z.ZodType<Content>
}

const REMEDY = 'Fix the file, or write a new one with --write-baseline.'

/** @throws KbError BASELINE_INVALID, with the line, for a file that is missing, unreadable, or not a baseline */
export async function readBaselineFile<Content>(
  file: BaselineFile,
  { command, version: known, schema }: BaselineFormat<Content>,
): Promise<Content> {
  const { name } = file
  const json = await readText(file)
  const value = parseJson(json, name)
  const { version } = header.catch({ version: undefined }).parse(value)
  if (version === undefined)
    throw invalid(`${name}:1: the file is not a baseline of ${command}: it has no \`version\`.`)
  if (version !== known) {
    throw invalid(
      `${name}:${lineOfValue(json, ['version'])}: the baseline has version ${JSON.stringify(version)}, and this kb-sync reads version ${known}.`,
      'Use the kb-sync that wrote it, or write a new one with --write-baseline.',
    )
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue = { code: 'custom', path: [], message: '' }] = parsed.error.issues
  const { path, message } = issue
  const where = path.length === 0 ? '' : ` (${z.core.toDotPath(path)})`
  const line = lineOfValue(
    json,
    issue.code === 'unrecognized_keys' ? [...path, ...issue.keys.slice(0, 1)] : path,
  )
  throw invalid(`${name}:${line}: the baseline is damaged${where}: ${message}.`)
}

const header = z.looseObject({ version: z.unknown() })

async function readText({ path, name }: BaselineFile): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  } catch (error) {
    const isMissing = errorCodeOf(error) === 'ENOENT'
    const hint = isMissing ? 'Create it with --write-baseline, or correct its name.' : REMEDY
    throw invalid(`The baseline ${name} could not be read: ${reasonWithoutPath(error)}.`, hint, error)
  }
}

function parseJson(json: string, name: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    const line = lineOfFault(json)
    const isUnmerged = /^<{7} /m.test(json)
    const reason = isUnmerged
      ? 'it contains conflict markers of a merge'
      : reasonOf(error).replace(/\s+/g, ' ')
    throw invalid(`${name}:${line}: the baseline is not valid JSON: ${reason}.`, REMEDY, error)
  }
}

function invalid(message: string, hint = REMEDY, cause?: unknown): KbError {
  return new KbError('BASELINE_INVALID', message, { hint, cause })
}

/** Returns the line (1-based) of the first JSON syntax error in a text. */
function lineOfFault(json: string): number {
  const lines = json.split('\n')
  const parser = new JSONParser()
  parser.onValue = () => undefined
  let isFaulty = false
  parser.onError = () => (isFaulty = true)
  const index = lines.findIndex((line) => {
    parser.write(`${line}\n`)
    return isFaulty
  })
  // If no token is wrong, the end is missing.
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return Math.max(index === -1 ? last : index, 0) + 1
}

/** Returns the line (1-based) where a value of a JSON text begins; that of its nearest parent if it is missing. */
function lineOfValue(json: string, path: readonly PropertyKey[]): number {
  const lineCounter = new LineCounter()
  // JSON is valid YAML, and this parser returns positions.
  const document = parseDocument(json, { lineCounter })
  const node = document.getIn(path, true) as { readonly range?: readonly number[] } | undefined
  const start = node?.range?.[0]
  if (start !== undefined) return lineCounter.linePos(start).line
  return path.length === 0 ? 1 : lineOfValue(json, path.slice(0, -1))
}

/**
 * Writes a baseline atomically: if that fails, the existing file is unchanged.
 *
 * @throws KbError FILES_UNWRITABLE
 */
export async function writeBaselineFile({ path, name }: BaselineFile, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFileWhole(path, text)
  } catch (error) {
    throw new KbError(
      'FILES_UNWRITABLE',
      `The baseline could not be written to ${name}: ${reasonWithoutPath(error)}.`,
      { hint: 'Use a file in a writable folder.', cause: error },
    )
  }
}

/**
 * Formats a baseline with its lists of entries: sorted, each entry once and on its own line, so that two branches that
 * change it can be merged.
 */
export function formatBaselineFile(
  version: number,
  lists: Readonly<Record<string, readonly object[]>>,
): string {
  const members = Object.entries(lists).map(([name, entries]) => `  "${name}": ${formatEntries(entries)}`)
  return `{\n${[`  "version": ${version}`, ...members].join(',\n')}\n}\n`
}

function formatEntries(entries: readonly object[]): string {
  const lines = new Set(entries.map(formatEntry).toSorted(compareTexts))
  return lines.size === 0 ? '[]' : `[\n    ${[...lines].join(',\n    ')}\n  ]`
}

function formatEntry(entry: object): string {
  const members = Object.entries(entry).flatMap(([key, value]) =>
    value === undefined ? [] : [`${JSON.stringify(key)}: ${JSON.stringify(value)}`],
  )
  return `{ ${members.join(', ')} }`
}
