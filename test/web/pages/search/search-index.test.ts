import { describe, expect, test } from 'vitest'
import { createSearchIndex } from '../../../../src/web/pages/search/create-search-index.ts'
import type { FoundEntry, SearchEntry } from '../../../../src/web/pages/search/search-index.ts'

function entry(id: string, title: string, html: string, changes: Partial<SearchEntry> = {}): SearchEntry {
  return { id, language: 'en', isDraft: false, title, html, ...changes }
}

function indexOf(...entries: readonly SearchEntry[]) {
  const index = createSearchIndex()
  for (const each of entries) index.put(each)
  const find = (text: string, language = 'en', viewer: 'reader' | 'author' = 'reader') =>
    lastOf(index.search({ viewer, text, language, limit: 10 })).map(({ id }) => id)
  return { index, find }
}

function lastOf(steps: Iterable<readonly FoundEntry[]>): readonly FoundEntry[] {
  return [...steps].at(-1) ?? []
}

test('many articles are searched in steps, and the best of all come first', () => {
  const index = createSearchIndex()
  for (let at = 0; at < 2500; at++) {
    const title = at === 2100 ? 'Zebra' : `Article ${at}`
    index.put(entry(`a${at}`, title, at % 1000 === 7 ? '<p>A zebra.</p>' : '<p>A horse.</p>'))
  }
  const steps = [...index.search({ viewer: 'reader', text: 'zebra', language: 'en', limit: 3 })]
  expect(steps.map((found) => found.map(({ id }) => id))).toEqual([
    ['a7'],
    ['a7', 'a1007'],
    ['a2100', expect.any(String), expect.any(String)],
  ])
})

test('an article with all words in its title is the best, however rare they are on its shelf', () => {
  const index = createSearchIndex()
  const text = '<p>Remove the item: remove each item, and remove all.</p>'
  for (let at = 0; at < 1000; at++)
    index.put(entry(`a${at}`, at === 500 ? 'Remove-Item' : `Item ${at}`, text))
  index.put(entry('rare', 'Item', text))
  index.put(entry('other', 'Else', '<p>Nothing.</p>'))
  const steps = [...index.search({ viewer: 'reader', text: 'remove item', language: 'en', limit: 2 })]
  expect(steps.at(-1)?.map(({ id }) => id)).toEqual(['a500', 'rare'])
})

test('titles weigh more than text, and a word finds its beginnings and misspellings', () => {
  const { find } = indexOf(
    entry('text', 'Accounts', '<p>Here you reset your password, and the password of others.</p>'),
    entry('title', 'Passwords', '<p>All about them.</p>'),
    entry('other', 'Billing', '<p>Invoices</p>'),
  )
  expect(find('password')).toEqual(['title', 'text'])
  expect(find('passw')).toEqual(['title', 'text'])
  expect(find('pasword')).toEqual(['text'])
  expect(find('invoces')).toEqual(['other'])
  expect(find('nothing like it')).toEqual([])
})

test('an article with all words comes before one with some, which is found where none has all', () => {
  const { find } = indexOf(entry('both', 'Reset', '<p>password</p>'), entry('one', 'Reset', '<p>router</p>'))
  expect(find('reset password')).toEqual(['both'])
  expect(find('router password')).toEqual(['one', 'both'])
})

test('code, numbers and words for images are text; tags, attributes, scripts and comments are none', () => {
  const { find } = indexOf(
    entry(
      'a',
      'Install',
      `<p class="shiny">Run <code>npm install kb-sync@2</code><img src="hidden.png" alt="A diagram"></p>
      <pre>const answer = 42</pre><script>secretive()</script><style>.colourful{}</style><!-- marked --><template>unseen</template>`,
    ),
  )
  for (const text of ['npm', 'kb-sync', '42', 'answer', 'diagram'])
    expect([text, find(text)]).toEqual([text, ['a']])
  for (const text of ['shiny', 'hidden', 'secretive', 'colourful', 'marked', 'unseen']) {
    expect([text, find(text)]).toEqual([text, []])
  }
})

test('letters that stand together in tags within a line are one word', () => {
  const { find } = indexOf(entry('a', 'T', '<p>un<b>believ</b>able</p><p>end</p><p>less</p>'))
  expect([find('unbelievable'), find('endless')]).toEqual([['a'], []])
})

describe.each([
  ['Chinese', '重置密码', '忘记密码时，请点击“重置密码”。', '密码'],
  ['Japanese', 'パスワードの変更', 'アカウントの設定でパスワードを変更します。', 'アカウント'],
  ['Japanese, narrow', 'アカウント', '設定', 'ｱｶｳﾝﾄ'],
  ['Thai', 'รีเซ็ตรหัสผ่าน', 'คลิกที่ลิงก์เพื่อเปลี่ยนรหัสผ่าน', 'เปลี่ยน'],
  ['Arabic with and without vowels', 'كَلِمَةُ المُرُور', 'إعادة تعيين', 'كلمه'],
  ['Arabic with another alef', 'x', 'أحمد إعادة', 'اعاده'],
  ['Hebrew without points', 'שָׁלוֹם', 'x', 'שלום'],
  ['accents', 'Réinitialiser', 'x', 'reinitialiser'],
  ['accents that only the question has', 'Reinitialiser', 'x', 'RÉINITIALISER'],
  ['sharp s', 'Straße', 'x', 'STRASSE'],
  ['a Greek word in capitals', 'ΚΩΔΙΚΟΣ', 'x', 'κωδικός'],
  ['a ligature', 'ﬁle', 'x', 'file'],
  ['Hindi', 'पासवर्ड रीसेट', 'x', 'रीसेट'],
  ['Korean', '비밀번호를 변경', 'x', '비밀번호'],
  ['Turkish', 'İstanbul', 'x', 'istanbul'],
])('%s', (_, title, text, query) => {
  test('is found', () => {
    const { find } = indexOf(entry('a', title, `<p>${text}</p>`), entry('b', 'Else', '<p>nothing</p>'))
    expect(find(query)).toEqual(['a'])
  })
})

