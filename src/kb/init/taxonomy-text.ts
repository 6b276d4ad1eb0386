import { stringify } from 'yaml'
import type { NamedEntry } from './named-taxonomy.ts'

/** The category and the tag that a new knowledge base begins with. */
export const FIRST_CATEGORY = 'getting-started'
export const FIRST_TAG = 'basics'

/**
 * @param schemas where the JSON Schemas are, seen from the file, ending in `/`
 * @param entries what articles that are there name; where they name nothing, there is one to begin with
 */
export function categoriesText(schemas: string, entries: readonly NamedEntry[] = []): string {
  return `# yaml-language-server: $schema=${schemas}categories.json
# Each article names its categories by slug or name. A category may lie in another one: parent: Getting started
${entries.length > 0 ? stringify(entries) : FIRST_CATEGORIES}`
}

/** As `categoriesText`. */
export function tagsText(schemas: string, entries: readonly NamedEntry[] = []): string {
  return `# yaml-language-server: $schema=${schemas}tags.json
# Tags bring together what stands in several categories.
${entries.length > 0 ? stringify(entries) : FIRST_TAGS}`
}

const FIRST_CATEGORIES = `- name: Getting started
  slug: ${FIRST_CATEGORY}
  priority: 1
  description: What everybody asks first.
`

const FIRST_TAGS = `- name: Basics
  slug: ${FIRST_TAG}
  description: Good to know, wherever you begin.
`
