// The Astro integration, and loaders for content collections. Astro users expect an integration as the default export.
export { kb, kb as default } from './astro/integration.ts'
export {
  kbCategoriesLoader,
  kbLoader,
  kbTagsLoader,
  type KbLoader,
  type KbLoaderOptions,
} from './astro/loaders.ts'
export type { KbArticle, KbCategory, KbTag } from './astro/entry-schemas.ts'
export type { PluginOptions as KbOptions } from './adapter/plugin-options.ts'
