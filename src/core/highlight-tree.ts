// Prism's grammars. All 300 would take 0.4 s at the start of every thread; the common ones and those typical of
// documentation take less than a tenth of a second.
import { createContext, Script } from 'node:vm'
import type { Element, ElementContent, Parents, Root, RootContent } from 'hast'
import { refractor } from 'refractor'
import docker from 'refractor/docker'
import http from 'refractor/http'
import jsx from 'refractor/jsx'
import powershell from 'refractor/powershell'
import toml from 'refractor/toml'
import tsx from 'refractor/tsx'

for (const syntax of [docker, http, jsx, powershell, toml, tsx]) refractor.register(syntax)

// Names that GitHub knows and Prism does not.
refractor.alias({ bash: ['console', 'zsh'], cpp: ['c++'], csharp: ['c#'], json: ['json5', 'jsonc'] })

// The library's table inherits functions, so it is not used directly.
const LANGUAGES: ReadonlySet<string> = new Set(refractor.listLanguages())

/** Some regular expressions of the grammars are slow, so longer code is not highlighted. */
const LIMIT_CHARACTERS = 50_000

/** With long lines, as in minified code, the time grows with the square of the length. */
const LONG_LINE = /[^\n]{2001}/

/** Puts Prism's `token` classes around the tokens of every code block with a known language. */
export function highlightTree(tree: Root): void {
  highlightIn(tree, undefined)
}

/**
 * The same for code of any origin: after `limitMs`, the rest stays as it is. A time limit of V8 also ends a regular
 * expression that would run for minutes.
 */
export function highlightBriefly(tree: Root, limitMs: number): void {
  try {
    new Script('run()').runInContext(createContext({ run: () => highlightTree(tree) }), { timeout: limitMs })
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
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
  // Code that the author marked up in HTML stays as it is.
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
