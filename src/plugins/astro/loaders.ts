import { fileURLToPath } from 'node:url'
import type { Reading } from '../adapter/adapter.ts'
import type { LoaderContext } from './astro-types.ts'
import { articleEntries, categoryEntries, type Entry, type EntryPlaces, tagEntries } from './entries.ts'
import { articleSchema, categorySchema, tagSchema, type Zod } from './entry-schemas.ts'
import { fillStore } from './fill-store.ts'
import { importFromAstro, readAstroMajor } from './import-from-astro.ts'
import { findContent, LOADER_NAMES, type OfferedContent } from './offered-content.ts'
import { readSound } from './read-sound.ts'

export interface KbLoaderOptions {
  /** Which integration is meant, where a site has several: its `config`. */
  readonly config?: string | undefined
}

/** A loader as `defineCollection` of Astro takes it. */
export interface KbLoader {
  name: string
  load: (context: LoaderContext) => Promise<void>
  // Each version of Astro has another type here, made of its own zod.
  // oxlint-disable-next-line typescript/no-explicit-any
  schema?: any
  // oxlint-disable-next-line typescript/no-explicit-any
  createSchema?: () => Promise<{ schema: any; types: string }>
}

/** Articles; `render()` gives text and headings. */
export function kbLoader(options: KbLoaderOptions = {}): KbLoader {
  return createLoader(options, {
    name: LOADER_NAMES[0],
    dataType: 'KbArticle',
    schema: articleSchema,
    entries: ({ view }, { feed }, places) => articleEntries(view, feed.adapter, places),
  })
}

/** Categories; a parent has its position before its children. */
export function kbCategoriesLoader(options: KbLoaderOptions = {}): KbLoader {
  return createLoader(options, {
    name: LOADER_NAMES[1],
    dataType: 'KbCategory',
    schema: categorySchema,
    entries: ({ view }) => categoryEntries(view),
  })
}

export function kbTagsLoader(options: KbLoaderOptions = {}): KbLoader {
  return createLoader(options, {
    name: LOADER_NAMES[2],
    dataType: 'KbTag',
    schema: tagSchema,
    entries: ({ view }) => tagEntries(view),
  })
}

interface Kind {
  readonly name: string
  /** Name of the exported type of the data. */
  readonly dataType: string
  readonly schema: (zod: Zod) => unknown
  readonly entries: (reading: Reading, content: OfferedContent, places: EntryPlaces) => Entry[]
}

function createLoader({ config }: KbLoaderOptions, { name, dataType, schema, entries }: Kind): KbLoader {
  const load = async (context: LoaderContext): Promise<void> => {
    const content = await findContent(context.config, config)
    const { feed } = content
    const fill = async (reading: Reading): Promise<void> => {
      const places = {
        root: fileURLToPath(context.config.root),
        content: (await feed.adapter.watched()).content,
      }
      await fillStore(context, entries(reading, content, places))
    }
    await fill(await readSound(content))
    feed.subscribe(context.collection, fill)
  }
  return { name, load, ...schemaMember(schema, `export type Entry = import('kb-sync/astro').${dataType}\n`) }
}

/** Astro 5 makes types of a schema that a function gives it; later ones warn of that, and take the types beside it. */
function schemaMember(make: Kind['schema'], types: string): Pick<KbLoader, 'schema' | 'createSchema'> {
  const schema = async () => make((await importFromAstro('astro/zod')).z as Zod)
  return readAstroMajor() < 6 ? { schema } : { createSchema: async () => ({ schema: await schema(), types }) }
}
