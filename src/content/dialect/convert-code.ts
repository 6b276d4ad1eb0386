import type { PresetName } from '../../model/preset-name.ts'
import { captionOf, type TreeNode } from './tree-node.ts'

/** A code block without what only the tool understands; its title stands before it. */
export function convertCode(node: TreeNode, dialect: PresetName): TreeNode[] {
  const { lang, value = '' } = node
  const title = titleOf(node, dialect)
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
