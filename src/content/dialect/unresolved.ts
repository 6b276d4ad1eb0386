// Values that only the tool knows are removed. In text, readers notice that something is missing. In a command or a
// URL, they would use the incomplete text, so a missing value there is an error.
import { find, html } from 'property-information'
import type { Problem } from '../../core/model/diagnostic.ts'
import { URL_PROPERTIES } from '../markdown/screen-url.ts'

/** The context of a missing value. */
export type HoleContext = 'code' | 'url' | 'text'

/**
 * @param what name of the value, at the start of a sentence
 * @param reason why it is missing, as the start of a sentence
 */
export function unresolvedProblem(
  what: string,
  context: Exclude<HoleContext, 'text'>,
  reason = `${what} has no value here`,
): Pick<Problem, 'code' | 'message' | 'hint'> {
  return {
    code: 'value-unresolved',
    message: `${reason}, so ${context === 'code' ? 'the code' : 'the URL'} would be incomplete.`,
    hint: 'Write the value itself.',
  }
}

/** Elements whose text readers type literally. */
export const CODE_ELEMENTS: ReadonlySet<string> = new Set(['code', 'kbd', 'pre', 'samp', 'tt'])

/** Returns true if an attribute, by its HTML name, contains a URL. */
export function isUrlAttribute(name: string): boolean {
  return name.toLowerCase() === 'srcset' || URL_PROPERTIES.has(find(html, name).property)
}

const LONGEST_URL = 2000

/** Returns true if the text between `before` and `after`, on the same line, is part of a bare URL. */
export function isInBareUrl(before: string, after: string): boolean {
  const start = lastWordOf(before.slice(-LONGEST_URL))
  return /:\/\/|^[^\w]*www\./i.test(start) || (/(?:^|[^\w/.-])$/.test(start) && /^(?::\/\/|\/\w)/.test(after))
}

function lastWordOf(text: string): string {
  let at = text.length
  while (at > 0 && !/\s/.test(text[at - 1] ?? '')) at--
  return text.slice(at)
}

/** Number of open elements whose text readers type. */
export interface CodeDepth {
  code: number
}

const TAG_OR_END = /<(\/?)([A-Za-z][\w-]*)|\/?>/g

/** Returns the contexts of ascending `offsets` in raw HTML. Its tags update `depth`. Takes linear time. */
export function contextsInHtml(
  text: string,
  offsets: readonly number[],
  depth: CodeDepth,
): readonly HoleContext[] {
  const contexts: HoleContext[] = []
  let tag: { readonly at: number; readonly name: string; readonly isClosing: boolean } | undefined
  const readUpTo = (end: number): void => {
    for (let at = offsets[contexts.length]; at !== undefined && at < end; at = offsets[contexts.length]) {
      if (tag !== undefined) contexts.push(contextInTag(text.slice(tag.at, at)))
      else if (depth.code > 0) contexts.push('code')
      else contexts.push(isInBareUrl(text.slice(Math.max(0, at - LONGEST_URL), at), '') ? 'url' : 'text')
    }
  }
  for (const { 0: token, 1: slash, 2: name = '', index } of text.matchAll(TAG_OR_END)) {
    readUpTo(index)
    if (name !== '') tag = { at: index, name: name.toLowerCase(), isClosing: slash === '/' }
    else if (tag !== undefined) {
      if (CODE_ELEMENTS.has(tag.name) && token === '>')
        depth.code = Math.max(0, depth.code + (tag.isClosing ? -1 : 1))
      tag = undefined
    }
  }
  readUpTo(Infinity)
  return contexts
}

const ATTRIBUTE = /([\w:@.-]+)\s*=\s*(?:"[^"]*|'[^']*|[^\s"'>]*)$/

function contextInTag(before: string): HoleContext {
  const name = ATTRIBUTE.exec(before.slice(-LONGEST_URL))?.[1]
  return name !== undefined && isUrlAttribute(name) ? 'url' : 'text'
}
