// New and moved articles in the folders of other tools, in their formats.
import { expect, test } from 'vitest'
import { createAuthoringProject } from './authoring-project.ts'

const DOCUSAURUS = { preset: 'docusaurus', content: 'content' } as const

test('a new article of Docusaurus contains what its folder does not imply', async () => {
  const project = createAuthoringProject(
    {
      '01-guides/_category_.json': '{ "label": "All guides" }',
      '01-guides/one.mdx': '# One\n\nText.\n',
      'intro.mdx': '# Intro\n\nText.\n',
    },
    DOCUSAURUS,
  )
  expect(await project.create('Reset it', { categories: ['All guides'] })).toMatchObject({
    file: 'content/01-guides/reset-it.md',
    line: 6,
    slug: 'guides-reset-it',
    categories: ['All guides'],
    text: '---\ntitle: Reset it\ndraft: true\n---\n\n',
  })
  expect(
    await project.create('Elsewhere', { categories: ['All guides'], folder: 'api', slug: 'x' }),
  ).toMatchObject({
    file: 'content/api/x.md',
    slug: 'x',
    text: '---\ntitle: Elsewhere\nslug: /x\ncategories: [All guides]\ndraft: true\n---\n\n',
  })
  expect(await project.check()).toEqual([])
})

test('a new article in a folder that decides the category needs no category', async () => {
  const project = createAuthoringProject(
    { 'guide/one.md': '# One\n\nText.\n', 'api/two.md': '# Two\n\nText.\n', 'root.md': '# Root\n\nText.\n' },
    DOCUSAURUS,
  )
  for (const [folder, category] of [
    ['guide', 'Guide'],
    ['content/api', 'API'],
    ['content', 'Content'],
    ['more', 'More'],
    ['guide/deep/er', 'Guide/Deep/Er'],
  ] as const)
    expect(await project.create(`In ${category}`, { folder })).toMatchObject({
      categories: [category],
      text: `---\ntitle: In ${category}\ndraft: true\n---\n\n`,
    })
  expect(await project.check()).toEqual([])
})

test.each([{}, { 'api/two.md': '# Two\n\nText.\n' }])(
  'a new folder decides the category, however many there are: %j',
  async (others) => {
    const project = createAuthoringProject(
      { 'one/a.md': '# A\n\nText.\n', ...others },
      { preset: 'folder', content: 'content' },
    )
    const plain = '---\ntitle: New\nstatus: draft\n---\n\n'
    const inNew = { categories: ['Three'], text: plain }
    expect(await project.create('New', { folder: 'three', dryRun: true })).toMatchObject(inNew)
    expect(await project.create('New', { folder: 'three', categories: ['Three'] })).toMatchObject(inNew)
    await expect(project.create('Other', { folder: 'four', categories: ['Five'] })).rejects.toThrow(
      'There is no category "Five"',
    )
    expect(await project.check()).toEqual([])
  },
)

test('a new folder makes no category if a file lists them all', async () => {
  const project = createAuthoringProject(
    { '_categories.yml': '- name: One\n  slug: one\n', 'one/a.md': '# A\n\nText.\n' },
    { preset: 'folder', content: 'content' },
  )
  expect(await project.create('New', { folder: 'three' })).toMatchObject({
    categories: ['One'],
    text: '---\ntitle: New\ncategories: [One]\nstatus: draft\n---\n\n',
  })
  expect(await project.check()).toEqual([])
})

test('a new translation of VitePress is beside its original, without a reference to it', async () => {
  const project = createAuthoringProject(
    {
      'guide/start.md': '# Start\n\nText.\n',
      'guide/other.md': '# Other\n\nText.\n',
      'fr/guide/other.md': '# Autre\n\nTexte.\n',
    },
    { preset: 'vitepress', content: 'content', server: { languages: ['en', 'fr'] } },
  )
  const options = { language: 'fr', translationOf: 'guide-start', categories: ['Guide'] }
  expect(await project.create('Commencer', options)).toMatchObject({
    file: 'content/fr/guide/start.md',
    slug: 'guide-start',
    original: 'content/guide/start.md',
    text: '---\ntitle: Commencer\nstatus: draft\n---\n\n',
  })
  expect(await project.check()).toEqual([])
})

test('a new article of Hugo is not a part of another page', async () => {
  const project = createAuthoringProject(
    {
      'guide/_index.md': '---\ntitle: The Guide\n---\n',
      'guide/start/index.md': '---\ntitle: Start\n---\nText.\n',
    },
    { preset: 'hugo', content: 'content' },
  )
  expect(await project.create('A new one', { categories: ['The Guide'] })).toMatchObject({
    file: 'content/guide/a-new-one.md',
    text: '---\ntitle: A new one\ndraft: true\n---\n\n',
  })
  expect(await project.check()).toEqual([])
  await expect(
    project.create('A part', { categories: ['The Guide'], folder: 'guide/start' }),
  ).rejects.toMatchObject({
    code: 'USAGE',
    message: 'guide/start/a-part.md would be part of another page. Nothing was written.',
  })
})

