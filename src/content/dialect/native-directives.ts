import type { Root } from 'mdast'
import { markdownToMdast, mdxToMdast, type Features } from 'satteri'
import { FEATURES } from '../parser/native-parser.ts'

const WITH_DIRECTIVES: Features = { ...FEATURES, directive: true }

/** See `parseNatively` for when it frees its memory. */
export function parseDirectives(text: string): Root {
  return markdownToMdast(text, { features: WITH_DIRECTIVES }) as Root
}

/** @throws where the text is no MDX, and at times where it is */
export function parseMdx(text: string): Root {
  return mdxToMdast(text, { features: WITH_DIRECTIVES }) as Root
}
