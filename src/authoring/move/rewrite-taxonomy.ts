import { isScalar, type Node, type Pair, parseDocument, type Scalar, visit } from 'yaml'
import { applyTextEdits, type TextEdit } from '../../core/text-edits.ts'
import {
  type LinkChange,
  positionAt,
  rewriteBody,
  type RewrittenBody,
  type RewrittenFile,
  type RewriteOccurrences,
} from './rewrite-file.ts'

/** A taxonomy file with the links in its long descriptions, which are Markdown, as necessary after the move. Pure. */
export function rewriteTaxonomyFile(text: string, rewrite: RewriteOccurrences): RewrittenFile {
  const edits: TextEdit[] = []
  const links: LinkChange[] = []
  const left: string[] = []
  for (const { value, from, to } of longDescriptions(text)) {
    const rewritten = rewriteBody(value, rewrite)
    left.push(...rewritten.left)
    if (rewritten.links.length === 0) continue
    const written = text.slice(from, to)
    const inScalar = editsOfScalar(written, value, rewritten.changes)
    const edited = applyTextEdits(written, inScalar)
    if (
      inScalar.length < rewritten.changes.length ||
      !readsAs(text, { from, to, text: edited }, rewritten.text)
    ) {
      left.push(
        ...rewritten.links.map(({ before }) => `"${before}" is in a position where it cannot be changed`),
      )
    } else {
      edits.push({ from, to, text: edited })
      links.push(
        ...rewritten.links.map(({ before, after }, index) => ({
          ...positionAt(text, from + (inScalar[index]?.from ?? 0)),
          before,
          after,
        })),
      )
    }
  }
  return { text: applyTextEdits(text, edits), links, left }
}

interface Description {
  readonly value: string
  readonly from: number
  readonly to: number
}

function longDescriptions(text: string): Description[] {
  const found: Description[] = []
  visit(parseDocument(text, { logLevel: 'silent' }), {
    Pair(_key, pair) {
      const { key, value } = pair as Pair<unknown, Node | null>
      if (isScalar(key) && key.value === 'longDescription' && isScalar(value)) found.push(...textOf(value))
    },
  })
  return found
}

function textOf({ value, range }: Scalar): Description[] {
  return typeof value === 'string' && range ? [{ value, from: range[0], to: range[1] }] : []
}

/** Addresses contain no line breaks, so each occurs as often in the written scalar as in the value. */
function editsOfScalar(written: string, value: string, changes: RewrittenBody['changes']): TextEdit[] {
  return changes.flatMap(({ occurrence, written: text }) => {
    const count = value.slice(0, occurrence.start).split(occurrence.written).length
    const at = written.split(occurrence.written).slice(0, count).join(occurrence.written).length
    return at < written.length ? [{ from: at, to: at + occurrence.written.length, text }] : []
  })
}

function readsAs(text: string, edit: TextEdit, expected: string): boolean {
  const edited = applyTextEdits(text, [edit])
  return longDescriptions(edited).some(({ from, value }) => from === edit.from && value === expected)
}
