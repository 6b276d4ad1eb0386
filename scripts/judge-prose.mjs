// The English of a document or of the strings and comments in a source: banned words, repeated words, a or an, long sentences.
import { search } from 'nlcst-search'
import remarkFrontmatter from 'remark-frontmatter'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRetext from 'remark-retext'
import retextEnglish from 'retext-english'
import retextIndefiniteArticle from 'retext-indefinite-article'
import retextRepeatedWords from 'retext-repeated-words'
import { parseSync, Visitor } from 'rolldown/utils'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { VFile } from 'vfile'

/** One more than a sentence may have, up to a full stop, colon or semicolon. */
const MOST_WORDS = 41

/** Strings that are not prose. */
const NOT_PROSE = new Set([
  // A value of `changedBy` in JSON.
  'nobody',
  // Mende Kikakui among the scripts that are written from right to left.
  'Adlm Arab Armi Avst Hebr Mand Mani Mend Nkoo Rohg Samr Sogd Syrc Thaa Yezi',
])

const markdown = unified().use(remarkParse).use(remarkFrontmatter).use(remarkGfm)

export async function judgeMarkdown(text, banned) {
  const file = new VFile(text)
  const tree = markdown.parse(file)
  // remark-retext skips tables, so each cell is judged as a text of its own.
  const cells = []
  visit(tree, 'tableCell', (cell) => void cells.push({ ...cell, type: 'paragraph' }))
  const english = unified()
    .use(retextEnglish)
    .use(retextRepeatedWords)
    .use(retextIndefiniteArticle)
    .use(bannedWords, banned)
    .use(longSentences)
  for (const part of [tree, ...cells]) await unified().use(remarkRetext, english).run(part, file)
  return file.messages.toSorted(byLine).map(({ line, reason }) => `${line}: ${reason}`)
}

function bannedWords(banned) {
  return (tree, file) =>
    search(tree, Object.keys(banned), ([node], _index, _parent, phrase) => {
      file.message(`"${phrase}": write ${banned[phrase]}`, { place: node.position })
    })
}

/** A sentence also ends where the next one starts with code or a name in lower case, so full stops are counted. */
function longSentences() {
  return (tree, file) =>
    visit(tree, 'SentenceNode', ({ children }) => {
      let words = []
      for (const node of children) {
        if (node.type === 'PunctuationNode' && /[.:;]/.test(node.value)) words = []
        if (node.type !== 'WordNode') continue
        words.push(node)
        if (words.length !== MOST_WORDS) continue
        file.message(`A sentence has more than ${MOST_WORDS - 1} words`, { place: words[0].position })
      }
    })
}

function byLine(a, b) {
  return a.line - b.line
}

export function judgeText(text, banned) {
  return text.split('\n').flatMap((line, index) => bannedIn(line, banned, index + 1))
}

export function judgeSource(text, banned) {
  const found = []
  const judge = (value, { start, end }) => {
    if (NOT_PROSE.has(value)) return
    // An escape may hide the word: then the line where the literal starts is named.
    const within = text.slice(start, end).search(patternOf(banned))
    found.push(...bannedIn(value, banned, text.slice(0, start + Math.max(0, within)).split('\n').length))
  }
  const { program, comments } = parseSync('source.ts', text)
  new Visitor({
    Literal: (node) => typeof node.value === 'string' && !isPath(node.value) && judge(node.value, node),
    TemplateElement: (node) => judge(node.value.cooked ?? '', node),
  }).visit(program)
  for (const { value, start } of comments) {
    const first = text.slice(0, start).split('\n').length
    found.push(...value.split('\n').flatMap((line, index) => bannedIn(line, banned, first + index)))
  }
  return found
}

function isPath(text) {
  return /^\.{1,2}\/\S*$/.test(text)
}

function bannedIn(text, banned, line) {
  return (text.match(patternOf(banned)) ?? []).map(
    (found) => `${line}: "${found}": write ${banned[found.toLowerCase()]}`,
  )
}

function patternOf(banned) {
  return new RegExp(String.raw`\b(?:${Object.keys(banned).join('|')})\b`, 'gi')
}
