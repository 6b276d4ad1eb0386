import type { WriteAlert } from '../../core/dialects/dialect.ts'
import { splitLines } from '../../core/dialects/text-lines.ts'

const MARK = /^([ \t]*)> \[!(\w+)\](?: (.*))?$/

/** Converts the alerts of a Markdown text, `> [!TIP] Title`, to a tool's syntax, including nested ones. */
export function writeAlerts(markdown: string, write: WriteAlert): string {
  if (!markdown.includes('> [!')) return markdown
  const lines = splitLines(markdown)
  const written: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const { kind, text = '' } = lines[index] ?? {}
    const [match, indent = '', name = '', title = ''] = (kind === 'text' ? MARK.exec(text) : null) ?? []
    if (match === undefined) {
      written.push(text)
      continue
    }
    const content: string[] = []
    while (lines[index + 1]?.text.startsWith(`${indent}>`) === true)
      content.push(lines[++index]?.text.slice(indent.length + 1).replace(/^ /, '') ?? '')
    const inner = writeAlerts(content.join('\n').replace(/^\n/, ''), write).split('\n')
    written.push(...write(name.toLowerCase(), title, inner).map((line) => (line === '' ? '' : indent + line)))
  }
  return written.join('\n')
}
