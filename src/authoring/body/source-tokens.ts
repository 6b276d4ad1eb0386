import { dialectOf, type PresetName } from '../../core/dialects/dialects.ts'

// Limited, so that an unclosed one is not searched for up to the end from every position.
const SHORTCODE = String.raw`\{\{[<%][^]{0,2000}?[>%]\}\}`

// The units that are kept or replaced: shortcodes, URLs of links, expressions, tags, escaped characters, words, white
// space.
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

/** Splits Markdown into units of an edit; joined, they are the text. */
export function tokensOf(text: string): string[] {
  return Array.from(text.matchAll(TOKEN), ([token]) => token)
}

/** The same key for equivalent tokens: hard breaks and block boundaries count, other line breaks do not. */
export function tokenKey(token: string): string {
  if (!/^\s/.test(token)) return token
  const lines = token.split('\n')
  return lines.length > 2 ? '\n\n' : lines.length === 2 && /[ ]{2}\r?$/.test(lines[0] ?? '') ? '  \n' : ' '
}

// A run of characters is matched completely or not at all, because trying every length would be slow.
const CODE = /^(`{3,}(?!`)|~{3,}(?!~))[^]*?^\1|(?<!`)(`{1,9})(?!`)[^]{0,2000}?(?<!`)\2(?!`)/gm
// End tags and URLs of links: if the URL is the same, it is written as before anyway.
const NO_LOSS = /^\{\{[<%]\s*(?:\/|(?:rel)?ref\b)/

// The text after the language of a code block, and comments that mark its lines.
const FENCE = /^[ \t>]*(?:`{3,}(?!`)|~{3,}(?!~))[^\s`{]*([ \t{][^\n`]*)$/gm
const MARK = /\[!code [^\]\n[]*\]|\bhighlight-(?:next-line|start|end)\b/g

/** The tool's own syntax in a text, as written: everything that the target cannot represent. */
export function ownSyntaxOf(text: string, preset: PresetName): string[] {
  const found = text.replaceAll(CODE, '').match(dialectOf(preset).text.ownSyntax) ?? []
  const infos = Array.from(text.matchAll(FENCE), ([, info = '']) => info.trim()).filter((info) => info !== '')
  return [...found.filter((each) => !NO_LOSS.test(each)), ...infos, ...(text.match(MARK) ?? [])]
}
