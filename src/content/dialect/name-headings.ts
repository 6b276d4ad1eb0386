import type { Dialect } from '../../core/dialects/dialect.ts'
import { readAttributes } from './attribute-lists.ts'
import { type TreeNode, plainTextOf } from './tree-node.ts'

/** Adds the tool's ids to headings where they differ from GitHub's. */
export type HeadingNames = ReturnType<typeof createHeadingNames>

export function createHeadingNames(dialect: Dialect) {
  const taken = new Set<string>()
  const slugify = dialect.text.headingId && createSlugify(dialect.text.headingId, taken)
  return {
    /** Called for each heading in text order, before its children are converted. */
    name: (heading: TreeNode) => {
      const written = takeId(heading, dialect)
      const id = written ?? slugify?.(plainTextOf(heading))
      if (id === undefined) return
      taken.add(id)
      heading.data = { ...heading.data, hProperties: { id } }
    },
  }
}

// `{#id}` at the end, possibly with other attributes: `{#id .class key=value}`.
const ATTRIBUTES =
  /(?<![ \t])[ \t]*\{((?:#[^\s{}]+|\.[\w-]+|[\w-]+=(?:"[^"]*"|[^\s"{}]+))(?:[ \t]+(?:#[^\s{}]+|\.[\w-]+|[\w-]+=(?:"[^"]*"|[^\s"{}]+)))*)\}[ \t]*$/

/** Removes the attributes at the end of a heading or cell, and returns the id. */
export function takeId({ children = [] }: TreeNode, dialect: Dialect): string | undefined {
  const last = children.at(-1)
  if (last?.type === 'mdxTextExpression') return takeFromComment(children, last)
  const found = last?.type === 'text' ? findAttributes(last.value ?? '', dialect) : undefined
  if (last === undefined || found === undefined || (found.at === 0 && children.length === 1)) return undefined
  last.value = last.value?.slice(0, found.at) ?? ''
  return found.id
}

function findAttributes(text: string, dialect: Dialect) {
  const at = text.lastIndexOf('{')
  const before = text.slice(0, Math.max(0, at))
  const { readAttributes: readOwn } = dialect.text
  const mayBe = readOwn === undefined ? at !== -1 : before.endsWith(' ')
  const read = dialect.text.syntax.includes('attributes') ? (readOwn ?? readAttributes) : undefined
  const own = mayBe ? read?.(text.slice(at)) : undefined
  if (own !== undefined) return { at: before.trimEnd().length, id: own.id }
  if (readOwn !== undefined) return undefined
  const match = ATTRIBUTES.exec(text)
  return match === null ? undefined : { at: match.index, id: /(?:^|\s)#(\S+)/.exec(match[1] ?? '')?.[1] }
}

function takeFromComment(children: TreeNode[], comment: TreeNode): string | undefined {
  const id = /^\s*\/\*\s*#(\S+)\s*\*\/\s*$/.exec(comment.value ?? '')?.[1]
  if (id === undefined) return undefined
  children.pop()
  const before = children.at(-1)
  if (before?.type === 'text') before.value = before.value?.trimEnd() ?? ''
  return id
}

/** Creates ids from texts. `taken` are used ids, which are only added to. Duplicates get a number. */
export function createSlugify(
  slugOf: (words: string) => string,
  taken: ReadonlySet<string>,
): (words: string) => string {
  // The highest number used for each id, so that a thousand equal headings do not need a million attempts.
  const counts = new Map<string, number>()
  return (words) => {
    const slug = slugOf(words)
    let count = counts.get(slug) ?? 0
    while (taken.has(withCount(slug, count))) count++
    counts.set(slug, count)
    return withCount(slug, count)
  }
}

function withCount(slug: string, count: number): string {
  return count === 0 ? slug : `${slug}-${count}`
}
