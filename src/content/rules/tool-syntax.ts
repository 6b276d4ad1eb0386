// Syntax of tools that is not read here: without a preset it is text, and readers would see it.
import type { Root } from 'mdast'
import { visit } from 'unist-util-visit'
import type { Problem } from '../../model/diagnostic.ts'
import type { SourcePlaces } from '../markdown/source-places.ts'

interface Syntax {
  readonly tool: string
  readonly pattern: RegExp
  readonly hint: string
  /** Files with this ending alone; elsewhere the words may be meant. */
  readonly ending?: string
}

const ADMONITIONS =
  'abstract|attention|bug|caution|check|cite|danger|done|error|example|fail|failure|faq|help|hint|important|info|missing|' +
  'note|question|quote|snippet|success|summary|tip|tldr|todo|warning'

const NO_PRESET = 'There is no preset for it: write it in Markdown, or turn this rule off.'

const SYNTAXES: readonly Syntax[] = [
  {
    tool: 'MDX, as Docusaurus has it,',
    pattern:
      /^(?:import\s+(?:[\w*{][^'"\n]*\sfrom\s+)?['"][^'"\n]+['"]|export\s+(?:default|const|let|function)\b.*)|\{\/\*[\s\S]*?\*\/\}/gm,
    hint: "Set preset: 'docusaurus', which reads MDX, or take the file out with exclude.",
    ending: '.mdx',
  },
  {
    tool: 'a shortcode of Hugo',
    pattern: /\{\{[<%].*?[>%]\}\}/g,
    hint: "Set preset: 'hugo', or write it in Markdown.",
  },
  {
    tool: 'syntax of MkDocs',
    pattern: new RegExp(
      [
        String.raw`^(?:!!!|\?\?\?\+?)[ \t]+(?:(?:${ADMONITIONS})\b.*|[a-z][\w -]*"[^"\n]*")`,
        String.raw`^===[!+]?[ \t]+"[^"\n]+"`,
        String.raw`^-{1,2}8<-{1,2}(?:[ \t]+["'].*)?$`,
        String.raw`\{[ \t]*\.md-[\w-]+[^{}\n]*\}`,
      ].join('|'),
      'gm',
    ),
    hint: NO_PRESET,
  },
  {
    tool: 'Liquid, the template language of Jekyll and GitBook,',
    pattern:
      /(?<!\{)\{%-?[ \t]*[a-z][\w-]*\b[^\n]*?%\}(?!\})|\{\{-?[ \t]*(?:site|page|include|layout|post)\.[\w.]+[^{}\n]*\}\}/g,
    hint: NO_PRESET,
  },
]

/** Finds it in the words of a text; code shows what it likes. */
export function toolSyntax(mdast: Root, places: SourcePlaces, source: string | undefined): Problem[] {
  const syntaxes = SYNTAXES.filter(({ ending }) => ending === undefined || source?.endsWith(ending) === true)
  const problems: Problem[] = []
  visit(mdast, 'text', (node) => {
    for (const { tool, pattern, hint } of syntaxes) {
      const written = places.textOf(node)
      let from = 0
      for (const [found] of node.value.matchAll(pattern)) {
        const at = written.indexOf(found, from)
        from = at === -1 ? from : at + found.length
        problems.push({
          code: 'tool-syntax',
          ...(at === -1 ? places.of(node) : places.within(node, at, from)),
          message: `This is ${tool.endsWith(',') ? tool : `${tool},`} and is sent as text: ${shortened(found)}`,
          hint,
        })
      }
    }
  })
  return problems
}

const SHOWN = 40

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}
