// Syntax of tools that is plain text without a preset, so readers would see it.

/** A sign that a text was written for a tool. */
export interface SyntaxSign {
  readonly tool: string
  readonly pattern: RegExp
  /** Every match contains one of these strings, which can be found much faster than the pattern. */
  readonly contains: readonly string[]
  readonly hint: string
  /** Restricts the sign to files with this extension; elsewhere it may be plain text. */
  readonly ending?: string
  /** True if the sign counts only after the previous sign was found; otherwise it may be plain text. */
  readonly isDoubtful?: boolean
  /** True if only the first occurrence in a file is reported, because there are usually many. Searched last. */
  readonly isOnce?: boolean
  /** How the syntax is handled. Undefined: it is sent as text. */
  readonly fate?: string
}

const NO_PRESET = 'There is no preset for it: write it in Markdown, or turn this rule off.'

const LIQUID = 'Liquid, the template language of Jekyll and GitBook,'

/** Matches the start of a line, including in a quote. */
export const LINE = String.raw`(?=[^\s>])(?<=^[ \t>]*)`
export const END = String.raw`(?=[ \t]*$)`

/** Replaces inline code, so that the text after it is not at the start of the line. */
export const CODE_SIGN = '\uFFFC'

const SURE_ATTRIBUTE = String.raw`[.#][A-Za-z][\w:.-]*|[A-Za-z][\w:-]*=(?:"[^"\n]*"|'[^'\n]*')`
const ATTRIBUTE = String.raw`${SURE_ATTRIBUTE}|[A-Za-z][\w:-]*=[\w./%:-]+`

function attributes(each: string): string {
  return String.raw`\{[ \t]*(?:${each})(?:[ \t]+(?:${each})){0,20}[ \t]*\}`
}

export function anyOf(...patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'), 'gm')
}

/** Signs of tools without a preset, or of several tools. */
export const OTHER_SIGNS: readonly SyntaxSign[] = [
  {
    tool: LIQUID,
    pattern: anyOf(
      String.raw`(?<!\{)\{%-?[ \t]*[a-z][\w-]*\b[^\n]{0,1000}?%\}(?!\})`,
      String.raw`\{\{-?[ \t]*(?:site|page|include|layout|post)\.[\w.]+[^{}\n]*\}\}`,
      String.raw`\{\{[^{}|\n]{1,200}\|[ \t]*(?:absolute_url|date_to_\w+|markdownify|relative_url)\b[^{}\n]*\}\}`,
    ),
    contains: ['{%', '{{'],
    hint: NO_PRESET,
  },
  {
    tool: LIQUID,
    pattern: /(?<!\{)\{\{-?[ \t]*[a-z_][\w-]*(?:\.[\w-]+|\[[\w"'-]+\])*[ \t]*(?:\|[^{}\n]*)?-?\}\}(?!\})/gi,
    contains: ['{{'],
    hint: NO_PRESET,
    isDoubtful: true,
  },
  {
    tool: 'an abbreviation of MkDocs or Jekyll',
    pattern: anyOf(String.raw`${LINE}\*\[[^\]\n]+\]:[ \t]+\S.*`),
    contains: ['*['],
    hint: "For MkDocs, set preset: 'mkdocs'. For Jekyll there is none: write it in Markdown, or turn this rule off.",
  },
  {
    tool: 'an attribute list of MkDocs, Jekyll or Hugo',
    pattern: anyOf(
      // The table of contents of kramdown, and names for lists.
      String.raw`\{:{1,2}\/?[ \t]*[\w-]+[ \t]*\/?\}${END}`,
      String.raw`\{:[ \t]*[^{}\n]{0,200}?(?:${ATTRIBUTE})[^{}\n]{0,200}\}`,
      String.raw`(?<=[)\]${CODE_SIGN}])${attributes(ATTRIBUTE)}`,
      String.raw`(?<![\w#$\\{@])${attributes(SURE_ATTRIBUTE)}${END}`,
      String.raw`(?<![#$\\{@])\{#[A-Za-z][\w-]*\}${END}`,
    ),
    contains: ['{'],
    hint: "For MkDocs and Hugo, set the preset. For Jekyll, preset: 'folder' reads it directly behind what it belongs to. Or write it in Markdown, or turn this rule off.",
  },
  {
    tool: 'a link or an image with a space in its path,',
    pattern: anyOf(
      String.raw`!?\[[^[\]\n]{0,200}\]\((?![<\s])[^()\n"'<>]{0,200}[ \t][^()\n"'<>]{0,200}\.[A-Za-z][A-Za-z\d]{1,4}(?:#[^\s()]*)?\)`,
    ),
    contains: [']('],
    hint: 'Put the path between < and >, or write each space as %20.',
  },
  {
    tool: 'a container of Docusaurus or VitePress',
    pattern: anyOf(String.raw`${LINE}:{3,}[ \t]*[A-Za-z][\w-]*(?=[\s[{]|$).*`),
    contains: [':::'],
    hint: 'Set the preset for the tool, or write it in Markdown.',
  },
  {
    tool: 'a component of Nuxt Content',
    pattern: anyOf(String.raw`${LINE}::[A-Za-z][\w-]*(?=\{|${END})(?:\{.*)?`),
    contains: ['::'],
    hint: NO_PRESET,
    isOnce: true,
  },
  {
    tool: 'a link of a wiki, such as those of GitHub and Obsidian,',
    pattern: anyOf(
      String.raw`(?<![\\!\[])\[\[(?![\s\d!-/:-@]|(?:toc|TOC)\])[^[\]|\n]{2,100}(?<!\s)\]\](?![([:])`,
    ),
    contains: ['[['],
    hint: "For Obsidian, set preset: 'obsidian'. Elsewhere, write [words](file.md), or `code` if it is no link.",
    isOnce: true,
  },
  {
    tool: 'the name of an emoji, as on GitHub,',
    pattern: anyOf(
      String.raw`(?<![\w:/.\\${CODE_SIGN}]):(?!(?:left|right|center):)[a-z][a-z_]{2,30}:(?![\w:/${CODE_SIGN}])`,
    ),
    contains: [':'],
    hint: 'Write the character itself, or turn this rule off.',
    isOnce: true,
  },
  {
    tool: 'a diagram of Mermaid',
    pattern: anyOf(String.raw`${LINE}[\x60~]{3,}[ \t]*mermaid\b.*`),
    contains: ['mermaid'],
    hint: 'Readers see its source. Use an image instead, or turn this rule off.',
    isOnce: true,
    fate: 'is sent as code',
  },
  {
    tool: 'the end of a shortcode or block, as in Grav or ReadMe,',
    pattern: anyOf(String.raw`(?<![\\[!])\[\/[a-z][\w-]*\](?![([:])`),
    contains: ['[/'],
    hint: NO_PRESET,
    isOnce: true,
  },
]