test('marks that make another letter are not left out', () => {
  const { find } = indexOf(entry('a', 'कि', 'x'), entry('b', 'का', 'x'))
  expect(find('का')).toEqual(['b'])
})

test('only the language asked for is searched, and drafts only for authors', () => {
  const { find } = indexOf(
    entry('en', 'Password', 'x'),
    entry('fr', 'Password', 'x', { language: 'fr' }),
    entry('draft', 'Password password', 'x', { isDraft: true }),
  )
  expect([find('password'), find('password', 'fr'), find('password', 'de')]).toEqual([['en'], ['fr'], []])
  expect(find('password', 'en', 'author').toSorted()).toEqual(['draft', 'en'])
})

test('what is put again replaces what was there, whatever changed; what is removed is gone', () => {
  const { index, find } = indexOf(entry('a', 'First', 'one'), entry('b', 'First', 'two'))
  index.put(entry('a', 'Second', 'three', { language: 'fr', isDraft: true }))
  expect([find('first'), find('second'), find('second', 'fr'), find('second', 'fr', 'author')]).toEqual([
    ['b'],
    [],
    [],
    ['a'],
  ])
  index.put(entry('a', 'Second', 'three'))
  expect([find('second'), find('second', 'fr', 'author')]).toEqual([['a'], []])
  index.remove('a')
  index.remove('a')
  index.remove('never there')
  expect([find('second'), find('first')]).toEqual([[], ['b']])
})

test('a very long article is taken in step by step, and so much of it is found as the guide says', () => {
  const { index, find } = indexOf(entry('long', 'Old', '<p>before</p>'))
  const filler = '<p>word and word</p>'.repeat(26_000)
  const steps = index.putInSteps(entry('long', 'Long', `<p>first</p>${filler}<p>last</p>`))
  for (let step = 0; step < 1000; step++) expect(steps.next().done).toBe(false)
  expect(find('before')).toEqual(['long'])
  while (steps.next().done !== true);
  expect([find('before'), find('long'), find('first'), find('last')]).toEqual([[], ['long'], ['long'], []])
  const distinct = (count: number) => Array.from({ length: count }, (_, at) => `w${at}x`).join(' ')
  index.put(
    entry('words', 'Words', distinct(14_990) + ' early' + ' again'.repeat(9) + distinct(20) + ' late'),
  )
  expect([find('early'), find('late')]).toEqual([['words'], []])
})

test('words are taken in one by one', () => {
  const { index, find } = indexOf()
  const steps = index.putInSteps(entry('a', 'A', Array.from({ length: 500 }, (_, at) => `w${at}x`).join(' ')))
  for (let step = 0; step < 900; step++) expect(steps.next().done).toBe(false)
  expect([find('w10x'), find('w499x')]).toEqual([['a'], []])
  while (steps.next().done !== true);
  expect(find('w499x')).toEqual(['a'])
})

test('a shelf with many words is full before it has many articles', () => {
  const index = createSearchIndex({ shelfWords: 40 })
  for (let at = 0; at < 6; at++) {
    const words = Array.from({ length: 20 }, (_, word) => `x${at}y${word}`).join(' ')
    index.put(entry(`a${at}`, 'Zebra', words))
  }
  expect([...index.search({ viewer: 'reader', text: 'zebra', language: 'en', limit: 3 })].length).toBe(3)
})

test('beyond the limit of words, titles and first words are still found; removing makes room', () => {
  const index = createSearchIndex({ wordLimit: 40 })
  const many = Array.from({ length: 60 }, (_, at) => `alpha${at}`).join(' ')
  const find = (text: string) =>
    lastOf(index.search({ viewer: 'reader', text, language: 'en', limit: 9 })).map(({ id }) => id)
  index.put(entry('full', 'One', many))
  index.put(entry('cut', 'Two', many.replaceAll('alpha', 'beta')))
  expect([find('alpha59'), find('beta0'), find('beta59'), find('two')]).toEqual([
    ['full'],
    ['cut'],
    [],
    ['cut'],
  ])
  index.remove('full')
  index.put(entry('cut', 'Two', many.replaceAll('alpha', 'beta')))
  expect(find('beta59')).toEqual(['cut'])
})

test.each([
  ['nothing', ''],
  ['white space', ' \t\n '],
  ['signs', '...!? * "%" \0 \ufffe'],
  ['half a character', '\ud800'],
  ['one long word', 'a'.repeat(100_000)],
  ['a long word beyond the BMP', '\u{1d4b3}'.repeat(5000)],
  ['very many words', Array.from({ length: 50_000 }, (_, at) => `w${at}`).join(' ')],
  ['marks without letters', '\u0301'.repeat(300)],
])('no query is too strange: %s', (_, text) => {
  const { index } = indexOf(entry('a', 'constructor', '<p>toString valueOf</p>'))
  expect(lastOf(index.search({ viewer: 'author', text, language: 'en', limit: 10 }))).toEqual([])
})

test('words that objects have of themselves are words', () => {
  const { find } = indexOf(entry('a', 'constructor', '<p>__proto__ hasOwnProperty</p>'))
  expect([find('constructor'), find('__proto__'), find('hasownproperty')]).toEqual([['a'], ['a'], ['a']])
})
