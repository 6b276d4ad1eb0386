import type { PresetRules } from './field-rule.ts'
import { ownRules } from './own-rules.ts'

export const hugoRules: PresetRules = {
  foldsKeys: true,
  isPage: (data) => data['headless'] === true || isNeverRendered(data['build'] ?? data['_build']),
  translationKey: 'translationKey',
  fields: [
    ...ownRules('title', 'slug', 'tags', 'categories'),
    { field: 'title', key: 'title', reading: 'text', isWritten: true },
    { field: 'title', key: 'linkTitle', reading: 'text' },
    { field: 'slug', key: 'url', reading: 'address', isWritten: true },
    { field: 'slug', key: 'slug', reading: 'name' },
    { field: 'categories', key: 'categories', reading: 'list', isWritten: true },
    { field: 'tags', key: 'tags', reading: 'list', isWritten: true },
    { field: 'excerpt', key: 'description', reading: 'text', isWritten: true },
    { field: 'excerpt', key: 'summary', reading: 'text' },
    { field: 'status', key: 'draft', reading: 'draft', isWritten: true },
    { field: 'order', key: 'weight', reading: 'number', isWritten: true },
    // Each theme has a name of its own for it.
    { field: 'hideFromSearch', key: 'exclude_search', reading: 'flag' },
    { field: 'hideFromSearch', key: 'excludeSearch', reading: 'flag' },
    { field: 'hideFromSearch', key: 'bookSearchExclude', reading: 'flag' },
    { field: 'seoBannerUrl', key: 'images', reading: 'image' },
  ],
}

function isNeverRendered(build: unknown): boolean {
  if (typeof build !== 'object' || build === null || !('render' in build)) return false
  return build.render === 'never' || build.render === false
}
