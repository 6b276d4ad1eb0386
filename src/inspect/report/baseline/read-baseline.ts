import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { KbError, reasonOf, reasonWithoutPath } from '../../../core/errors/kb-error.ts'
import { type Baseline, BASELINE_VERSION } from './baseline.ts'
import { baselineSchema } from './baseline-schema.ts'
import { lineOfFault, lineOfValue } from './locate-in-json.ts'

export interface BaselineFile {
  /** Absolute. */
  readonly path: string
  /** How messages call it. */
  readonly name: string
}

const REMEDY = 'Fix the file, or write a new one with --write-baseline.'

/** @throws KbError BASELINE_INVALID, with the line, for a file that is missing, unreadable, or no baseline */
export async function readBaseline(file: BaselineFile): Promise<Baseline> {
  const { name } = file
  const text = await readText(file)
  const value = parseJson(text, name)
  const { version } = header.catch({ version: undefined }).parse(value)
  if (version === undefined) throw invalid(`${name} is no baseline of kb report: it has no \`version\`.`)
  if (version !== BASELINE_VERSION) {
    throw invalid(
      `The baseline ${name} has version ${JSON.stringify(version)}, and this kb-sync reads version ${BASELINE_VERSION}.`,
      'Use the kb-sync that wrote it, or write a new one with --write-baseline.',
    )
  }
  const parsed = baselineSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const [{ path, message } = { path: [], message: '' }] = parsed.error.issues
  const where = path.length === 0 ? '' : ` (${z.core.toDotPath(path)})`
  throw invalid(`${name}:${lineOfValue(text, path)}: the baseline is damaged${where}: ${message}.`)
}

const header = z.looseObject({ version: z.unknown() })

async function readText({ path, name }: BaselineFile): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const hint = isMissing ? 'Make it with --write-baseline, or correct its name.' : REMEDY
    throw invalid(`The baseline ${name} could not be read: ${reasonWithoutPath(error)}.`, hint, error)
  }
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const line = lineOfFault(text)
    const isUnmerged = /^<{7} /m.test(text)
    const reason = isUnmerged ? 'a merge was left half done' : reasonOf(error).replace(/\s+/g, ' ')
    throw invalid(`${name}:${line}: the baseline is no valid JSON: ${reason}.`, REMEDY, error)
  }
}

function invalid(message: string, hint = REMEDY, cause?: unknown): KbError {
  return new KbError('BASELINE_INVALID', message, { hint, cause })
}
