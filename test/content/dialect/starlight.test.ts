import { expect, test } from 'vitest'
import { type Rendered, renderDialect } from './rendered.ts'

const render = (text: string, source = 'page.mdx'): Promise<Rendered> =>
  renderDialect('starlight', text, source)

test('the components of the theme', async () => {
  const text = `import { Aside, Badge, Card, Code, LinkCard } from '@astrojs/starlight/components'

<Aside type="caution" title="Mind *it*">One</Aside>

:::tip[Two [a](./a.mdx)]{icon="heart"}
Three
:::

<Tabs syncKey="x">
  <TabItem label="npm" icon="star">
    Four <Badge text="New" variant="tip" />
  </TabItem>
</Tabs>

<CardGrid stagger>
  <Card title="Five" icon="star">
    Six
  </Card>
  <LinkCard title="Seven" description="Eight" href="/guides/a/" />
  <LinkCard title="Nine" href="/guides/b/" />
</CardGrid>

<Steps>

1. Ten

   <FileTree>

   - src/
     - a.ts the *file*

   </FileTree>

</Steps>

<Code code={\`one()\`} lang="js" title="a.js" />

Read <LinkButton href="/c/" icon="right-arrow">more <Icon name="star" /></LinkButton>
`
  const { html, problems } = await render(text)
  expect(problems).toEqual([])
  expect(html).toMatchInlineSnapshot(`
    "<div class="markdown-alert markdown-alert-caution">
    <p class="markdown-alert-title">Mind *it*</p>
    <p>One</p>
    </div>
    <div class="markdown-alert markdown-alert-tip">
    <p class="markdown-alert-title">Two <a href="./a.mdx">a</a></p>
    <p>Three</p>
    </div>
    <div class="markdown-tab">
    <p class="markdown-tab-title"><strong>npm</strong></p>
    <p>Four <sup>New</sup></p>
    </div>
    <p><strong>Five</strong></p>
    <p>Six</p>
    <p><a href="/guides/a/">Seven</a></p>
    <p>Eight</p>
    <p><a href="/guides/b/">Nine</a></p>
    <ol>
    <li>
    <p>Ten</p>
    <ul>
    <li>src/
    <ul>
    <li>a.ts the <em>file</em></li>
    </ul>
    </li>
    </ul>
    </li>
    </ol>
    <p><strong>a.js</strong></p>
    <pre><code class="language-js">one()
    </code></pre>
    <p>Read <a href="/c/">more </a></p>
    "
  `)
})

test('imported code and components of the site are reported', async () => {
  expect(await render('<Code code={imported} lang="js" />\n\n<Preview>a</Preview>\n')).toMatchObject({
    problems: ['1:7-1:11 expression-removed', '3:1-3:9 component-removed'],
  })
})

test('an .md file is Markdown with asides', async () => {
  const { html, problems } = await render(':::danger\nUse {braces} and <Name>.\n:::\n\n    code\n', 'page.md')
  expect(html).toBe(
    '<div class="markdown-alert markdown-alert-caution">\n<p class="markdown-alert-title">Danger</p>\n<p>Use {braces} and .</p>\n</div>\n<pre><code>code\n</code></pre>\n',
  )
  expect(problems).toEqual(['2:18-2:23 html-removed'])
})
