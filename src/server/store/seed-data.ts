// Categories and tags as data, since the API cannot create them.
import type { TaxonomyTexts } from '../../core/model/taxonomy.ts'

export interface SeedTag extends TaxonomyTexts {
  /** By language code. */
  readonly translations?: Readonly<Record<string, TaxonomyTexts>> | undefined
}

export interface SeedCategory extends SeedTag {
  /** Default 0. */
  readonly priority?: number | undefined
  /** Slug of another category in the seed or the database. */
  readonly parent?: string | undefined
  readonly thumbnailUrl?: string | undefined
  readonly iconUrl?: string | undefined
}

export interface Seed {
  readonly categories?: readonly SeedCategory[] | undefined
  readonly tags?: readonly SeedTag[] | undefined
}

/** Ids of created and existing items, by the slug in the seed. */
export interface SeededIds {
  readonly categories: Readonly<Record<string, string>>
  readonly tags: Readonly<Record<string, string>>
  /** Slugs of created items. */
  readonly created: { readonly categories: readonly string[]; readonly tags: readonly string[] }
}
