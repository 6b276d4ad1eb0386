import { wrapAtSpaces } from '../../core/text-columns.ts'
import type { Terminal } from './terminal.ts'

/**
 * Prints sentences for people on stderr, in lines that fit; what is indented stays so.
 *
 * @param paint of each line; what it adds takes no columns
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
