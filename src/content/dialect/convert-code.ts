import type { PresetName } from '../../core/model/preset-name.ts'
import type { Conversion } from './conversion.ts'
import { interpolate } from './convert-vue.ts'
import { captionOf, type TreeNode } from './tree-node.ts'

/** A code block without what only the tool understands; its title stands before it. */
export function convertCode(node: TreeNode, conversion: Conversion): TreeNode[] {
  const { dialect } = conversion
  const { lang, value: written = '' } = node
  const title = titleOf(node, dialect)
  // Only code in a language that ends so is a template as well.
  const isTemplate = dialect === 'vitepress' && /^[^:{[]+-vue(?![^:{[])/.test(lang ?? '')
  const value = isTemplate ? interpolate(node, written, conversion, () => 'code') : written
  const code: TreeNode = { ...node, value: withoutNotes(value, dialect) }
  // `js{1,3-4}`, `js:line-numbers`
  if (typeof lang === 'string') code.lang = /^[^:{[]+/.exec(lang)?.[0].replace(/-vue$/, '') ?? null
  return title === undefined ? [code] : [captionOf(title), code]
}

function titleOf({ lang, meta }: TreeNode, dialect: PresetName): string | undefined {
  const info = `${lang ?? ''} ${meta ?? ''}`
  // Behind the last bracket that closes, each that opens would look for another in vain.
  if (dialect === 'vitepress') return /\[([^\]]+)\]/.exec(info.slice(0, info.lastIndexOf(']') + 1))?.[1]
  return /\btitle=(['"])(.+?)\1/.exec(info)?.[2]
}

const DOCUSAURUS_NOTE =
  /^[ \t]*(?:\/\/|\/\*|\{\/\*|#|<!--|--|%|REM|')[ \t]*(?:highlight|showlinenumbers|collapse)-(?:next-line|start|end)[ \t]*(?:(?:\*\/\}?|-->)[ \t]*)?$\n?/gm

const VITEPRESS_NOTE =
  /(?<![ \t])[ \t]*(?:\/\/|\/\*|#|<!--|--|;|%)[ \t]*\[!code [^\][\n]+\][ \t]*(?:(?:\*\/|-->)[ \t]*)?$/gm

/** Comments that colour lines. */
function withoutNotes(value: string, dialect: PresetName): string {
  if (dialect === 'docusaurus' && value.includes('highlight-')) {
    const rest = value.replace(DOCUSAURUS_NOTE, '')
    return value.endsWith('\n') ? rest : rest.replace(/\n$/, '')
  }
  return dialect === 'vitepress' && value.includes('[!code ') ? value.replace(VITEPRESS_NOTE, '') : value
}
