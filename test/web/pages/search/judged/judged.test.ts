import { expect, test } from 'vitest'
import { loadLanguageWords } from '../../../../../src/web/pages/search/language-words.ts'
import { searchByWords } from '../../../../../src/web/pages/search/search-by-words.ts'
import { indexArticles, JUDGED_SETS, judgeSet, readArticles, readQuestions } from './judge.ts'

// A little below the current results: see the benchmark `search`.
test.each([
  ['vite', { recallAt5: 0.96, meanReciprocalRank: 0.87 }],
  ['hugo', { recallAt5: 0.89, meanReciprocalRank: 0.82 }],
] as const)('the questions about %s are answered', async (set, floor) => {
  const { recallAt5, meanReciprocalRank } = await judgeSet(set)
  expect(recallAt5).toBeGreaterThanOrEqual(floor.recallAt5)
  expect(meanReciprocalRank).toBeGreaterThanOrEqual(floor.meanReciprocalRank)
})

test('each question has an answer among the articles', () => {
  for (const set of JUDGED_SETS) {
    const known = new Set(readArticles(set).map(({ slug }) => slug))
    const slugs = readQuestions(set).flatMap(([, answers]) => answers)
    expect(slugs.filter((slug) => !known.has(slug))).toEqual([])
  }
})

test.each([
  ['vite', 'guide/static-deploy'],
  ['hugo', 'host-and-deploy/host-on-netlify'],
] as const)('how do I deploy to netlify: %s', async (set, best) => {
  const index = await indexArticles(set)
  const { ids } = await searchByWords(index, 'how do I deploy to netlify', await loadLanguageWords('en'))
  expect(ids[0]).toBe(best)
})
