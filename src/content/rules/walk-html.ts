import type { Element, Parents, Root } from 'hast'
import type { Problem } from '../../core/model/diagnostic.ts'
import type { SourcePlaces } from '../markdown/source-places.ts'
import { htmlImageAltMissing } from './image-alt-missing.ts'
import { htmlLinkTextEmpty } from './link-text-empty.ts'
import type { HeadingPlace, HtmlRule } from './rule.ts'
import { htmlUrlTooLong } from './url-too-long.ts'
import { placeKey } from './walk-markdown.ts'

const RULES: readonly HtmlRule[] = [htmlImageAltMissing, htmlLinkTextEmpty, ...htmlUrlTooLong]

const HEADING = /^h([1-6])$/

/**
 * Shows every element that was written as HTML to the rules that want it, and returns all headings, however they were
 * written; `written` tells what Markdown made.
 */
export function walkHtml(
  tree: Root,
  written: ReadonlySet<string>,
  places: SourcePlaces,
  problems: Problem[],
): HeadingPlace[] {
  const headings: HeadingPlace[] = []
  const placeOf = (element: Element) =>
    written.has(placeKey(element)) ? places.of(element) : places.ofTag(element, element.tagName)
  const visit = (parent: Parents): void => {
    for (const child of parent.children) {
      if (child.type !== 'element') continue
      const depth = HEADING.exec(child.tagName)?.[1]
      if (depth !== undefined && child.properties['id'] !== 'footnote-label')
        headings.push({ depth: Number(depth), ...placeOf(child) })
      for (const rule of RULES)
        if (rule.tagName === child.tagName && child.position !== undefined && !written.has(placeKey(child)))
          problems.push(...rule.check(child, placeOf))
      visit(child)
    }
  }
  visit(tree)
  return headings
}
