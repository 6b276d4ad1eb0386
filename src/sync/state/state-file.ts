// The state as lines of JSON: a header, then one line per record. A run that changes a few articles only appends their
// records: the last one of an article counts.
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { eachLine, findLines, lineAround } from '../../core/find-lines.ts'
import { textInPieces, writeFileWhole } from '../../core/write-file-whole.ts'
import { type KbError, reasonOf } from '../../core/errors/kb-error.ts'
import {
  type ArticleRecord,
  type AwaitedArticle,
  EMPTY_STATE,
  type ForeignRecord,
  NOTHING_UNFINISHED,
  type TargetState,
} from '../../core/model/target-state.ts'
import { errorCodeOf } from '../../core/error-code.ts'
import { workspaceUnwritable } from './workspace.ts'

const VERSION = 4

/** Everything but the records, which have lines of their own. */
interface Header extends Omit<
  TargetState,
  'isKnown' | 'articles' | 'awaited' | 'foreign' | 'unfinished' | 'duplicateSlugs'
> {
  readonly version: number
  readonly project: string
  readonly duplicateSlugs: TargetState['duplicateSlugs'] | null
}

type Line =
  | (ArticleRecord & { readonly kind: 'article' })
  | (AwaitedArticle & { readonly kind: 'awaited' })
  | (ForeignRecord & { readonly kind: 'foreign' })

/** Reads the state. A missing or damaged file, and one of another version or project, counts as no state. */
export function loadState(file: string, project: string): TargetState {
  const found = inspectState(file, project)
  return found.kind === 'known' ? found.state : EMPTY_STATE
}

/** Reads only the records of some articles, and none of foreign ones; undefined if `loadState` would find no state. */
export function loadRecords(
  file: string,
  project: string,
  sources: readonly string[],
): TargetState | undefined {
  const found = inspectState(file, project, (bytes) => {
    const { end } = lineAround(bytes, 0)
    const lines = sources.flatMap((source) => findLines(bytes, `"source":${JSON.stringify(source)}`))
    return [bytes.toString('utf8', 0, end), ...new Set(lines)].values()
  })
  return found.kind === 'known' ? found.state : undefined
}

/** Loads the foreign articles from the state of another project that shares the file. */
export function loadForeign(file: string, project: string): readonly ForeignRecord[] {
  const found = inspectState(file, project)
  return found.kind === 'other-project' ? found.foreign : []
}

/** The result of reading a state file. */
export type StateInspection =
  | { readonly kind: 'known'; readonly state: TargetState }
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged'; readonly reason: string }
  | { readonly kind: 'other-version' }
  | {
      readonly kind: 'other-project'
      readonly project: string
      /** Articles that are foreign to that other project. */
      readonly foreign: readonly ForeignRecord[]
    }

export function inspectState(
  file: string,
  project: string,
  linesOf: (bytes: Buffer) => IterableIterator<string> = eachLine,
): StateInspection {
  try {
    const bytes = readFileSync(file)
    // The run was killed while it appended this line. The journal has the same record.
    return parseState(linesOf(bytes.subarray(0, Math.max(bytes.lastIndexOf('\n'), 0))), project)
  } catch (error) {
    const isMissing = errorCodeOf(error) === 'ENOENT'
    return isMissing ? { kind: 'missing' } : { kind: 'damaged', reason: reasonOf(error) }
  }
}

function parseState(lines: IterableIterator<string>, project: string): StateInspection {
  const first = lines.next().value as string | undefined
  const { version, project: owner, duplicateSlugs, ...known } = JSON.parse(first ?? '') as Header
  if (version !== VERSION) return { kind: 'other-version' }
  const articles = new Map<string, ArticleRecord>()
  const awaited: AwaitedArticle[] = []
  const foreign: ForeignRecord[] = []
  for (const json of lines) {
    const { kind, ...record } = JSON.parse(json) as Line
    if (kind === 'article') articles.set((record as ArticleRecord).id, record as ArticleRecord)
    else if (kind === 'awaited') awaited.push(record as AwaitedArticle)
    else foreign.push(record as ForeignRecord)
  }
  if (owner !== project) {
    const theirs = Array.from(articles.values(), (record) => toForeign(record, owner))
    const others = foreign.filter((record) => record.project !== undefined && record.project !== project)
    return { kind: 'other-project', project: owner, foreign: [...theirs, ...others] }
  }
  const state: TargetState = {
    ...known,
    isKnown: true,
    duplicateSlugs: duplicateSlugs ?? undefined,
    articles: [...articles.values()],
    awaited,
    foreign,
    unfinished: NOTHING_UNFINISHED,
  }
  return { kind: 'known', state }
}

function toForeign(record: ArticleRecord, project: string): ForeignRecord {
  const { id, title, slug, language, languageParent } = record
  return { id, title, slug, language, languageParent, project }
}

/** Writes the state atomically: a temporary file, flushed, then renamed. @throws KbError WORKSPACE_UNWRITABLE */
export async function writeState(file: string, project: string, state: TargetState): Promise<void> {
  const { isKnown: _known, unfinished: _unfinished, articles, awaited, foreign, ...known } = state
  const header: Header = { version: VERSION, project, ...known, duplicateSlugs: state.duplicateSlugs ?? null }
  try {
    await writeFileWhole(file, textOf(header, { articles, awaited, foreign }))
  } catch (error) {
    throw unwritable(file, error)
  }
}

/** Yields the state file in pieces, because it is long. */
function* textOf(
  header: Header,
  { articles, awaited, foreign }: Pick<TargetState, 'articles' | 'awaited' | 'foreign'>,
): Generator<string> {
  yield `${JSON.stringify(header)}\n`
  yield* textInPieces(articles, (record) => `${articleLine(record)}\n`)
  for (const record of awaited) yield `${JSON.stringify({ kind: 'awaited', ...record })}\n`
  for (const record of foreign) yield `${JSON.stringify({ kind: 'foreign', ...record })}\n`
}

/** Adds new records of articles that the file contains already. @throws KbError WORKSPACE_UNWRITABLE */
export function appendRecords(file: string, records: readonly ArticleRecord[]): void {
  try {
    const descriptor = openSync(file, 'a')
    try {
      const bytes = Buffer.from(records.map((record) => `${articleLine(record)}\n`).join(''))
      // A full disk may accept a part without an error.
      if (writeSync(descriptor, bytes) < bytes.length) throw new Error('the disk is full')
      fdatasyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw unwritable(file, error)
  }
}

function articleLine(record: ArticleRecord): string {
  return JSON.stringify({ kind: 'article', ...record })
}

function unwritable(file: string, error: unknown): KbError {
  const end = 'The changes that were sent are on the target.'
  return workspaceUnwritable(`The state could not be written to ${file}`, error, end)
}
