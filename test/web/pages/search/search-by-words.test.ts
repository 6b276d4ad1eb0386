import { describe, expect, test } from 'vitest'
import { createMemoryIndex } from '../../../../src/web/pages/search/create-memory-index.ts'
import { loadLanguageWords } from '../../../../src/web/pages/search/language-words.ts'
import { MOST_RANKED, searchByWords } from '../../../../src/web/pages/search/search-by-words.ts'
import { runSteps } from '../../../../src/web/pages/search/steps.ts'
import { searchEntriesOf } from '../../../../src/web/pages/search/word-index.ts'

const entry = (id: string, title: string, html: string) => ({ id, title, html })

function indexOf(entries: readonly ReturnType<typeof entry>[], language = 'en') {
  const index = createMemoryIndex()
  const ready = loadLanguageWords(language).then((words) => {
    for (const { id, ...article } of entries)
      index.put({ id, entries: runSteps(searchEntriesOf(article, words)) })
    return words
  })
  const search = async (text: string, page?: { skip: number; limit: number }) =>
    searchByWords(index, text, await ready, page)
  return { search, find: async (text: string) => (await search(text)).ids }
}

test('many articles are counted, and the best of all come first', async () => {
  const entries = Array.from({ length: 1000 }, (_, at) =>
    entry(`a${1000 + at}`, at === 900 ? 'Zebra' : `Article ${at}`, '<p>A zebra on a meadow.</p>'),
  )
  const { search } = indexOf(entries)
  const { total, ranked, ids } = await search('zebra')
  expect([total, ranked, ids.length, ids[0]]).toEqual([1000, MOST_RANKED, MOST_RANKED, 'a1900'])
  expect((await search('zebra meadow')).total).toBe(1000)
  expect((await search('article 17 zebra')).ids[0]).toBe('a1017')
})

test('pages are parts of the whole list, even with equal scores', async () => {
  const entries = Array.from({ length: 50 }, (_, at) =>
    entry(`a${(at * 7) % 50}`, at % 9 === 0 ? 'Zebra' : 'Meadow', '<p>A zebra.</p>'),
  )
  const { search } = indexOf(entries)
  const { ids } = await search('zebra')
  expect(ids).toHaveLength(50)
  for (const limit of [1, 4, 20, 50, 60]) {
    const pages = await Promise.all(
      Array.from({ length: Math.ceil(70 / limit) }, (_, at) => search('zebra', { skip: at * limit, limit })),
    )
    expect(pages.flatMap((page) => page.ids)).toEqual(ids)
  }
})

test('an article with all words in its title is the best, however rare they are elsewhere', async () => {
  const text = '<p>Remove the item: remove each item, and remove all.</p>'
  const { find } = indexOf([
    ...Array.from({ length: 100 }, (_, at) =>
      entry(`a${at}`, at === 50 ? 'Remove-Item' : `Item ${at}`, text),
    ),
    entry('other', 'Else', '<p>Nothing.</p>'),
  ])
  expect((await find('remove item'))[0]).toBe('a50')
})

test('titles and headings weigh more than text, and a word matches its beginnings and misspellings', async () => {
  const { find } = indexOf([
    entry('text', 'Accounts', '<p>Here you reset your password, and the password of others.</p>'),
    entry('title', 'Passwords', '<p>All about them.</p>'),
    entry('heading', 'Security', '<h2>Your password</h2><p>Keep it.</p>'),
    entry('other', 'Billing', '<p>Invoices</p>'),
  ])
  expect(await find('password')).toEqual(['title', 'heading', 'text'])
  expect(await find('passw')).toEqual(['title', 'heading', 'text'])
  for (const wrong of ['pasword', 'passsword', 'paswsord', 'passwort'])
    expect([wrong, await find(wrong)]).toEqual([wrong, ['title', 'heading', 'text']])
  expect(await find('invoces')).toEqual(['other'])
  expect(await find('nothing like it')).toEqual([])
})

test('only the first words without an article are corrected', async () => {
  const { find } = indexOf([entry('a', 'Alpha', '<p>Bravo Charlie</p>')])
  const unknown = 'qqqqqq wwwwww xxxxxx'
  expect(await find(`${unknown} brabo`)).toEqual(['a'])
  expect(await find(`${unknown} zzzzzz brabo`)).toEqual([])
})

test('forms of a word are one word, by the language of the article', async () => {
  const english = indexOf([entry('a', 'Deploying', '<p>Configure the environments.</p>')])
  for (const text of ['deploy', 'deployment', 'deployed', 'configuration', 'environment'])
    expect([text, await english.find(text)]).toEqual([text, ['a']])
  const german = indexOf([entry('a', 'Passwörter zurücksetzen', '<p>Häuser</p>')], 'de')
  for (const text of ['passwort', 'haus', 'wie zurückgesetzt passwort'])
    expect([text, await german.find(text)]).toEqual([text, ['a']])
})

test('a word that the stemmer of a language fails on is found unchanged', async () => {
  const { find } = indexOf([entry('a', 'бовижагръда', '<p>дума</p>')], 'bg')
  expect(await find('бовижагръда')).toEqual(['a'])
})

