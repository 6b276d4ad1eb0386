import { isDeepStrictEqual } from 'node:util'
import type { FrontmatterFiles } from '../../content/preset/frontmatter-files.ts'

/** The keys that stand otherwise in the frontmatter of `after` than in that of `before`, with their new values. */
export function writtenKeys(
  before: string,
  after: string,
  files: FrontmatterFiles,
): Readonly<Record<string, unknown>> {
  const former = valuesOf(before, files)
  return Object.fromEntries(
    Object.entries(valuesOf(after, files)).filter(
      ([key, value]) => !(Object.hasOwn(former, key) && isDeepStrictEqual(former[key], value)),
    ),
  )
}

function valuesOf(text: string, files: FrontmatterFiles): Readonly<Record<string, unknown>> {
  const split = files.split(text.replace(/^\uFEFF/, ''))
  const value = split.kind === 'split' ? split.yaml.value : undefined
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
