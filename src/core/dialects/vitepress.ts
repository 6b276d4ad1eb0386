import type { Dialect } from './dialect.ts'
import { HEADED_DEFAULTS, splitLanguageFolder } from './usual.ts'
import { anyOf, END, LINE } from './syntax-signs.ts'
import { containerLine } from './text-lines.ts'

const SIGN_HINT = "Set preset: 'vitepress', or write it in Markdown."

export const vitepress: Dialect = {
  label: 'VitePress',
  defaults: { ...HEADED_DEFAULTS, content: 'docs' },
  frontmatter: {
    // `layout: false` is a page without a layout. A custom layout is the name of a component.
    isPage: ({ layout }) => layout === 'home' || layout === 'page' || layout === false,
    fields: [
      { field: 'title', key: 'title', reading: 'text', isWritten: true },
      { field: 'tags', key: 'tags', reading: 'list', isWritten: true },
      { field: 'excerpt', key: 'description', reading: 'text', isWritten: true },
      { field: 'status', key: 'draft', reading: 'draft' },
      { field: 'hideFromSearch', key: 'search', reading: 'shown', isWritten: true },
    ],
  },
  paths: {
    endings: ['.md'],
    splitLanguage: splitLanguageFolder,
    isIndex: (name) => name === 'index',
    routePart: (name) => name,
    addressesFrom: 'root',
  },
  folders: {},
  links: {
    indexFiles: ['index.md'],
    begin: 'folder',
    needImages: true,
    // Snippets are inserted before links are read, so links may be relative to the page.
    beginAtIncluder: true,
  },
  text: {
    showsHeadingOnly: true,
    syntax: ['containers', 'vue', 'snippets'],
    containers: {
      line: containerLine(String.raw`[A-Za-z][\w-]*`),
      plain: ['code-group', 'raw', 'v-pre', 'div'],
    },
    components: { Badge: 'badge', ClientOnly: 'content' },
    // Stops at the last closing bracket, to avoid searching from each later opening one.
    codeTitle: (info) => /\[([^\]]+)\]/.exec(info.slice(0, info.lastIndexOf(']') + 1))?.[1],
    withoutMarks: (code) => (code.includes('[!code ') ? code.replace(CODE_MARK, '') : code),
    headingId: (words) =>
      words
        .normalize('NFKD')
        .replace(ACCENTS, '')
        .replace(CONTROLS, '')
        .replace(PUNCTUATION, '-')
        .replace(/-{2,}/g, '-')
        .replace(/^-+|-+$/g, '')
        .replace(/^(\d)/, '_$1')
        .toLowerCase(),
    includePath: /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*<<<[ \t]*@?(?=[./])([^\s#{[]+)/,
    ownSyntax: /<!--[^]{0,2000}?-->|\{\{[^{}]*\}\}|\{[#.][^{}\n]*\}|<[A-Z][^<>]*>/g,
  },
  signs: [
    {
      tool: 'an import of VitePress',
      pattern: anyOf(String.raw`${LINE}<<<(?!<)[ \t]*@?[\w./-]+\.\w+.*`),
      contains: ['<<<'],
      hint: SIGN_HINT,
    },
    {
      tool: 'the table of contents of VitePress',
      pattern: anyOf(String.raw`${LINE}\[\[(?:toc|TOC)\]\]${END}`),
      contains: ['[[toc]]', '[[TOC]]'],
      hint: SIGN_HINT,
    },
  ],
  loadSite: async () => (await import('./vitepress-site.ts')).vitepressSite,
}

const CODE_MARK =
  /(?<![ \t])[ \t]*(?:\/\/|\/\*|#|<!--|--|;|%)[ \t]*\[!code [^\][\n]+\][ \t]*(?:(?:\*\/|-->)[ \t]*)?$/gm

const ACCENTS = /[\u0300-\u036F]/g
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u001F]/g
const PUNCTUATION = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g
