// The links of an article as stored in the cache. Most articles use a URL several times, and the positions of links
// take most of the space: each URL is stored once, and each link is a row of numbers.
import type { Position, Span } from '../../core/model/diagnostic.ts'
import type { CompiledLinks, LocatedUrl, Slot, WrittenLink } from '../markdown/rendered-body.ts'

export interface PackedLinks extends Omit<CompiledLinks, 'slots' | 'externals'> {
  /** URLs, and the included files that contain links. */
  readonly texts: readonly string[]
  /** Rows with the columns below. */
  readonly rows: readonly number[]
  /** For the few links with a definition: index of the link, and range of its URL there. Undefined if none. */
  readonly definitions?: readonly number[]
}

const KINDS = [
  'link',
  'image',
  'media',
  'picture',
  'banner',
  'external',
] as const satisfies readonly WrittenLink['kind'][]

/** Kind, URL, included file, line, column, and line and column of the end. A missing file or end is -1. */
const COLUMNS = 7
const DEFINITION_COLUMNS = 5
const MISSING = -1

export function packLinks({ slots, externals, ...others }: CompiledLinks): PackedLinks {
  const rows: number[] = []
  const definitions: number[] = []
  const texts = new Map<string, number>()
  const indexOf = (text: string): number => {
    const index = texts.get(text) ?? texts.size
    texts.set(text, index)
    return index
  }
  const addSpan = (numbers: number[], { line, column, end }: Span) =>
    numbers.push(line, column, end?.line ?? MISSING, end?.column ?? MISSING)
  const addLink = (link: LocatedUrl, kind: WrittenLink['kind']): void => {
    const { url, source, definition } = link
    if (definition !== undefined) {
      definitions.push(rows.length / COLUMNS)
      addSpan(definitions, definition)
    }
    rows.push(KINDS.indexOf(kind), indexOf(url), source === undefined ? MISSING : indexOf(source))
    addSpan(rows, link)
  }
  for (const slot of slots) addLink(slot, slot.kind)
  for (const external of externals) addLink(external, 'external')
  return { ...others, texts: [...texts.keys()], rows, ...(definitions.length > 0 && { definitions }) }
}

/** @param isWanted see `CompiledTexts` */
export function unpackLinks(links: PackedLinks, isWanted?: (link: WrittenLink) => boolean): CompiledLinks {
  const { texts, rows, definitions = [], ...others } = links
  const definitionOf = new Map<number, Span>()
  for (let at = 0; at < definitions.length; at += DEFINITION_COLUMNS)
    definitionOf.set(definitions[at] ?? MISSING, spanAt(at + 1, definitions))
  const isUnwanted = isWanted && createIsUnwanted(texts, isWanted)
  const slots: Slot[] = []
  const externals: LocatedUrl[] = []
  for (let at = 0; at < rows.length; at += COLUMNS) {
    if (isUnwanted?.(rows, at) === true) continue
    const kind = KINDS[rows[at] ?? MISSING] ?? 'link'
    const url = texts[rows[at + 1] ?? MISSING] ?? ''
    const { line, column, end } = spanAt(at + 3, rows)
    const [source, definition] = [texts[rows[at + 2] ?? MISSING], definitionOf.get(at / COLUMNS)]
    if (kind === 'external') externals.push(complete({ url, line, column }, end, source, definition))
    else slots.push(complete({ kind, url, line, column }, end, source, definition))
  }
  return { ...others, slots, externals }
}

type Draft = { -readonly [Key in keyof LocatedUrl]: LocatedUrl[Key] }

/** Adds the properties that a link has. Spreads take longer than all other steps. */
function complete<Link extends Draft>(link: Link, end?: Position, source?: string, definition?: Span): Link {
  if (end !== undefined) link.end = end
  if (source !== undefined) link.source = source
  if (definition !== undefined) link.definition = definition
  return link
}

/** Asks once for each URL, as most links repeat one. */
function createIsUnwanted(texts: readonly string[], isWanted: (link: WrittenLink) => boolean) {
  const known = new Map<number, boolean>()
  return (rows: readonly number[], at: number): boolean => {
    const [kind = 0, text = 0, file = MISSING] = [rows[at], rows[at + 1], rows[at + 2]]
    const key = ((file + 1) * texts.length + text) * KINDS.length + kind
    const before = known.get(key)
    if (before !== undefined) return before
    const link = { kind: KINDS[kind] ?? 'link', url: texts[text] ?? '' }
    const source = texts[file]
    const isUnwanted = !isWanted(source === undefined ? link : { ...link, source })
    known.set(key, isUnwanted)
    return isUnwanted
  }
}

function spanAt(at: number, rows: readonly number[]): Span {
  const [line = MISSING, column = MISSING, endLine = MISSING, endColumn = MISSING] = rows.slice(at, at + 4)
  return endLine === MISSING ? { line, column } : { line, column, end: { line: endLine, column: endColumn } }
}
