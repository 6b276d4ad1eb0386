import type { Nodes, Root } from 'mdast'
import type { Problem } from '../../core/model/diagnostic.ts'
import type { SourcePlaces } from '../markdown/source-places.ts'
import { bareUrl } from './bare-url.ts'
import { imageAltMissing } from './image-alt-missing.ts'
import { linkReferenceUndefined } from './link-reference-undefined.ts'
import { linkTextEmpty } from './link-text-empty.ts'
import type { HeadingPlace, MarkdownRule } from './rule.ts'
import { urlTooLong } from './url-too-long.ts'

const RULES: readonly MarkdownRule[] = [
  imageAltMissing,
  linkTextEmpty,
  bareUrl,
  urlTooLong,
  linkReferenceUndefined,
]

const MADE_HTML = new Set<Nodes['type']>(['heading', 'image', 'imageReference', 'link', 'linkReference'])

const RULES_BY_TYPE = byType(RULES)

export interface MarkdownFindings {
  readonly headings: readonly HeadingPlace[]
  /** Where the nodes that become HTML of the same kind begin: what stands elsewhere was written as HTML. */
  readonly written: ReadonlySet<string>
}

/** Shows every node to the rules that want it, in one walk. */
export function walkMarkdown(tree: Root, places: SourcePlaces, problems: Problem[]): MarkdownFindings {
  const headings: HeadingPlace[] = []
  const written = new Set<string>()
  const visit = (node: Nodes): void => {
    // Most nodes are of interest to nobody, so this is asked first.
    const rules = RULES_BY_TYPE.get(node.type)
    if (rules !== undefined && node.position !== undefined) {
      for (const rule of rules) for (const problem of rule.check(node, places)) problems.push(problem)
      if (node.type === 'heading') headings.push({ depth: node.depth, ...places.of(node) })
      if (MADE_HTML.has(node.type)) written.add(placeKey(node))
    }
    if ('children' in node) for (const child of node.children) visit(child)
  }
  visit(tree)
  return { headings, written }
}

/** Tells nodes apart by where they begin. */
export function placeKey({ position }: Pick<Nodes, 'position'>): string {
  return `${position?.start.line}:${position?.start.column}`
}

/** Every type that anybody looks at; the rules of some are none. */
function byType(rules: readonly MarkdownRule[]): ReadonlyMap<string, readonly MarkdownRule[]> {
  const types = new Set([...MADE_HTML, ...rules.flatMap((rule) => rule.types)])
  return new Map([...types].map((type) => [type, rules.filter((rule) => rule.types.includes(type))]))
}
