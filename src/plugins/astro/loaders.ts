import type { LoaderContext, StoredEntry, RenderedEntry } from './astro-types.ts'
import { fileURLToPath } from 'node:url'
import { KbError } from '../../core/errors/kb-error.ts'
import type { Adapter, ContentReading } from '../adapter/adapter.ts'
import { articleSchema, categorySchema, tagSchema, type Zod } from './entry-schemas.ts'
import { importFromAstro, readAstroMajor } from './import-from-astro.ts'
import type { ContentListener } from './live-feed.ts'
import { findOfferedContent, readOfferedContent } from './offered-content.ts'
import { join, relative, sep } from 'node:path'
import type { SiteBody, SiteView } from '../../index.ts'

export interface KbLoaderOptions {
  /** The `config` of the integration to use, if a site has several. */
  readonly config?: string | undefined
}

/** A loader for Astro's `defineCollection`. */
export interface KbLoader {
  name: string
  load: (context: LoaderContext) => Promise<void>
  // Each version of Astro has another type here, based on its version of zod.
  // oxlint-disable-next-line typescript/no-explicit-any
  schema?: any
  // oxlint-disable-next-line typescript/no-explicit-any
  createSchema?: () => Promise<{ schema: any; types: string }>
}

/**
 * A loader for a content collection of the articles. `render()` returns the text and the headings of an entry.
 *
 * @throws KbError CONFIG_INVALID
 *
 * @example
 * ```js
 * import { defineCollection } from 'astro:content'
 * import { kbLoader } from 'kb-sync/astro'
 *
 * export const collections = { kb: defineCollection({ loader: kbLoader() }) }
 * ```
 */
export function kbLoader(options: KbLoaderOptions = {}): KbLoader {
  return createLoader(options, {
    name: 'kb-sync',
    dataType: 'KbArticle',
    schema: articleSchema,
    entries: ({ view }, adapter, places) => articleEntries(view, adapter, places),
  })
}

/**
 * A loader for a content collection of the categories. The position of a parent is before those of its children.
 *
 * @throws KbError CONFIG_INVALID
 *
 * @example
 * ```js
 * import { defineCollection } from 'astro:content'
 * import { kbCategoriesLoader } from 'kb-sync/astro'
 *
 * export const collections = { kbCategories: defineCollection({ loader: kbCategoriesLoader() }) }
 * ```
 */
export function kbCategoriesLoader(options: KbLoaderOptions = {}): KbLoader {
  return createLoader(options, {
    name: 'kb-sync-categories',
    dataType: 'KbCategory',
    schema: categorySchema,
    entries: ({ view }) => categoryEntries(view),
  })
}

/**
 * A loader for a content collection of the tags.
 *
 * @throws KbError CONFIG_INVALID
 *
 * @example
 * ```js
 * import { defineCollection } from 'astro:content'
 * import { kbTagsLoader } from 'kb-sync/astro'
 *
 * export const collections = { kbTags: defineCollection({ loader: kbTagsLoader() }) }
 * ```
 */
export function kbTagsLoader(options: KbLoaderOptions = {}): KbLoader {
  return createLoader(options, {
    name: 'kb-sync-tags',
    dataType: 'KbTag',
    schema: tagSchema,
    entries: ({ view }) => tagEntries(view),
  })
}

interface Kind {
  readonly name: string
  /** Name of the exported data type. */
  readonly dataType: string
  readonly schema: (zod: Zod) => unknown
  readonly entries: (reading: ContentReading, adapter: Adapter, places: EntryPlaces) => CollectionEntry[]
}

function createLoader(options: KbLoaderOptions, { name, dataType, schema, entries }: Kind): KbLoader {
  assertLoaderOptions(options)
  const { config } = options
  const load = (context: LoaderContext): Promise<void> =>
    fillCollection(context, config, async (reading, adapter) => {
      const places = { root: fileURLToPath(context.config.root), content: (await adapter.watched()).content }
      await fillStore(context, entries(reading, adapter, places))
    })
  return { name, load, ...schemaMember(schema, `export type Entry = import('kb-sync/astro').${dataType}\n`) }
}