test('stop words are ignored, unless there are no others', async () => {
  const { find } = indexOf([
    entry('netlify', 'Host on Netlify', '<p>Deploy it.</p>'),
    entry('how', 'How do I', '<p>How do you do a thing?</p>'),
  ])
  expect(await find('how do I deploy a site to netlify')).toEqual(['netlify'])
  expect(await find('how do I')).toEqual(['how'])
})

test('articles with all words come first; if few have all, those with some are results, too', async () => {
  const { search } = indexOf([
    entry('both', 'Reset', '<p>password</p>'),
    entry('one', 'Reset', '<p>router</p>'),
    ...Array.from({ length: 20 }, (_, at) => entry(`many${at}`, `Invoices ${at}`, '<p>and taxes</p>')),
  ])
  expect(await search('reset password')).toMatchObject({ total: 2, ids: ['both', 'one'] })
  expect(await search('router password')).toMatchObject({ total: 2, ids: ['both', 'one'] })
  expect((await search('invoices taxes')).total).toBe(20)
  expect((await search('invoices router')).ids[0]).toBe('one')
})

test('code, numbers and alt texts are text; tags, attributes, scripts and comments are not', async () => {
  const { find } = indexOf([
    entry(
      'a',
      'Install',
      `<p class="shiny">Run <code>npm install kb-sync@2</code><img src="hidden.png" alt="A diagram"></p>
      <pre>const answer = 42</pre><script>secretive()</script><style>.colourful{}</style><!-- marked --><template>unseen</template>`,
    ),
  ])
  for (const text of ['npm', 'kb-sync', '42', 'answer', 'diagram'])
    expect([text, await find(text)]).toEqual([text, ['a']])
  for (const text of ['shiny', 'hidden', 'secretive', 'colourful', 'marked', 'unseen']) {
    expect([text, await find(text)]).toEqual([text, []])
  }
})

test('adjacent letters in inline tags are one word', async () => {
  const { find } = indexOf([entry('a', 'T', '<p>un<b>believ</b>able</p><p>tooth</p><p>brush</p>')])
  expect([await find('unbelievable'), await find('toothbrush')]).toEqual([['a'], []])
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
  ['a single Chinese character', '重置密码', 'x', '码'],
  ['a Japanese question', 'パスワードの変更', 'x', 'パスワードを変更する'],
])('%s', (_, title, text, query) => {
  test('is found', async () => {
    const { find } = indexOf([entry('a', title, `<p>${text}</p>`), entry('b', 'Else', '<p>nothing</p>')])
    expect(await find(query)).toEqual(['a'])
  })
})

test('marks that make another letter are kept', async () => {
  const { find } = indexOf([entry('a', 'कि', 'x'), entry('b', 'का', 'x')])
  expect(await find('का')).toEqual(['b'])
})

test('an article that is put again replaces the old one; a removed one is gone', async () => {
  const index = createMemoryIndex()
  const words = await loadLanguageWords('en')
  const find = async (text: string) => (await searchByWords(index, text, words)).ids
  index.put({ id: 'a', entries: 'first=9 one=3' })
  index.put({ id: 'b', entries: 'first=8' })
  index.put({ id: 'a', entries: 'second=9' })
  expect([await find('first'), await find('second'), await find('one')]).toEqual([['b'], ['a'], []])
  for (const id of ['a', 'a', 'never there']) index.remove(id)
  expect([await find('second'), await find('first')]).toEqual([[], ['b']])
})

test('a very long article is processed in steps, and found by as much of it as the guide says', async () => {
  const words = await loadLanguageWords('en')
  const filler = '<p>word and word</p>'.repeat(26_000)
  const steps = searchEntriesOf({ title: 'Long', html: `<p>first</p>${filler}<p>last</p>` }, words)
  for (let step = 0; step < 1000; step++) expect(steps.next().done).toBe(false)
  const entries = runSteps(steps)
    .split(' ')
    .map((each) => each.split('=')[0])
  expect(new Set(entries)).toEqual(new Set(['and', 'first', 'long', 'word']))
  const distinct = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => `w${from + at}x`).join(' ')
  const { find } = indexOf([
    entry('words', 'Words', `${distinct(0, 14_990)} early ${distinct(20_000, 20)} late`),
  ])
  expect([await find('early'), await find('late')]).toEqual([['words'], []])
  const long = Array.from({ length: 14_000 }, (_, at) => `${'密'.repeat(60)}${at}`)
  expect(
    Buffer.byteLength(runSteps(searchEntriesOf({ title: 'x', html: long.join(' ') }, words))),
  ).toBeLessThan(700_000)
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
  ['operators of databases', 'zzz NEAR(qqq, 5) -qqq* ^qqq "qqq OR \' & | ! :* qqq:A <-> ('],
  ['a regular expression', '(qqq+)+$ [zzz'],
])('any query works: %s', async (_, text) => {
  const { find } = indexOf([entry('a', 'constructor', '<p>toString valueOf</p>')])
  expect(await find(text)).toEqual([])
})

test('names of built-in properties are ordinary words', async () => {
  const { find } = indexOf([entry('a', 'constructor', '<p>__proto__ hasOwnProperty</p>')])
  for (const text of ['constructor', '__proto__', 'hasownproperty']) expect(await find(text)).toEqual(['a'])
})
