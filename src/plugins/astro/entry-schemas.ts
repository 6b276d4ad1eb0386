import type { ZodType, z } from 'zod'
import type { SiteArticle, SiteCategory, SiteTag } from '../../index.ts'

/** The order of entries. Astro collections have none, so sort entries by it. */
interface Placed {
  /** Position in display order, from 0. */
  readonly position: number
}

/** `data` of an entry of `kbLoader()`. */
export type KbArticle = Omit<SiteArticle, 'id'> & Placed
/** `data` of an entry of `kbCategoriesLoader()`. */
export type KbCategory = Omit<SiteCategory, 'id'> & Placed
/** `data` of an entry of `kbTagsLoader()`. */
export type KbTag = Omit<SiteTag, 'id'> & Placed

/** zod of the site's Astro, 3 or 4: the parts in use are the same in both. */
export type Zod = typeof z

export function articleSchema(zod: Zod): ZodType<KbArticle> {
  return zod.object({
    source: zod.string(),
    title: zod.string(),
    slug: zod.string(),
    language: zod.string(),
    status: zod.enum(['draft', 'published']),
    excerpt: zod.string(),
    url: zod.string(),
    categories: zod.array(zod.string()),
    tags: zod.array(zod.string()),
    order: zod.number(),
    reviewDate: zod.string().nullable(),
    hideFromSearch: zod.boolean(),
    seoBannerUrl: zod.string().nullable(),
    translationOf: zod.string().nullable(),
    translations: zod.record(zod.string(), zod.string()),
    position: zod.number(),
  })
}

export function categorySchema(zod: Zod): ZodType<KbCategory> {
  return zod.object({ ...termFields(zod), parent: zod.string().nullable() })
}

export function tagSchema(zod: Zod): ZodType<KbTag> {
  return zod.object(termFields(zod))
}

function termFields(zod: Zod) {
  const texts = { name: zod.string(), slug: zod.string(), description: zod.string(), url: zod.string() }
  return { ...texts, translations: zod.record(zod.string(), zod.object(texts)), position: zod.number() }
}
