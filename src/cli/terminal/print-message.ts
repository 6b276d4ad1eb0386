import { wrapAtSpaces } from '../../core/text-columns.ts'
import type { Terminal } from './terminal.ts'

/**
 * Prints sentences for people on stderr, wrapped to the width. Keeps indentation.
 *
 * @param paint applied to each line; may add only zero-width text
 */
export function printMessage(
  { err, columns }: Pick<Terminal, 'err' | 'columns'>,
  text: string,
  paint: (line: string) => string = (line) => line,
): void {
  const lines = text.split('\n').flatMap((line) => {
    const [indent = ''] = /^ */.exec(line) ?? []
    return wrapAtSpaces(line.slice(indent.length), columns - indent.length).map((part) => indent + part)
  })
  err(lines.map((line) => `${paint(line)}\n`).join(''))
}