test('with a function that cannot be inverted, nothing is created', async () => {
  const files = { 'one.md': '---\nheading: One\n---\n\nText.\n' }
  const project = createAuthoringProject(files, {
    frontmatter: ({ heading, ...rest }) => ({ ...rest, title: heading }),
    defaults: { categories: ['Guides'] },
  })
  await expect(project.create('New')).rejects.toMatchObject({
    code: 'USAGE',
    message: 'kb.config.ts does not define how to write title. Nothing was written.',
  })
  expect(project.contents()).toEqual(files)
})

test('a moved page keeps its URL, also on its site', async () => {
  const project = createAuthoringProject(
    {
      'guides/01-one.mdx': '# One\n\nSee [two](./two.md).\n',
      'guides/two.md': '---\nslug: ./second\n---\n\n# Two\n\nSee [one](01-one.mdx).\n',
    },
    DOCUSAURUS,
  )
  await project.move('content/guides', 'content/api')
  expect(project.contents()).toEqual({
    'api/01-one.mdx': '---\nslug: /guides/one\n---\n\n# One\n\nSee [two](./two.md).\n',
    'api/two.md': '---\nslug: /guides/second\n---\n\n# Two\n\nSee [one](01-one.mdx).\n',
  })
  expect(await project.check()).toEqual([])
})

test('with a new slug, it is derived from the name', async () => {
  const project = createAuthoringProject(
    { 'a/one.md': '+++\ntitle = "One"\n+++\nText.\n', 'a/two.md': 'Text, and [one](one.md).\n' },
    { preset: 'hugo', content: 'content' },
  )
  await project.move('content/a/one.md', 'content/b/eins.md', { newSlug: true })
  expect(project.contents()).toEqual({
    'a/two.md': 'Text, and [one](../b/eins.md).\n',
    'b/eins.md': '+++\ntitle = "One"\n+++\nText.\n',
  })
  expect(await project.check()).toEqual([])
})

test('shortcodes of Hugo keep their targets', async () => {
  const project = createAuthoringProject(
    {
      'guide/setup.md':
        '---\ntitle: Setup\n---\n[a]({{< relref "start" >}}) [b]({{< ref `posts/one.md#x` >}}) [c]({{% ref other %}})\n',
      'guide/start/index.md': '---\ntitle: Start\n---\n[a]({{< ref "setup" >}})\n',
      'posts/one.md':
        '---\ntitle: One\n---\n[a]({{< relref path="/guide/setup" >}}) [b]({{< ref "setup" >}}) {{</* ref "setup" */>}}\n\n## X\n',
      'posts/other.md': '---\ntitle: Other\n---\nText.\n',
    },
    { preset: 'hugo', content: 'content' },
  )
  expect(await project.check()).toEqual([])
  await project.move('content/guide/setup.md', 'content/posts/begin.md')
  expect(project.contents()).toMatchObject({
    'posts/begin.md':
      '---\ntitle: Setup\nurl: /guide/setup\n---\n[a]({{< relref "start" >}}) [b]({{< ref `posts/one.md#x` >}}) [c]({{% ref other %}})\n',
    'guide/start/index.md': '---\ntitle: Start\n---\n[a]({{< ref "../../posts/begin" >}})\n',
    'posts/one.md':
      '---\ntitle: One\n---\n[a]({{< relref path="/posts/begin" >}}) [b]({{< ref "begin" >}}) {{</* ref "setup" */>}}\n\n## X\n',
  })
  expect(await project.check()).toEqual([])
})

test('links to folders of Hugo keep their targets, when pages or the folder move', async () => {
  const project = createAuthoringProject(
    {
      'docs/start/_index.md': '---\ntitle: Start\n---\n',
      'docs/start/one.md': '---\ntitle: One\n---\n[a](../) [b](../../start/)\n',
      'docs/other.md':
        '---\ntitle: Other\n---\n[a](/docs/start/#x) [b](../start) [c](./start/) [d]({{< ref "docs/start" >}}) [e]({{< relref "start/_index.md" >}}) [f](/blog/)\n',
      'docs/deep/more.md':
        '---\ntitle: More\n---\n[a](../../start/) [b](/elsewhere/start/) [c]({{< ref "start" >}})\n',
    },
    { preset: 'hugo', content: 'content' },
  )
  expect(await project.check()).toEqual([])
  await project.move('content/docs/start', 'content/docs/begin')
  expect(project.contents()).toMatchObject({
    'docs/begin/one.md': '---\ntitle: One\nurl: /docs/start/one\n---\n[a](../) [b](../)\n',
    'docs/other.md':
      '---\ntitle: Other\n---\n[a](/docs/begin/#x) [b](../begin) [c](./begin/) [d]({{< ref "docs/begin" >}}) [e]({{< relref "begin/_index.md" >}}) [f](/blog/)\n',
    'docs/deep/more.md':
      '---\ntitle: More\n---\n[a](../../begin/) [b](/elsewhere/start/) [c]({{< ref "begin" >}})\n',
  })
  expect(await project.check()).toEqual([])
  await project.move('content/docs/other.md', 'content/blog/other.md')
  expect(project.contents()['blog/other.md']).toContain(
    '[a](/docs/begin/#x) [b](../../docs/begin) [c](../docs/begin/) [d]({{< ref "docs/begin" >}}) [e]({{< relref "../docs/begin/_index.md" >}}) [f](/blog/)\n',
  )
  expect(await project.check()).toEqual([])
})

