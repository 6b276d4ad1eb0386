import { expect, test } from 'vitest'
import { createLinkBack } from '../../../src/authoring/pull/link-back.ts'
import { digest } from '../../../src/core/digest.ts'

const PIXEL = Buffer.from('pixel')

const linkBack = createLinkBack({
  documents: [
    { source: 'index.md', slug: 'index', language: null },
    { source: 'guides/reset.md', slug: 'reset', language: null },
    { source: 'guides/Wie (neu)?.md', slug: 'neu', language: 'de' },
    { source: 'a:b.md', slug: 'colon', language: null },
  ],
  formerly: [{ source: 'guides/reset.md', slug: 'old-name', language: null }],
  urlOf: ({ slug, language }) => `/${language ?? 'en'}/${slug}`,
  findFragment: (source, fragment) =>
    source === 'guides/reset.md' && fragment.toLowerCase() === 'by-mail' ? 'by-mail' : undefined,
  assets: [
    { source: 'img/pixel.png', hash: digest(PIXEL), bytes: 5, published: undefined },
    {
      source: 'files/form.pdf',
      hash: digest('form'),
      bytes: 4,
      published: { name: 'form-1.pdf', url: 'https://files.example/form-1.pdf' },
    },
  ],
  taxonomyLinks: (language) =>
    new Map([
      [language === null ? '/categories/accounts' : '/categories/konten', '_categories.yml#accounts'],
    ]),
})

test.each([
  ['index.md', '/en/reset', 'guides/reset.md'],
  ['guides/other.md', '/en/reset', 'reset.md'],
  ['guides/reset.md', '/en/reset', 'reset.md'],
  ['guides/other.md', '/en/index', '../index.md'],
  ['guides/other.md', '/en/old-name', 'reset.md'],
  ['index.md', '/en/reset#by-mail', 'guides/reset.md#by-mail'],
  ['index.md', '/en/reset#By-Mail', undefined],
  ['index.md', '/en/reset#gone', undefined],
  ['index.md', '/en/reset?x=1', undefined],
  ['index.md', '/de/reset', undefined],
  ['index.md', '/de/neu', 'guides/Wie%20%28neu%29%3F.md'],
  ['index.md', '/en/colon', './a:b.md'],
  ['index.md', 'https://example.com/en/reset', undefined],
  ['index.md', 'other.html', undefined],
  ['guides/reset.md', `data:image/png;base64,${PIXEL.toString('base64')}`, '../img/pixel.png'],
  ['guides/reset.md', `data:image/png;base64,${Buffer.from('other').toString('base64')}`, undefined],
  ['guides/reset.md', 'data:text/plain,hello', undefined],
  ['guides/reset.md', 'https://files.example/form-1.pdf', '../files/form.pdf'],
  ['guides/reset.md', 'https://files.example/form-1.pdf?x=1#page=2', '../files/form.pdf?x=1#page=2'],
  ['guides/reset.md', 'https://files.example/form-2.pdf', undefined],
  ['guides/reset.md', '/categories/accounts', '../_categories.yml#accounts'],
  ['index.md', '/categories/accounts', '_categories.yml#accounts'],
  ['index.md', '/categories/konten', undefined],
  ['guides/Wie (neu)?.md', '/categories/konten', '../_categories.yml#accounts'],
])('in %s, %s is %s', (from, url, expected) => {
  expect(linkBack(from)(url)).toBe(expected)
})
