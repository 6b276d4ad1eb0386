// Names and messages from files and targets become part of Markdown that GitHub and GitLab render. They must not act as
// markup, links or mentions.
import { escapeControl, escapeControlInLine } from '../../core/escape-control.ts'

/** Invisible; prevents a break between its two sides. */
const WORD_JOINER = '&#8288;'

/** Formats a text on one line that is shown literally: without markup, HTML, emoji or mentions. */
export function escapeMarkdown(text: string): string {
  return (
    escapeControlInLine(text)
      .trim()
      .replace(/[\\`*_{}[\]()+!|~^$:]/g, String.raw`\$&`)
      // Before the entities below, which contain these characters.
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replace(/[@#]/g, `\\$&${WORD_JOINER}`)
  )
}

/** Formats a text as code on one line, also in a table. */
export function codeSpan(text: string): string {
  const line = escapeControlInLine(text)
  if (line.trim() === '') return ''
  // A table reads a backslash and the next character as a pair, even in code.
  if (line.includes(String.raw`\|`)) return `<code>${escapeMarkdown(text)}</code>`
  const fence = '`'.repeat(longestRun(line) + 1)
  const space = /^[` ]|[` ]$/.test(line) ? ' ' : ''
  return `${fence}${space}${line.replaceAll('|', String.raw`\|`)}${space}${fence}`
}

/** Formats a code block that no line of the text can end. `language` is for highlighting. */
export function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${escapeControl(text).replace(/\n$/, '')}\n${fence}\n`
}

/** Formats a row of a table. `cells` are Markdown. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

/** Returns the length of the longest run of backticks. */
function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
}
