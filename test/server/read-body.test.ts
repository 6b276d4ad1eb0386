import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBody } from '../../src/server/http/read-body.ts'

const texts = fc.array(
  fc.constantFrom('a', '"', '\\', '\u007f', 'é', '\u00ff', '\u2028', '\uFEFF', '\uffff', '🙂'),
)

test('a body has the texts that were encoded, with and without a byte order mark', async () => {
  const property = fc.asyncProperty(texts, fc.constantFrom('', '\uFEFF'), async (characters, mark) => {
    const content = characters.join('')
    const article = {
      title: 'a',
      slug: 'a',
      categories: [],
      status: 'draft',
      ordering: 0,
      excerpt: '',
      content,
    }
    const bytes = new TextEncoder().encode(`${mark}${JSON.stringify(article)}`)
    expect(await parseBody(bytes, 'createArticle')).toMatchObject({ content })
  })
  await fc.assert(property)
})
