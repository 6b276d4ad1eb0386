// The state as lines of JSON: a header, then one line per record. The state of a large knowledge base never exists as
// one string.
import { readFileSync } from 'node:fs'
import { writeFileWhole } from '../../core/write-file-whole.ts'
import { KbError, reasonOf, unwritableHint } from '../../core/errors/kb-error.ts'
import {
  type ArticleRecord,
  type AwaitedArticle,
  EMPTY_STATE,
  type ForeignRecord,
  NOTHING_UNFINISHED,
  type TargetState,
} from '../../core/model/target-state.ts'

const VERSION = 3
/** Earlier versions wrote '' for an unknown id or source. */
const EMPTY_STRINGS_VERSION = 2

interface Header {
  readonly version: number
  readonly project: string
  readonly duplicateSlugs: TargetState['duplicateSlugs'] | null
  readonly keepsComments?: TargetState['keepsComments']
  readonly deletesAsStated?: TargetState['deletesAsStated']
  readonly extensions?: TargetState['extensions']
  readonly extensionsAskedMs?: TargetState['extensionsAskedMs']
  readonly categoryIds: TargetState['categoryIds']
  readonly tagIds: TargetState['tagIds']
  readonly taxonomy: TargetState['taxonomy']
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

/** Foreign articles in the state of another project that shares the file. */
export function loadForeign(file: string, project: string): readonly ForeignRecord[] {
  const found = inspectState(file, project)
  return found.kind === 'other-project' ? found.foreign : []
}

/** The result of reading a state file. */
export type StateInspection =
  | { readonly kind: 'known'; readonly state: TargetState }
  | { readonly kind: 'missing' }
  | { readonly kind: 'damaged'; readonly reason: string }
  | { readonly kind: 'other-version'; readonly version: number }
  | {
      readonly kind: 'other-project'
      readonly project: string
      /** Articles that are foreign to that project. */
      readonly foreign: readonly ForeignRecord[]
    }

export function inspectState(file: string, project: string): StateInspection {
  try {
    return parseState(readFileSync(file, 'utf8'), project)
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isMissing ? { kind: 'missing' } : { kind: 'damaged', reason: reasonOf(error) }
  }
}

function parseState(text: string, project: string): StateInspection {
  const [first = '', ...rest] = text.trimEnd().split('\n')
  const header = JSON.parse(first) as Header
  if (![VERSION, EMPTY_STRINGS_VERSION].includes(header.version))
    return { kind: 'other-version', version: header.version }
  const articles: ArticleRecord[] = []
  const awaited: AwaitedArticle[] = []
  const foreign: ForeignRecord[] = []
  for (const json of rest) {
    const { kind, ...record } = header.version === VERSION ? (JSON.parse(json) as Line) : upgradeLine(json)
    if (kind === 'article') articles.push(record as ArticleRecord)
    else if (kind === 'awaited') awaited.push(record as AwaitedArticle)
    else foreign.push(record as ForeignRecord)
  }
  if (header.project !== project) {
    const theirs = articles.map((record) => toForeign(record, header.project))
    const others = foreign.filter((record) => record.project !== undefined && record.project !== project)
    return { kind: 'other-project', project: header.project, foreign: [...theirs, ...others] }
  }
  const state: TargetState = {
    isKnown: true,
    duplicateSlugs: header.duplicateSlugs ?? undefined,
    keepsComments: header.keepsComments,
    deletesAsStated: header.deletesAsStated,
    extensions: header.extensions,
    extensionsAskedMs: header.extensionsAskedMs,
    articles,
    awaited,
    foreign,
    categoryIds: header.categoryIds,
    tagIds: header.tagIds,
    taxonomy: header.taxonomy,
    unfinished: NOTHING_UNFINISHED,
  }
  return { kind: 'known', state }
}

function upgradeLine(json: string): Line {
  const line = JSON.parse(json) as Exclude<Line, { kind: 'awaited' }>
  if (line.kind === 'foreign') return line
  const { id, ...article } = line
  if (id === '') return { ...article, kind: 'awaited' } as Extract<Line, { kind: 'awaited' }>
  return { ...line, source: line.source === '' ? undefined : line.source }
}

function toForeign(
  { id, title, slug, language, languageParent }: ArticleRecord,
  project: string,
): ForeignRecord {
  return { id, title, slug, language, languageParent, project }
}

/** Writes the state atomically: a temporary file, flushed, then renamed. @throws KbError WORKSPACE_UNWRITABLE */
export async function writeState(file: string, project: string, state: TargetState): Promise<void> {
  const header: Header = {
    version: VERSION,
    project,
    duplicateSlugs: state.duplicateSlugs ?? null,
    keepsComments: state.keepsComments,
    deletesAsStated: state.deletesAsStated,
    extensions: state.extensions,
    extensionsAskedMs: state.extensionsAskedMs,
    categoryIds: state.categoryIds,
    tagIds: state.tagIds,
    taxonomy: state.taxonomy,
  }
  const lines = [
    JSON.stringify(header),
    ...state.articles.map((record) => JSON.stringify({ kind: 'article', ...record })),
    ...state.awaited.map((record) => JSON.stringify({ kind: 'awaited', ...record })),
    ...state.foreign.map((record) => JSON.stringify({ kind: 'foreign', ...record })),
  ]
  try {
    await writeFileWhole(file, `${lines.join('\n')}\n`)
  } catch (error) {
    throw new KbError(
      'WORKSPACE_UNWRITABLE',
      `The state could not be written to ${file}: ${reasonOf(error)}. The changes that were sent are on the target.`,
      { hint: unwritableHint(error), cause: error },
    )
  }
}
