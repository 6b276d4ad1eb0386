import { join, relative, sep } from 'node:path'
import type { SiteBody, SiteView } from '../../index.ts'
import type { Adapter } from '../adapter/adapter.ts'
import type { RenderedEntry } from './astro-types.ts'

export interface CollectionEntry {
  readonly id: string
  readonly data: Record<string, unknown>
  /** Changes the entry together with its data. */
  readonly bodyDigest?: string | undefined
  /** Relative to the site, with `/`. */
  readonly filePath?: string | undefined
  readonly render?: (() => RenderedEntry | undefined) | undefined
}

/** The folders of the entries' files. Absolute paths. */
export interface EntryPlaces {
  readonly root: string
  readonly content: string
}

/** All articles, in display order. */
export function articleEntries(
  view: SiteView,
  adapter: Adapter,
  { root, content }: EntryPlaces,
): CollectionEntry[] {
  return view.articles.map(({ id, ...data }, position) => ({
    id,
    data: { ...data, position },
    bodyDigest: adapter.bodyDigest(id),
    filePath: relative(root, join(content, data.source)).replaceAll(sep, '/'),
    render: () => rendered(adapter.readBody(id)),
  }))
}

export const categoryEntries = ({ categories }: SiteView): CollectionEntry[] => categories.map(withoutBody)

export const tagEntries = ({ tags }: SiteView): CollectionEntry[] => tags.map(withoutBody)

function withoutBody({ id, ...data }: SiteView['tags'][number], position: number): CollectionEntry {
  return { id, data: { ...data, position } }
}

function rendered(body: SiteBody | undefined): RenderedEntry | undefined {
  if (body === undefined) return undefined
  const headings = body.headings.map(({ level, id, text }) => ({ depth: level, slug: id, text }))
  return { html: body.html, metadata: { headings } }
}
