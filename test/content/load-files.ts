// Content in a temporary folder, loaded like in a sync.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { createSourceFilter, findSources } from '../../src/content/source/find-sources.ts'
import { hashSources } from '../../src/content/source/hash-sources.ts'
import type { ContentOptions } from '../../src/content/pipeline/content-options.ts'
import { type LoadedContent, loadContent } from '../../src/content/pipeline/load-content.ts'
import { openRenderCache } from '../../src/content/pipeline/render-cache.ts'
import type { RuleSeverities } from '../../src/core/model/diagnostic-codes.ts'
import { temporaryFolder } from '../support/folder.ts'

export type Files = Readonly<Record<string, string | Buffer>>

/** Frontmatter of an article in the category `Guides`, four lines long. */
export const FRONTMATTER = '---\ntitle: Example\ncategories: [Guides]\n---\n'

/** Creates a folder with these files, which is removed after the test. */
export function contentFolder(files: Files): string {
  const root = temporaryFolder()
  writeFiles(root, files)
  return root
}

export function writeFiles(root: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
}

/** Rules of style that most tests do not check. */
const QUIET: RuleSeverities = {
  'asset-unused': 'off',
  'bare-url': 'off',
  'heading-second-h1': 'off',
  'heading-skipped': 'off',
  'image-alt-missing': 'off',
  'link-reference-undefined': 'off',
  'link-text-empty': 'off',
  'link-to-draft': 'off',
  'site-address': 'off',
  'excerpt-from-title': 'off',
  'tags-alike': 'off',
  'trailing-space': 'off',
}

export function contentOptions(root: string, changes: Partial<ContentOptions> = {}): ContentOptions {
  return {
    root,
    contentRoot: root,
    markdown: { parser: 'native', remarkPlugins: [], allow: {} },
    renderDigest: 'settings',
    defaults: { language: 'en', status: 'draft', order: 0, reviewAfterDays: 180, categories: [] },
    articleUrl: ({ slug, language }) => `/${language}/${slug}`,
    categoryUrl: ({ slug, language }) => `/${language}/categories/${slug}`,
    tagUrl: ({ slug, language }) => `/${language}/tags/${slug}`,
    assets: { inlineUnderBytes: 1000, baseUrl: undefined, maxSizeBytes: 10_000 },
    brokenLinks: 'keep',
    rules: QUIET,
    overrides: [],
    ...changes,
  }
}

/** The result of loading a content folder; `html` by source. */
export interface LoadedFolder extends Omit<LoadedContent, 'readHtml'> {
  readonly html: Readonly<Record<string, string>>
}

/** Loads the articles of a folder. Its cache is in `.kb` below it. */
export async function loadFolder(root: string, changes: Partial<ContentOptions> = {}): Promise<LoadedFolder> {
  const found = findSources(root, await createSourceFilter(['**/*.md', '**/*.mdx'], []), changes.preset)
  const hashes = hashSources(
    root,
    found.articles.map(({ source }) => source),
  )
  const cache = openRenderCache(join(root, '.kb', 'rendered.db'))
  try {
    const request = { options: contentOptions(root, changes), found, hashes, cache }
    const { readHtml, ...content } = await loadContent(request)
    const readAll = () =>
      Object.fromEntries(content.articles.map((article) => [article.source, readHtml(article)]))
    const html = readAll()
    // The first reading has the URLs of the links from the load; the second resolves them again.
    expect(readAll()).toEqual(html)
    return { ...content, html }
  } finally {
    cache.close()
  }
}

export async function loadFiles(files: Files, changes: Partial<ContentOptions> = {}): Promise<LoadedFolder> {
  return loadFolder(contentFolder(files), changes)
}

/** Returns positions and codes without messages, for tests that do not check these. */
export function placesOf({ diagnostics }: Pick<LoadedContent, 'diagnostics'>): string[] {
  return diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)
}
