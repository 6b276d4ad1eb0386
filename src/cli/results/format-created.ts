import type { CreatedArticle } from '../../authoring/create/create-options.ts'
import { escapeControl, escapeControlInLine } from '../../core/escape-control.ts'
import { wrapToColumns } from '../../core/text-columns.ts'
import { formatJson } from '../text/format-json.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Formats the result of `kb new` and the next step, for people. */
export function formatCreated(
  created: CreatedArticle,
  quiet: boolean,
  { columns }: Pick<Terminal, 'columns'>,
): string {
  // Terminals and editors open file:line.
  const place = `${escapeControlInLine(created.file)}:${created.line}`
  if (quiet) return `${place}\n`
  const twin =
    created.sameTitle === undefined
      ? []
      : [`Another article has this title: ${escapeControlInLine(created.sameTitle)}`]
  if (created.dryRun)
    return `${[`Would write ${place}`, ...twin].join('\n')}\n\n${indented(escapeControl(created.text.trimEnd()))}\n`
  const path = shellWord(escapeControlInLine(created.file))
  const advice = [
    ...twin,
    ...(created.status === 'draft'
      ? [`It is a draft: readers see it after you change it to ${publishing(created)}.`]
      : []),
    ...(created.missing.includes('excerpt')
      ? ['It has no excerpt yet: the rule excerpt-missing requires a line excerpt: …']
      : []),
    'Write the text below the second ---; npx kb watch shows it while you write. Then check it and send it:',
  ]
  // Text to copy is not wrapped: the path, and the commands.
  const lines = [
    `Wrote ${place}`,
    '',
    ...advice.flatMap((text) => wrapToColumns(text, columns)),
    '',
    `  npx kb check ${path}`,
    `  npx kb sync`,
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function publishing({ text }: CreatedArticle): string {
  return /^draft: true$/m.test(text) ? 'draft: false' : 'status: published'
}

export function formatCreatedJson(created: CreatedArticle): string {
  return formatJson({ version: 1, ...created })
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}

/** Quotes a path if a shell would change it. */
function shellWord(path: string): string {
  return /^[\p{L}\p{M}\p{N}_./-]+$/u.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
