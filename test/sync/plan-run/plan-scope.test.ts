import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LocalArticle } from '../../../src/core/model/document.ts'
import {
  type ArticleRecord,
  type AwaitedArticle,
  EMPTY_STATE,
  type TargetState,
} from '../../../src/core/model/target-state.ts'
import { narrowState, widenState } from '../../../src/sync/plan-run/plan-scope.ts'
import { readRuns } from '../../support/runs.ts'
import { desired } from '../plan/examples.ts'

const ARTICLES = ['a.md', 'b.md', 'c.md', 'd.md'].map((source) => desired(source))
const TRANSLATION = desired('fr/a.md', { language: 'fr', slug: 'a', original: 'a.md' })

/** The record in the state of an article that was sent. */
function recordOf(article: LocalArticle, changes: Partial<ArticleRecord> = {}): ArticleRecord {
  const { key, source, slug, language, title, sourceHash, projectionHash } = article
  const hashes = { fingerprint: 'f', fieldsHash: 'h', sourceHash, projectionHash }
  return { key, source, slug, language, title, id: `id of ${source}`, ...hashes, ...changes }
}

function stateWith(articles: readonly ArticleRecord[]): TargetState {
  return { ...EMPTY_STATE, isKnown: true, articles, foreign: [] }
}

const STATE = stateWith([
  ...ARTICLES.map((article) => recordOf(article)),
  recordOf(TRANSLATION, { languageParent: 'id of a.md' }),
])

test('an unchanged part of the state results in the same whole state', () => {
  fc.assert(
    fc.property(fc.subarray(ARTICLES), (articles) => {
      const narrow = narrowState(STATE, articles)
      expect(narrow?.articles.map(({ source }) => source)).toEqual(articles.map(({ source }) => source))
      expect(narrow && widenState(STATE, narrow, narrow)).toEqual(STATE)
    }),
    readRuns('FUZZ', 100),
  )
})

test('the result of a part replaces it in place, or is sorted by source if its length differs', () => {
  const [a, b, c, d] = ARTICLES.map((article) => recordOf(article))
  if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('no record')
  const state = stateWith([a, b, c, d])
  const narrow = stateWith([b])
  const edited = { ...b, fingerprint: 'other' }
  const replaced = { ...b, id: 'another id' }
  expect([
    widenState(state, narrow, stateWith([edited])).articles,
    widenState(state, narrow, stateWith([replaced])).articles,
    widenState(state, narrow, stateWith([])).articles,
  ]).toEqual([
    [a, edited, c, d],
    [a, replaced, c, d],
    [a, c, d],
  ])
})

test('a scope contains only articles that stay at a known slug', () => {
  const [a] = ARTICLES
  if (a === undefined) throw new Error('no article')
  const record = recordOf(a)
  const isEnough = (
    article: LocalArticle,
    records: readonly ArticleRecord[],
    awaited: readonly AwaitedArticle[] = [],
  ) => narrowState({ ...stateWith(records), awaited }, [article]) !== undefined
  const { id: _, ...sent } = { ...record, source: a.source, sentMs: 0 }
  expect({
    sent: isEnough(a, [record]),
    'never sent': isEnough(a, []),
    'without an id yet': isEnough(a, [], [sent]),
    'sent again, without an id yet': isEnough(a, [record], [sent]),
    'with an edit that nobody decided on': isEnough(a, [{ ...record, isUndecided: true }]),
    'with another slug': isEnough({ ...a, slug: 'other' }, [record]),
    'in another language': isEnough({ ...a, language: 'fr' }, [record]),
    'sent twice': isEnough(a, [record, { ...record, id: 'another id' }]),
    'a translation by now': isEnough({ ...a, original: 'b.md' }, [
      { ...record, languageParent: 'id of b.md' },
    ]),
  }).toEqual({
    sent: true,
    'never sent': false,
    'without an id yet': false,
    'sent again, without an id yet': false,
    'with an edit that nobody decided on': false,
    'with another slug': false,
    'in another language': false,
    'sent twice': false,
    'a translation by now': false,
  })
  expect(narrowState(STATE, [TRANSLATION, a])?.articles).toEqual([STATE.articles[0], STATE.articles[4]])
})
