import { dialectOf, type PresetName } from '../../core/dialects/dialects.ts'

// Longer ones are none: what is never closed must not be looked for from every place up to the end.
const SHORTCODE = String.raw`\{\{[<%][^]{0,2000}?[>%]\}\}`

// What is kept or replaced as one: shortcodes, URLs of links, expressions, tags, escaped signs, words, white space.
const TOKEN = new RegExp(
  [
    SHORTCODE,
    String.raw`\{\{[^{}]*\}\}`,
    String.raw`!?\[\[[^\[\]\n]*\]\]`,
    String.raw`\]\((?:${SHORTCODE}|[^\s()])*`,
    String.raw`\{[^{}\n]*\}`,
    String.raw`<[^<>]*>`,
    String.raw`\\[^\w\s]`,
    String.raw`&\w+;`,
    String.raw`\s+`,
    String.raw`[\p{L}\p{M}\p{N}]+`,
    '[^]',
  ].join('|'),
  'gu',
)

/** Cuts Markdown into what an edit changes or leaves as a whole; joined they are the text. */
export function tokensOf(text: string): string[] {
  return Array.from(text.matchAll(TOKEN), ([token]) => token)
}

/** Equal for tokens that say the same: lines may be broken anywhere, but not blocks or by a break that is meant. */
export function tokenKey(token: string): string {
  if (!/^\s/.test(token)) return token
  const lines = token.split('\n')
  return lines.length > 2 ? '\n\n' : lines.length === 2 && /[ ]{2}\r?$/.test(lines[0] ?? '') ? '  \n' : ' '
}

// A run of signs is taken whole or not at all: else a long one is tried at every length.
const CODE = /^(`{3,}(?!`)|~{3,}(?!~))[^]*?^\1|(?<!`)(`{1,9})(?!`)[^]{0,2000}?(?<!`)\2(?!`)/gm
// What ends something, and the address of a link: where that is the same, it is written as it was anyway.
const NO_LOSS = /^\{\{[<%]\s*(?:\/|(?:rel)?ref\b)/

// What stands behind the language of a code block, and comments that mark its lines.
const FENCE = /^[ \t>]*(?:`{3,}(?!`)|~{3,}(?!~))[^\s`{]*([ \t{][^\n`]*)$/gm
const MARK = /\[!code [^\]\n[]*\]|\bhighlight-(?:next-line|start|end)\b/g

/** What only the tool knows in a text, as it is written: nothing that the target can say itself. */
export function ownSyntaxOf(text: string, preset: PresetName): string[] {
  const found = text.replaceAll(CODE, '').match(dialectOf(preset).text.ownSyntax) ?? []
  const infos = Array.from(text.matchAll(FENCE), ([, info = '']) => info.trim()).filter((info) => info !== '')
  return [...found.filter((each) => !NO_LOSS.test(each)), ...infos, ...(text.match(MARK) ?? [])]
}
