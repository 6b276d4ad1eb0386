import { defineCollection } from 'astro:content'
import { kbCategoriesLoader, kbLoader } from 'kb-sync/astro'

export const collections = {
  kb: defineCollection({ loader: kbLoader() }),
  kbCategories: defineCollection({ loader: kbCategoriesLoader() }),
}
