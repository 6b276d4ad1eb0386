// Measures how well the search answers the judged questions; see LICENSE.md for the sources of the articles.
import { readFileSync } from 'node:fs'
import { createMemoryIndex } from '../../../../../src/web/pages/search/create-memory-index.ts'
import { loadLanguageWords } from '../../../../../src/web/pages/search/language-words.ts'
import { searchByWords } from '../../../../../src/web/pages/search/search-by-words.ts'
import { runSteps } from '../../../../../src/web/pages/search/steps.ts'
import { searchEntriesOf, type WordIndex } from '../../../../../src/web/pages/search/word-index.ts'

export const JUDGED_SETS = ['vite', 'hugo'] as const

type JudgedSet = (typeof JUDGED_SETS)[number]

export interface JudgedArticle {
  readonly slug: string
  readonly title: string
  readonly html: string
}

/** A question, and the slugs of the articles that answer it. */
export type JudgedQuestion = readonly [question: string, slugs: readonly string[]]

interface Judgement {
  readonly questions: number
  /** Share of questions with an answer among the first five results. */
  readonly recallAt5: number
  /** Mean of 1 divided by the position of the first answer. */
  readonly meanReciprocalRank: number
}

export function readArticles(set: JudgedSet): JudgedArticle[] {
  const articles = readJson(set) as { slug: string; title: string; text: string }[]
  return articles.map(({ slug, title, text }) => ({
    slug,
    title,
    html: text.split('\n').map(toHtml).join(''),
  }))
}

export function readQuestions(set: JudgedSet): readonly JudgedQuestion[] {
  const questions = readJson('questions') as Record<JudgedSet, JudgedQuestion[]>
  return questions[set]
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8'))
}

/** A line is a paragraph or, after `## `, a heading. */
function toHtml(line: string): string {
  const isHeading = line.startsWith('## ')
  const text = (isHeading ? line.slice(3) : line).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return isHeading ? `<h2>${text}</h2>` : `<p>${text}</p>`
}

/** An index whose ids are slugs. */
export async function indexArticles(set: JudgedSet): Promise<WordIndex> {
  const words = await loadLanguageWords('en')
  const index = createMemoryIndex()
  for (const { slug, title, html } of readArticles(set))
    index.put({ id: slug, entries: runSteps(searchEntriesOf({ title, html }, words)) })
  return index
}

/** @param find returns slugs, best first */
export async function judge(
  questions: readonly JudgedQuestion[],
  find: (text: string) => Promise<readonly string[]>,
): Promise<Judgement> {
  let found = 0
  let reciprocalRanks = 0
  for (const [question, slugs] of questions) {
    const position = (await find(question)).findIndex((slug) => slugs.includes(slug))
    if (position === -1) continue
    if (position < 5) found++
    reciprocalRanks += 1 / (position + 1)
  }
  const { length } = questions
  return { questions: length, recallAt5: found / length, meanReciprocalRank: reciprocalRanks / length }
}

/** Judges the search among articles in memory; databases give the same results. */
export async function judgeSet(set: JudgedSet): Promise<Judgement> {
  const words = await loadLanguageWords('en')
  const index = await indexArticles(set)
  return judge(readQuestions(set), async (text) => (await searchByWords(index, text, words)).ids)
}
