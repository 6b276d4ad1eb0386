// Names and messages from files and targets go into Markdown that GitHub and GitLab render: they must not become markup,
// links or mentions there.
import { escapeControl, escapeControlInLine } from '../../core/escape-control.ts'

/** Keeps what stands on its two sides together, and is not seen. */
const WORD_JOINER = '&#8288;'

/** A text on one line that shows as it is: no markup, no HTML, no emoji, and no one is notified by it. */
export function escapeMarkdown(text: string): string {
  return (
    escapeControlInLine(text)
      .trim()
      .replace(/[\\`*_{}[\]()+!|~^$:]/g, String.raw`\$&`)
      // Before the entities below, which have these characters.
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replace(/[@#]/g, `\\$&${WORD_JOINER}`)
  )
}

/** The text as code on one line, also within a table. */
export function codeSpan(text: string): string {
  const line = escapeControlInLine(text)
  if (line.trim() === '') return ''
  // A table takes a backslash and what follows for a pair, also within code.
  if (line.includes(String.raw`\|`)) return `<code>${escapeMarkdown(text)}</code>`
  const fence = '`'.repeat(longestRun(line) + 1)
  const space = /^[` ]|[` ]$/.test(line) ? ' ' : ''
  return `${fence}${space}${line.replaceAll('|', String.raw`\|`)}${space}${fence}`
}

/** A block of code that no line of the text can end. @param language what it is highlighted as */
export function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${escapeControl(text).replace(/\n$/, '')}\n${fence}\n`
}

/** Of backticks. */
function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
}
