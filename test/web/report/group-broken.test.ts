import { expect, test } from 'vitest'
import { groupBroken } from '../../../src/web/report/group-broken.ts'
import type { LinkFinding } from '../../../src/web/report/report.ts'
import { toBrokenRow } from '../../../src/web/report/report-rows.ts'
import { sampleArticle } from '../../inspect/report/sample-articles.ts'

function link(index: number, url: string, changes: Partial<LinkFinding> = {}): LinkFinding {
  const file = `content/${index}.md`
  const places = [{ file, line: 3, column: 1 }]
  return {
    article: sampleArticle(index, { file }),
    url,
    host: 'x.test',
    places,
    isAccepted: false,
    ...changes,
  }
}

const included = { places: [{ file: 'content/_all.md', line: 1, column: 1 }] }

function shown(findings: readonly LinkFinding[]) {
  return groupBroken(findings.map(toBrokenRow)).map(({ articles, shared, spots, links }) => [
    shared ?? articles.map(({ file }) => file).join(),
    links,
    spots.map(({ url, isAccepted }) => (isAccepted ? `(${url})` : url)).join(' '),
  ])
}

test('the article with the most to fix comes first, and accepted ones last, counted separately', () => {
  const findings = [
    link(1, 'a'),
    link(2, 'b', { isAccepted: true }),
    link(2, 'c', { isAccepted: true }),
    link(2, 'd', { isAccepted: true }),
    link(3, 'e', { isAccepted: true }),
    link(3, 'f'),
    link(3, 'g'),
  ]
  expect(shown(findings)).toEqual([
    ['content/3.md', 3, 'f g (e)'],
    ['content/1.md', 1, 'a'],
    ['content/2.md', 3, '(b) (c) (d)'],
  ])
})

test('a link in an included file is grouped if it is accepted in all articles or in none', () => {
  const findings = [
    link(1, 'a', included),
    link(2, 'a', included),
    link(3, 'a', { ...included, isAccepted: true }),
    link(1, 'own'),
  ]
  expect(shown(findings)).toEqual([
    ['content/_all.md', 2, 'a'],
    ['content/1.md', 1, 'own'],
    ['content/3.md', 1, '(a)'],
  ])
})

test('links that are in no text, or in no file, are grouped by their articles', () => {
  const nowhere = { places: [] }
  const twice = [link(1, 'a', nowhere), link(1, 'a', nowhere), link(2, 'a', nowhere)]
  expect(shown(twice)).toEqual([
    ['content/1.md', 2, 'a'],
    ['content/2.md', 1, 'a'],
  ])
})
