import { expect, test } from 'vitest'
import { articlePathOf } from '../../../src/kb/target/article-path.ts'

test.each([
  [({ slug }: { slug: string }) => `/articles/${encodeURIComponent(slug)}`, '/articles/{slug}'],
  [({ slug }: { slug: string }) => `https://help.example.com/a/${slug}.html?x=1`, '/a/{slug}.html'],
  [
    ({ slug, language }: { slug: string; language: string }) => `/${language}/${slug}#top`,
    '/{language}/{slug}',
  ],
  [() => '/not-found-by-slug', '/articles/{slug}'],
])('%s', (articleUrl, path) => {
  expect(articlePathOf({ articleUrl })).toBe(path)
})
