import { FRONTMATTER_KEYS } from '../frontmatter/frontmatter-schema.ts'
import type { Frontmatter } from '../../core/model/document.ts'
import type { FieldRule } from './field-rule.ts'

/** Our own keys mean in a file of a tool what they always do, but for those that are the tool's as well. */
export function ownRules(...ofTheTool: readonly (keyof Frontmatter)[]): FieldRule[] {
  const fields = FRONTMATTER_KEYS as (keyof Frontmatter)[]
  return fields
    .filter((field) => !ofTheTool.includes(field))
    .map((field) => ({ field, key: field, reading: 'own' }))
}
