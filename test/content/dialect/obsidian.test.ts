import { expect, test } from 'vitest'
import { type Rendered, renderDialect } from './rendered.ts'

const render = (text: string): Promise<Rendered> => renderDialect('obsidian', text)

test('links and images in double brackets', async () => {
  const text = `See [[Create a vault]], [[Sync/Set up#Choose: a plan|the *plan*]], [[#Own part]] and [[a#^block]].

![[My image.png|300]] ![[b.svg#outline|A drawing]] ![[c (1).png]] ![[talk.mp3]]

| a | b |
|---|---|
| [[One\\|first]] | \`[[code]]\` |

\\[[no]] [[]] [[ ]]

## Own part
`
  const { html, problems } = await render(text)
  expect(problems).toEqual([])
  expect(html).toMatchInlineSnapshot(`
    "<p>See <a href="Create%20a%20vault">Create a vault</a>, <a href="Sync/Set%20up#choose-a-plan">the <em>plan</em></a>, <a href="#own-part">Own part</a> and <a href="a">a</a>.</p>
    <p><img src="My%20image.png" alt="My image" width="300"> <img src="b.svg" alt="A drawing"> <img src="c%20%281%29.png" alt="c (1)"> <a href="talk.mp3">talk.mp3</a></p>
    <table>
    <thead>
    <tr>
    <th>a</th>
    <th>b</th>
    </tr>
    </thead>
    <tbody>
    <tr>
    <td><a href="One">first</a></td>
    <td><code>[[code]]</code></td>
    </tr>
    </tbody>
    </table>
    <p>[[no]] [[]] [[ ]]</p>
    <h2 id="own-part">Own part</h2>
    "
  `)
})

test('text below an image with a width is Markdown', async () => {
  const { html, problems } = await render('![[a "b".png|300x200]]\nThen *it*.\n')
  expect(html).toBe(
    '<p><img src="a%20%22b%22.png" alt="a &#x22;b&#x22;" width="300">\nThen <em>it</em>.</p>\n',
  )
  expect(problems).toEqual([])
})

test('an embedded note becomes a link, and is reported', async () => {
  expect(await render('a\n\n![[Some note#Part]]\n')).toMatchObject({
    html: '<p>a</p>\n<p><a href="Some%20note#part">Some note > Part</a></p>\n',
    problems: ['3:1-3:20 component-removed'],
    messages: ['The embedded note ![[Some note#Part]] was replaced with a link to it.'],
  })
})

test('callouts, marks, comments and block names', async () => {
  const text = `> [!tip]- Fold ==it==
> One %%hidden%%
>
> > [!bug|wide]
> > Two

> [!Custom]
> Three

Four ^block-1

%%
[[gone]] ==gone==

gone
%%

\`%%\` 50 %% is kept
`
  const { html, problems } = await render(text)
  expect(problems).toEqual([])
  expect(html).toMatchInlineSnapshot(`
    "<div class="markdown-alert markdown-alert-tip">
    <p class="markdown-alert-title">Fold <mark>it</mark></p>
    <p>One</p>
    <div class="markdown-alert markdown-alert-caution">
    <p class="markdown-alert-title">Bug</p>
    <p>Two</p>
    </div>
    </div>
    <div class="markdown-alert markdown-alert-note">
    <p class="markdown-alert-title">Custom</p>
    <p>Three</p>
    </div>
    <p>Four</p>
    <p><code>%%</code> 50 %% is kept</p>
    "
  `)
})

test('code with several backticks ends as in Markdown', async () => {
  const { html } = await render('`` ``` `` ==a== ``==b== ` c`` ==d== `==e==')
  expect(html).toBe('<p><code>```</code> <mark>a</mark> <code>==b== ` c</code> <mark>d</mark> `==e==</p>\n')
})
