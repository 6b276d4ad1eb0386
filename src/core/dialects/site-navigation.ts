import type { NavigationEntry, NavigationSection, SiteNavigation } from './dialect.ts'
import { relativePath } from '../paths.ts'

export type NavigationItem =
  | { readonly kind: 'section'; readonly name: string; readonly items: readonly NavigationItem[] }
  | ({ readonly kind: 'page' | 'folder' } & Pick<NavigationEntry, 'path' | 'title' | 'position'>)

/** Ignores the label, which is shorter than the page title. The tool itself reports missing pages: no position. */
export function untitledItem(kind: 'page' | 'folder', path: string): NavigationItem {
  return { kind, path, title: undefined, position: undefined }
}

export function sectionItem(name: string, items: readonly NavigationItem[]): NavigationItem {
  return { kind: 'section', name, items }
}

/** Flattens a tree to pages and folders with their sections. Each item has its position among its siblings. */
export function listNavigation(
  items: readonly NavigationItem[],
  sections: readonly NavigationSection[] = [],
): NavigationEntry[] {
  return items.flatMap((item, index): NavigationEntry[] => {
    const order = index + 1
    if (item.kind === 'section') return listNavigation(item.items, [...sections, { name: item.name, order }])
    return [{ ...item, order, sections }]
  })
}

/** @param file absolute */
export function navigationOf(
  entries: readonly NavigationEntry[],
  file: string | undefined,
  contentRoot: string,
): SiteNavigation | undefined {
  if (file === undefined || entries.length === 0) return undefined
  return { source: relativePath(contentRoot, file), entries }
}
