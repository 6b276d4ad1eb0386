import type { Frontmatter } from '../../../core/model/document.ts'
import { FRONTMATTER_KEYS } from '../../frontmatter/frontmatter-schema.ts'
import { writeValues } from './edit-frontmatter.ts'

/** The text of a new file: frontmatter in the order of the schema, an empty line, and the body. */
export function createArticleFile(frontmatter: Frontmatter, body: string): string {
  const keys = FRONTMATTER_KEYS as (keyof Frontmatter)[]
  const values = keys.flatMap((key) =>
    frontmatter[key] === undefined ? [] : [[key, frontmatter[key]] as const],
  )
  const text = body.replace(/^\s*\n/, '')
  return `---\n${writeValues(Object.fromEntries(values), '\n')}---\n${text.trim() === '' ? '' : `\n${text}`}`
}
