import type { PresetRules } from './field-rule.ts'
import { ownRules } from './own-rules.ts'

export const docusaurusRules: PresetRules = {
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