/** Fills a collection with the content that its site offers, now and after every later check. @param name of `config` */
export async function fillCollection(
  { config, collection }: Pick<LoaderContext, 'config' | 'collection'>,
  name: string | undefined,
  fill: ContentListener,
): Promise<void> {
  let content = await findOfferedContent(config, name)
  let hasMissed = false
  for (let filled; content !== filled; content = await findOfferedContent(config, name)) {
    content.feed.subscribe(collection, async () => void (hasMissed = true))
    await fill(await readOfferedContent(content), content.feed.adapter)
    // A restart of the dev server may have replaced the content during the read.
    filled = content
  }
  content.feed.subscribe(collection, fill)
  if (hasMissed) await content.feed.check()
}

/** Astro 5 derives types from a schema function. Later versions warn about it and use the separate types. */
function schemaMember(make: Kind['schema'], types: string): Pick<KbLoader, 'schema' | 'createSchema'> {
  const schema = async () => make((await importFromAstro('astro/zod')).z as Zod)
  return readAstroMajor() < 6 ? { schema } : { createSchema: async () => ({ schema: await schema(), types }) }
}

/**
 * Rejects unknown options: a misspelled `config` would be ignored, and another knowledge base would be read.
 *
 * @throws KbError CONFIG_INVALID
 */
function assertLoaderOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throw new KbError('CONFIG_INVALID', 'A loader of kb-sync for Astro requires an object with options.')
  for (const [name, value] of Object.entries(options)) {
    if (name !== 'config')
      throw new KbError(
        'CONFIG_INVALID',
        `A loader of kb-sync for Astro has no option "${name}", only "config".`,
      )
    if (value !== undefined && typeof value !== 'string')
      throw new KbError('CONFIG_INVALID', 'A loader of kb-sync for Astro: config must be of type string.')
  }
}

// Astro caches entries between runs. Increase this number if their form changes.
const FORM = 1

/**
 * Updates a collection. Unchanged entries are neither rendered nor written again.
 *
 * @throws an Astro error if the data do not match the site's schema
 */
export async function fillStore(
  { store, generateDigest, parseData }: Pick<LoaderContext, 'store' | 'generateDigest' | 'parseData'>,
  entries: readonly CollectionEntry[],
): Promise<void> {
  const ids = new Set(entries.map(({ id }) => id))
  for (const id of store.keys()) if (!ids.has(id)) store.delete(id)
  for (const entry of entries) {
    const { id, data, bodyDigest, filePath } = entry
    const digest = generateDigest({ form: FORM, data, bodyDigest, filePath })
    // oxlint-disable-next-line no-await-in-loop -- one text at a time in memory beside those that are stored
    if (store.get(id)?.digest !== digest) store.set(await storedEntry(entry, digest, parseData))
  }
}

async function storedEntry(
  { id, data, filePath, render }: CollectionEntry,
  digest: string | number,
  parseData: LoaderContext['parseData'],
): Promise<StoredEntry> {
  const place = filePath === undefined ? {} : { filePath }
  const rendered = render?.()
  return {
    id,
    data: await parseData({ id, data, ...place }),
    digest,
    ...place,
    ...(rendered === undefined ? {} : { rendered }),
  }
}

interface CollectionEntry {
  readonly id: string
  readonly data: Record<string, unknown>
  /** Digest of the body. The entry changes if it or the data change. */
  readonly bodyDigest?: string | undefined
  /** Relative to the site, with `/`. */
  readonly filePath?: string | undefined
  readonly render?: (() => RenderedEntry | undefined) | undefined
}

/** The folders of the entries' files. Absolute paths. */
interface EntryPlaces {
  readonly root: string
  readonly content: string
}

/** Returns all articles, in display order. */
function articleEntries(view: SiteView, adapter: Adapter, { root, content }: EntryPlaces): CollectionEntry[] {
  return view.articles.map(({ id, ...data }, position) => ({
    id,
    data: { ...data, position },
    bodyDigest: adapter.bodyDigest(id),
    filePath: relative(root, join(content, data.source)).replaceAll(sep, '/'),
    render: () => toRendered(adapter.readBody(id)),
  }))
}

const categoryEntries = ({ categories }: SiteView): CollectionEntry[] => categories.map(withoutBody)

const tagEntries = ({ tags }: SiteView): CollectionEntry[] => tags.map(withoutBody)

function withoutBody({ id, ...data }: SiteView['tags'][number], position: number): CollectionEntry {
  return { id, data: { ...data, position } }
}

function toRendered(body: SiteBody | undefined): RenderedEntry | undefined {
  if (body === undefined) return undefined
  const headings = body.headings.map(({ level, id, text }) => ({ depth: level, slug: id, text }))
  return { html: body.html, metadata: { headings } }
}
