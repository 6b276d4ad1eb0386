// Grammars of Prism. Loading all 300 would take 0.4 s at the start of every thread; the common ones and those typical
// of documentation take less than a tenth of a second.
import { createContext, Script } from 'node:vm'
import type { Element, ElementContent, Parents, Root, RootContent } from 'hast'
import { refractor } from 'refractor'
import docker from 'refractor/docker'
import http from 'refractor/http'
import jsx from 'refractor/jsx'
import powershell from 'refractor/powershell'
import toml from 'refractor/toml'
import tsx from 'refractor/tsx'
import { errorCodeOf } from './error-code.ts'

for (const syntax of [docker, http, jsx, powershell, toml, tsx]) refractor.register(syntax)

// Names that GitHub knows but Prism does not.
refractor.alias({ bash: ['console', 'zsh'], cpp: ['c++'], csharp: ['c#'], json: ['json5', 'jsonc'] })

// The library's table inherits functions, so it is not used directly.
const LANGUAGES: ReadonlySet<string> = new Set(refractor.listLanguages())

/** Longer code is not highlighted, because some regular expressions of the grammars are slow. */
const LIMIT_CHARACTERS = 50_000

/** Long lines, as in minified code, take time that grows with the square of the length. */
const LONG_LINE = /[^\n]{2001}/

/** Adds Prism's `token` classes to the tokens of every code block with a known language. */
export function highlightTree(tree: Root): void {
  highlightIn(tree, undefined)
}

/**
 * Highlights code of any origin for at most `limitMs`; the rest stays unchanged. The time limit of V8 also stops a
 * regular expression that would run for minutes.
 */
export function highlightBriefly(tree: Root, limitMs: number): void {
  try {
    new Script('run()').runInContext(createContext({ run: () => highlightTree(tree) }), { timeout: limitMs })
  } catch (error) {
    if (errorCodeOf(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
  }
}

function highlightIn(parent: Parents, parentTag: string | undefined): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    if (child.tagName === 'code' && parentTag === 'pre') highlightCode(child)
    else highlightIn(child, child.tagName)
  }
}

function highlightCode(code: Element): void {
  const language = languageOf(code)
  const [text, ...others] = code.children
  // Code with HTML markup by the author stays unchanged.
  if (language === undefined || text?.type !== 'text' || others.length > 0) return
  if (text.value.length > LIMIT_CHARACTERS || LONG_LINE.test(text.value)) return
  code.children = refractor.highlight(text.value, language).children.filter(isContent)
}

function isContent(node: RootContent): node is ElementContent {
  return node.type !== 'doctype'
}

function languageOf({ properties: { className } }: Element): string | undefined {
  const names = Array.isArray(className) ? className.map(String) : []
  const prefixed = names.find((name) => name.startsWith('language-')) ?? ''
  const language = prefixed.slice('language-'.length).toLowerCase()
  return LANGUAGES.has(language) ? language : undefined
}
