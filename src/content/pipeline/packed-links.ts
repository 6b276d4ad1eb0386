// The links of an article as the cache stores them. Most articles name an address several times, and the positions of
// links take most of the space: each address is stored once, and each link is a row of numbers.
import type { CompiledLinks, Slot } from '../markdown/rendered-body.ts'

export interface PackedLinks extends Omit<CompiledLinks, 'slots'> {
  /** Addresses, and the included files that contain links. */
  readonly texts: readonly string[]
  /** Rows with the columns below. */
  readonly rows: readonly number[]
}

const KINDS = ['link', 'image', 'media'] as const satisfies readonly Slot['kind'][]

/** Kind, address, included file, line, column, and line and column of the end. A missing file or end is -1. */
const COLUMNS = 7
const MISSING = -1

export function packLinks({ slots, ...others }: CompiledLinks): PackedLinks {
  const texts = new Map<string, number>()
  const indexOf = (text: string): number => {
    const index = texts.get(text) ?? texts.size
    texts.set(text, index)
    return index
  }
  const rows = slots.flatMap(({ kind, url, source, line, column, end }) => [
    KINDS.indexOf(kind),
    indexOf(url),
    source === undefined ? MISSING : indexOf(source),
    line,
    column,
    end?.line ?? MISSING,
    end?.column ?? MISSING,
  ])
  return { ...others, texts: [...texts.keys()], rows }
}

export function unpackLinks({ texts, rows, ...others }: PackedLinks): CompiledLinks {
  const slots: Slot[] = []
  for (let at = 0; at < rows.length; at += COLUMNS) slots.push(slotAt(at, rows, texts))
  return { ...others, slots }
}

function slotAt(at: number, rows: readonly number[], texts: readonly string[]): Slot {
  const value = (column: number) => rows[at + column] ?? MISSING
  const kind = KINDS[value(0)] ?? 'link'
  const slot = { kind, url: texts[value(1)] ?? '', line: value(3), column: value(4) }
  const end = value(5) === MISSING ? undefined : { line: value(5), column: value(6) }
  const source = texts[value(2)]
  if (source === undefined) return end === undefined ? slot : { ...slot, end }
  return { ...slot, ...(end && { end }), source }
}
