import { dialectOf, type PresetName } from '../../core/dialects/dialects.ts'
import { readSource } from '../../content/source/read-source.ts'
import { splitFrontmatter } from '../../content/frontmatter/split-frontmatter.ts'
import { lookUp } from '../../core/model/taxonomy.ts'
import { formatCategoryPath, parseCategoryPath } from '../../core/category-path.ts'

/** Returns an article about writing articles, its own example. @param kb runs kb in the project, such as `npx kb` */
export function firstArticleText(category: string, tag: string | undefined, kb: string): string {
  return `---
title: How to write an article
categories: [${yamlText(category)}]
${tag === undefined ? '' : `tags: [${yamlText(tag)}]\n`}excerpt: An article is a Markdown file with a few lines of YAML at the top. This one shows both.
status: published
---

An article is a Markdown file. The lines between the two \`---\` describe it: \`title\` and \`categories\` are required, and everything
else has a default. Its file name becomes the last part of its URL.

${ADVICE}

> [!TIP]
> Without the line \`status: published\`, an article is a draft, which only editors can see.

${linkingText(kb)}`
}

/** Returns such an article for the folder of a site, in its tool's terms. */
export function siteArticleText(options: { readonly preset: PresetName; readonly kb: string }): string {
  const { preset, kb } = options
  return `---
title: How to write an article
description: An article is a Markdown file with a few lines of YAML at the top. This one shows both.
---

An article is a Markdown file. The lines between the two \`---\` describe it, as in any file of ${dialectOf(preset).label}, and its
folder is its category. Its file name becomes the last part of its URL.

${ADVICE}

${linkingText(kb)}`
}

const ADVICE = `## Say what readers want to do

Give each article one task, and put the task into the title, in the words that readers search for: *Reset your password*
rather than *Password management*.

1. Start with what most readers need.
2. Write steps as a numbered list, one action in each.
3. Name things as they appear on the screen, in **bold**.`

function linkingText(kb: string): string {
  return `## Link to other articles

Link to files, as in [say what readers want to do](#say-what-readers-want-to-do) or \`[prices](prices.md)\`. kb-sync turns
them into URLs, and reports broken links.

| you want to | run |
| --- | --- |
| create another article | \`${kb} new "Reset your password"\` |
| find problems | \`${kb} check\` |
| publish what has changed | \`${kb} sync\` |
`
}

function yamlText(text: string): string {
  return /^[\p{L}][\p{L}\p{N} _-]*$/u.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text.trimEnd()
    : JSON.stringify(text)
}

/** The categories and tags in the frontmatter of articles. */
export interface UsedTaxonomy {
  readonly categories: readonly string[]
  readonly tags: readonly string[]
}

/** An entry of a taxonomy file. */
export interface NamedEntry {
  readonly name: string
  /** Path of names, joined by `/`. */
  readonly parent?: string
}

/** Reads the categories and tags in Markdown files. Skips files that `kb check` reports. `files` are absolute. */
export function readNamedTaxonomy(files: readonly string[]): UsedTaxonomy {
  const frontmatter = files.map(readFrontmatter)
  const namedBy = (key: string) => [...new Set(frontmatter.flatMap((each) => textsOf(each[key])))]
  return { categories: namedBy('categories'), tags: namedBy('tags') }
}

/** Returns the categories for `references` (names, or paths of names), parents first. */
export function usedCategories(references: readonly string[]): NamedEntry[] {
  const found: { readonly name: string; readonly path: readonly string[] }[] = []
  const paths = references.map((reference) => ({ reference, path: parseCategoryPath(reference) }))
  // A single name may refer to a category that another article refers to by its path.
  for (const { reference, path } of paths.toSorted((a, b) => b.path.length - a.path.length)) {
    if (lookUp(reference, found).kind !== 'none' || path.some((name) => name.trim() === '')) continue
    for (let depth = 1; depth <= path.length; depth++) {
      const above = path.slice(0, depth)
      const isThere = found.some((each) => formatCategoryPath(each.path) === formatCategoryPath(above))
      if (!isThere) found.push({ name: above.at(-1) ?? '', path: above })
    }
  }
  return found
    .toSorted((a, b) => (formatCategoryPath(a.path) < formatCategoryPath(b.path) ? -1 : 1))
    .map(({ name, path }) => ({
      name,
      ...(path.length > 1 && { parent: formatCategoryPath(path.slice(0, -1)) }),
    }))
}

function readFrontmatter(file: string): Readonly<Record<string, unknown>> {
  const read = readSource(file)
  if (read.kind === 'problem') return {}
  const split = splitFrontmatter(read.text)
  return split.kind === 'problem' ? {} : (Object(split.yaml.value) as Record<string, unknown>)
}

function textsOf(value: unknown): string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value]
  return texts.filter((text) => typeof text === 'string').filter((text) => text.trim() !== '')
}
