import type { Element } from 'hast'
import type { Nodes } from 'mdast'
import type { Problem, Span } from '../../core/model/diagnostic.ts'
import type { SourcePlaces } from '../markdown/source-places.ts'

type NodeOf<Type extends Nodes['type']> = Extract<Nodes, { readonly type: Type }>

/** Looks at nodes of some types in the text as it was written; nodes that nobody wrote are not shown to it. */
export interface MarkdownRule<Type extends Nodes['type'] = Nodes['type']> {
  readonly types: readonly Type[]
  readonly check: (node: NodeOf<Type>, places: SourcePlaces) => readonly Problem[]
}

/** Looks at elements that were written as HTML. */
export interface HtmlRule {
  readonly tagName: string
  /** `placeOf` gives the place of the opening tag; to find it is work. */
  readonly check: (element: Element, placeOf: (element: Element) => Span) => readonly Problem[]
}

/** A heading of the article as it is sent, in the order of the text. */
export interface HeadingPlace extends Span {
  readonly depth: number
}

/** A rule for the table of all: the walk calls it with no other nodes than those of its types. */
export function defineMarkdownRule<Type extends Nodes['type']>(rule: MarkdownRule<Type>): MarkdownRule {
  return rule as unknown as MarkdownRule
}
