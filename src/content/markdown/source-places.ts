import type { Nodes } from 'hast'
import type { Position } from '../../model/diagnostic.ts'

const LINES_OF_ONE_TAG = 20

/** Finds places in the file that holds `body`. */
export interface SourcePlaces {
  /** Where `node` begins; nodes that nobody wrote have the first place of the body. */
  of(node: Pick<Nodes, 'position'>): Position
  /** Where `tag` begins, or its attribute. */
  ofTag(node: Pick<Nodes, 'position'>, tag: string, attribute?: string): Position
}

export function createSourcePlaces(body: string, lineOffset: number): SourcePlaces {
  let lines: readonly string[] | undefined
  const of = (node: Pick<Nodes, 'position'>): Position => {
    const start = node.position?.start
    return { line: (start?.line ?? 1) + lineOffset, column: start?.column ?? 1 }
  }
  // The HTML parser does not see the indent or `>` of a line inside a quote or list, so its columns may be too low.
  return {
    of,
    ofTag(node, tag, attribute) {
      lines ??= body.split(/\r\n|\n|\r/)
      const start = of(node)
      const open = seek(
        lines,
        { ...start, line: start.line - lineOffset },
        new RegExp(`<${escape(tag)}`, 'i'),
        1,
      )
      if (open === undefined) return start
      const name =
        attribute === undefined ? undefined : new RegExp(`(?<=[\\s"'/])${escape(attribute)}(?![\\w-])`, 'i')
      const found = name === undefined ? open : (seek(lines, open, name, LINES_OF_ONE_TAG) ?? open)
      return { line: found.line + lineOffset, column: found.column }
    },
  }
}

/** The first match at or after `from` within `count` lines. */
function seek(lines: readonly string[], from: Position, wanted: RegExp, count: number): Position | undefined {
  for (let line = from.line; line < from.line + count && line <= lines.length; line++) {
    const skipped = line === from.line ? from.column - 1 : 0
    const at = (lines[line - 1] ?? '').slice(skipped).search(wanted)
    if (at !== -1) return { line, column: skipped + at + 1 }
  }
  return undefined
}

function escape(text: string): string {
  return text.replace(/[^\w-]/g, String.raw`\$&`)
}
