import type { PresetRules } from './field-rule.ts'
import { ownRules } from './own-rules.ts'

export const vitepressRules: PresetRules = {
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
