import type { PresetName } from '../../core/model/preset-name.ts'
import type { PresetRules } from './field-rule.ts'
import { ownRules } from './own-rules.ts'

const hugoRules: PresetRules = {
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

const docusaurusRules: PresetRules = {
  foldsKeys: false,
  isPage: () => false,
  fields: [
    ...ownRules('title', 'slug', 'tags'),
    { field: 'title', key: 'title', reading: 'text', isWritten: true },
    { field: 'slug', key: 'slug', reading: 'address', isWritten: true },
    { field: 'slug', key: 'id', reading: 'name' },
    { field: 'tags', key: 'tags', reading: 'list', isWritten: true },
    { field: 'excerpt', key: 'description', reading: 'text', isWritten: true },
    { field: 'status', key: 'draft', reading: 'draft', isWritten: true },
    { field: 'order', key: 'sidebar_position', reading: 'number', isWritten: true },
    { field: 'hideFromSearch', key: 'unlisted', reading: 'flag' },
    { field: 'seoBannerUrl', key: 'image', reading: 'image', isWritten: true },
  ],
}

const vitepressRules: PresetRules = {
  foldsKeys: false,
  // `layout: false` is a page without any layout; a custom one is a component's name.
  isPage: ({ layout }) => layout === 'home' || layout === 'page' || layout === false,
  fields: [
    ...ownRules('title', 'tags'),
    { field: 'title', key: 'title', reading: 'text', isWritten: true },
    { field: 'tags', key: 'tags', reading: 'list', isWritten: true },
    { field: 'excerpt', key: 'description', reading: 'text', isWritten: true },
    { field: 'hideFromSearch', key: 'search', reading: 'shown', isWritten: true },
  ],
}

export const PRESET_RULES: Readonly<Record<PresetName, PresetRules>> = {
  docusaurus: docusaurusRules,
  vitepress: vitepressRules,
  hugo: hugoRules,
}