test('links in components of MDX are rewritten at any indentation', async () => {
  const project = createAuthoringProject(
    {
      'a.mdx':
        '# A\n\n<Tabs>\n  <TabItem>\n      [b](./b.mdx) <a href="b.mdx">b</a>\n  </TabItem>\n</Tabs>\n\n```\n[b](b.mdx)\n```\n',
      'b.mdx': '# B\n',
    },
    DOCUSAURUS,
  )
  await project.move('content/b.mdx', 'content/c/d.mdx')
  expect(project.contents()['a.mdx']).toBe(
    '# A\n\n<Tabs>\n  <TabItem>\n      [b](./c/d.mdx) <a href="c/d.mdx">b</a>\n  </TabItem>\n</Tabs>\n\n```\n[b](b.mdx)\n```\n',
  )
})

test('includes of VitePress are rewritten', async () => {
  const project = createAuthoringProject(
    {
      'guide/a.md': '# A\n\n<!--@include: ./parts/p.md{1,2}-->\n\n<!--@include: @/guide/parts/p.md-->\n',
      'guide/parts/p.md': 'One\n\nTwo\n',
    },
    { preset: 'vitepress', content: 'content', exclude: ['**/parts/**', '**/bits/**'] },
  )
  expect(await project.check()).toEqual([])
  await project.move('content/guide/parts', 'content/bits')
  expect(project.contents()['guide/a.md']).toBe(
    '# A\n\n<!--@include: ../bits/p.md{1,2}-->\n\n<!--@include: @/bits/p.md-->\n',
  )
  expect(await project.check()).toEqual([])
})

test('links of VitePress are rewritten in their style: root-relative or not, with any extension or none', async () => {
  const project = createAuthoringProject(
    {
      'guide/start.md':
        '# Start\n\n[a](./more) [b](/guide/more#x) [c](more.html) [d](/guide/) [e](../guide/more) [f](/pricing) [g](index)\n',
      'guide/more.md': '# More\n\n## X\n\n[a](./start) [b](/guide/start.html)\n',
      'guide/index.md': '# Guide\n\n[a](/guide/start)\n',
    },
    { preset: 'vitepress', content: 'content' },
  )
  await project.move('content/guide/more.md', 'content/api/other.md')
  await project.move('content/guide/index.md', 'content/all/index.md')
  expect(project.contents()['guide/start.md']).toBe(
    '# Start\n\n[a](../api/other) [b](/api/other#x) [c](../api/other.html) [d](/all/) [e](../api/other) [f](/pricing) [g](../all/index)\n',
  )
  expect(project.contents()['api/other.md']).toContain('[a](../guide/start) [b](/guide/start.html)')
  expect(await project.check()).toEqual([])
})

test('a link of Obsidian follows a renamed note, and stays if the name still refers to it', async () => {
  const text = 'See [[Old|words]], [[old#Part]], ![[Old]] and [[Other]], `[[Old]]`.\n'
  const project = createAuthoringProject(
    { 'Home.md': text, 'a/Old.md': '## Part\n', 'b/Other.md': 'Text.\n' },
    { preset: 'obsidian', content: 'content' },
  )
  await project.move('content/b/Other.md', 'content/c/Other.md')
  await project.move('content/a/Old.md', 'content/a/New.md')
  expect(project.contents()).toMatchObject({
    'Home.md': 'See [[New|words]], [[New#Part]], ![[New]] and [[Other]], `[[Old]]`.\n',
  })
})

test('links in directives with backticks follow a file, and those in code do not', async () => {
  const textWith = (name: string) =>
    `A.\r\n\r\n\`\`\`\`{note} On [b](${name}.md)\r\n:class: c\r\n[b](${name}.md)\r\n\r\n\`\`\`{tip}\r\n[b](${name}.md)\r\n\`\`\`\r\n\r\n\`\`\`md\r\n[b](old.md)\r\n\`\`\`\r\n\`\`\`\`\r\n\r\n    \`\`\`{note}\r\n    [b](old.md)\r\n    \`\`\`\r\n`
  const project = createAuthoringProject(
    { 'a.md': textWith('old'), 'old.md': 'Text.\n' },
    { preset: 'folder', content: 'content' },
  )
  await project.move('content/old.md', 'content/new.md')
  expect(project.contents()['a.md']).toBe(textWith('new'))
})

test.each(['Home.md', 'Index.md'])(
  '[[words]] are a link where there is %s of a wiki, and otherwise text',
  async (name) => {
    const project = createAuthoringProject(
      { [name]: 'See [[Old]].\n', 'Old.md': 'Text.\n' },
      { preset: 'folder', content: 'content' },
    )
    await project.move('content/Old.md', 'content/New.md')
    expect(project.contents()[name]).toBe(`See [[${name === 'Home.md' ? 'New' : 'Old'}]].\n`)
  },
)
