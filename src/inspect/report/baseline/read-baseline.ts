import { readFile } from 'node:fs/promises'
import { JSONParser } from '@streamparser/json'
import { LineCounter, parseDocument } from 'yaml'
import { z } from 'zod'
import { isCalendarDate } from '../../../core/calendar-date.ts'
import { KbError, reasonOf, reasonWithoutPath } from '../../../core/errors/kb-error.ts'

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
  const json = await readText(file)
  const value = parseJson(json, name)
  const { version } = header.catch({ version: undefined }).parse(value)
  if (version === undefined) throw invalid(`${name} is not a baseline of kb report: it has no \`version\`.`)
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
  throw invalid(`${name}:${lineOfValue(json, path)}: the baseline is damaged${where}: ${message}.`)
}

const header = z.looseObject({ version: z.unknown() })

async function readText({ path, name }: BaselineFile): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
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

const text = z.string().min(1)
const article = { file: text.optional(), id: text.optional(), title: z.string().optional() }

function namesArticle({ file, id }: { readonly file?: unknown; readonly id?: unknown }): boolean {
  return file !== undefined || id !== undefined
}

const UNNAMED = 'an entry must have the `file` or the `id` of its article'

/** What stands in a baseline, its version aside; a misspelled member would be ignored unseen, so unknown ones are refused. */
const baselineSchema = z.strictObject({
  version: z.unknown(),
  overdue: z.array(
    z
      .strictObject({
        ...article,
        date: z.string().refine(isCalendarDate, 'a date must have the form YYYY-MM-DD').optional(),
      })
      .refine(namesArticle, UNNAMED),
  ),
  broken: z.array(z.strictObject({ ...article, url: text }).refine(namesArticle, UNNAMED)),
}) satisfies z.ZodType<Baseline>

/** The line (1-based) in which a text stops being JSON. */
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
  // Where nothing is wrong, the end is missing.
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return Math.max(index === -1 ? last : index, 0) + 1
}

/** The line (1-based) in which a value of a JSON text begins; of its nearest parent where it is missing. */
function lineOfValue(json: string, path: readonly PropertyKey[]): number {
  const lineCounter = new LineCounter()
  // All JSON is YAML, and this parser knows where things stand.
  const document = parseDocument(json, { lineCounter })
  const node = document.getIn(path, true) as { readonly range?: readonly number[] } | undefined
  const start = node?.range?.[0]
  if (start !== undefined) return lineCounter.linePos(start).line
  return path.length === 0 ? 1 : lineOfValue(json, path.slice(0, -1))
}

// What a team accepts for now: a file in their repository, so that a report may fail on what is new.

/** Who an entry is about: a file, or an article of the target that no file owns. */
export interface AcceptedArticle {
  /** Relative to the project, with `/`; left out where no file owned the article. */
  readonly file?: string | undefined
  /** Id on the target: it stays when the file is moved. */
  readonly id?: string | undefined
  /** For the reader, where there is no file. */
  readonly title?: string | undefined
}

export interface AcceptedReview extends AcceptedArticle {
  /** The review date that may have passed; once it is another one, the entry is used up. Left out: any. */
  readonly date?: string | undefined
}

export interface AcceptedLink extends AcceptedArticle {
  /** As the target lists it. */
  readonly url: string
}

export interface Baseline {
  readonly overdue: readonly AcceptedReview[]
  readonly broken: readonly AcceptedLink[]
}

/** Counts up with every change that an older kb-sync would not understand. */
export const BASELINE_VERSION = 1
