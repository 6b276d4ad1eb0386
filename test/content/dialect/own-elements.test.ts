// A project's own components and shortcodes, as its configuration converts them to elements.
import { expect, test } from 'vitest'
import type { ElementMappings, MapElement } from '../../../src/core/model/element-mapping.ts'
import type { PresetName } from '../../../src/core/dialects/dialects.ts'
import { FRONTMATTER, loadFiles } from '../load-files.ts'
import { renderDialect } from './rendered.ts'

async function render(preset: PresetName, mappings: ElementMappings, text: string) {
  const isHugo = preset === 'hugo'
  const { html, problems, messages } = await renderDialect(preset, text, 'page.md', {
    elements: { components: isHugo ? undefined : mappings, shortcodes: isHugo ? mappings : undefined },
  })
  return { html, problems, messages }
}

test('components of MDX: by name, with renamed attributes, and by function', async () => {
  const text = `import Logo from './logo.js'

<DocsImage src="./a.png" alt="A" zoom onClick="x()" width={40} />

Words <Key>Ctrl</Key> and <Picture path={useBaseUrl('/b.png')} alt="left out">Its caption</Picture>.

<Box>

- one

</Box>

<DocsImage alt="nothing" />

<Box>words</Box>
`
  const table: ElementMappings = {
    DocsImage: 'img',
    Key: 'kbd',
    Picture: { element: 'img', attributes: { src: 'path' } },
    Box: 'blockquote',
  }
  expect(await render('docusaurus', table, text)).toEqual({
    html: `<img src="./a.png" alt="A" width="40">
<p>Words <kbd>Ctrl</kbd> and <img src="/b.png">Its caption.</p>
<blockquote>
<ul>
<li>one</li>
</ul>
</blockquote>
<p>nothing</p>
<blockquote>
words
</blockquote>
`,
    problems: [
      // The mapping can leave out attributes that are not allowed on the element.
      '3:1-3:66 html-removed',
      '3:1-3:66 html-removed',
      '5:27-5:100 image-alt-missing',
      '13:1-13:11 component-removed',
    ],
    messages: [
      'The attribute zoom of <img> is not allowed and was removed.',
      'The attribute onclick of <img> is not allowed and was removed.',
      'The image has no alt text.',
      '<DocsImage> became <img> without src, so readers cannot see it.',
    ],
  })
  const decide: MapElement = ({ name, attributes }) => {
    if (name === 'Key') return 'kbd'
    if (name === 'DocsImage')
      return { element: 'img', attributes: { src: `/img/${attributes['alt']}.png`, alt: 'B' } }
    return undefined
  }
  expect(await render('docusaurus', decide, '<Key>A</Key> <DocsImage alt="b" /> <Other>c</Other>\n')).toEqual(
    {
      html: '<p><kbd>A</kbd> <img src="/img/b.png" alt="B"> c</p>\n',
      problems: ['1:36-1:42 component-removed'],
      messages: ['The component <Other> is unknown, so only its content was kept.'],
    },
  )
})

test('components of Vue', async () => {
  const text = `Press <Key label="x">Ctrl</Key>.

<DocsImage src="./a.png" alt='A "b"' class="wide" :width="40" :title="'T'" />

<my-box>

- one

</my-box>
`
  const table: ElementMappings = { DocsImage: 'img', Key: 'kbd', 'my-box': 'blockquote' }
  const html = `<p>Press <kbd label="x">Ctrl</kbd>.</p>
<img src="./a.png" alt="A &#x22;b&#x22;" width="40" title="T">
<blockquote>
<ul>
<li>one</li>
</ul>
</blockquote>
`
  expect(await render('vitepress', table, text)).toEqual({ html, problems: [], messages: [] })
  const decide: MapElement = ({ name, attributes }) => {
    const element = Object.hasOwn(table, name) ? table[name] : undefined
    return name === 'Key' && attributes['label'] === undefined ? undefined : element
  }
  expect(await render('vitepress', decide, text)).toEqual({ html, problems: [], messages: [] })
})

test('shortcodes of Hugo', async () => {
  const text = `{{< img src="a.png" alt="A & b" >}} {{< pic "b.png" "B" >}} {{% kbd %}}Ctrl{{% /kbd %}} {{< pic >}}

{{< box title="x" >}}
- one
{{< /box >}}

{{< note >}}Mine{{< /note >}}
`
  const table: ElementMappings = {
    img: 'img',
    pic: { element: 'img', attributes: { src: '0', alt: '1' } },
    kbd: 'kbd',
    box: { element: 'blockquote' },
    note: 'p',
  }
  expect(await render('hugo', table, text)).toEqual({
    html: `<p><img src="a.png" alt="A &#x26; b"> <img src="b.png" alt="B"> <kbd>Ctrl</kbd> <img></p>
<blockquote title="x">
<ul>
<li>one</li>
</ul>
</blockquote>
<p>
</p><p>Mine</p>
<p></p>
`,
    problems: ['1:89-1:100 shortcode-removed', '1:89-1:100 image-alt-missing'],
    messages: [
      'The shortcode "pic" became <img> without src, so readers cannot see it.',
      'The image has no alt text.',
    ],
  })
})

test('mappings of the project apply where code and URLs must not have holes', async () => {
  const table: ElementMappings = {
    Key: 'kbd',
    Shot: { element: 'img', attributes: { src: 'path', alt: 'alt' } },
  }
  const react = 'A <Key>{x}</Key> and <Shot path={y} alt="B" />, <Key title={z}>C</Key>\n'
  expect((await render('docusaurus', table, react)).problems).toEqual([
    '1:8-1:11 value-unresolved',
    '1:22-1:27 component-removed',
    '1:28-1:32 value-unresolved',
    '1:54-1:59 expression-removed',
  ])
  const vue = 'A <Key>{{ x }}</Key> and <Shot :path="y" alt="B" />, <Key :title="z">C</Key>\n'
  expect((await render('vitepress', table, vue)).problems).toEqual([
    '1:8-1:15 value-unresolved',
    '1:26-1:31 value-unresolved',
    '1:26-1:31 component-removed',
    '1:54-1:58 expression-removed',
  ])
  const hugo =
    '`x {{< key >}}` [a]({{< key >}}) {{% key %}}`{{< other >}}` {{< other >}}{{% /key %}} {{< param a >}}\n'
  expect(await render('hugo', { key: 'kbd', param: 'samp' }, hugo)).toEqual({
    html: '<p><code>x &#x3C;kbd>&#x3C;/kbd></code> [a](<kbd></kbd>) <kbd><code>{{&#x3C; other >}}</code> {{&#x3C; other >}}</kbd> <samp></samp></p>\n',
    problems: ['1:46-1:59 value-unresolved', '1:61-1:74 value-unresolved'],
    messages: [
      'The shortcode "other" has no value here, so the code would be incomplete.',
      'The shortcode "other" has no value here, so the code would be incomplete.',
    ],
  })
})

test.each([
  [() => 'script', "returned 'script' for X, which is not an element of the allow-list."],
  [() => 42 as unknown as string, 'returned 42 for X, which is not an element of the allow-list.'],
  [
    () => Promise.resolve('kbd') as unknown as string,
    "returned Promise { 'kbd' } for X, which is not an element of the allow-list.",
  ],
  [
    () => ({ attributes: {} }) as unknown as string,
    'returned { attributes: {} } for X, which is not an element of the allow-list.',
  ],
  [
    () => ({ element: 'img', attributes: { src: 'a.png', onclick: 'x()' } }),
    'gave the <img> for X the attribute onclick, which is not allowed.',
  ],
  [
    () => ({ element: 'img', attributes: JSON.parse('{ "__proto__": "x" }') as Record<string, string> }),
    'gave the <img> for X the attribute __proto__, which is not allowed.',
  ],
  [
    () => {
      throw new Error('no such thing')
    },
    'failed at X: no such thing',
  ],
])('a function that fails is an error of the configuration: %#', async (decide: MapElement, message) => {
  for (const preset of ['docusaurus', 'vitepress'] as const)
    await expect(render(preset, decide, 'a <X />\n')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(`The function components of the configuration ${message}`) as string,
    })
  await expect(render('hugo', decide, 'a {{< X >}}\n')).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
})

test('a mapping to attributes that are not allowed on the element is a configuration error', async () => {
  const components = {
    Shot: { element: 'img', attributes: { src: 'file', onClick: 'run', style: 'look' } },
    Card: { element: 'div', attributes: { 'data-kind': 'kind', class: 'tone' } },
    Note: { element: 'blockquote', attributes: { cite: 'from' } },
    Key: 'kbd',
  }
  const check = (attributes: Record<string, string[]>) =>
    loadFiles(
      { 'a.md': `${FRONTMATTER}Words.\n` },
      {
        markdown: {
          parser: 'native',
          remarkPlugins: [],
          allow: { attributes },
          elements: { components, shortcodes: undefined },
        },
      },
    )
  await expect(check({})).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: `The configuration has errors:
  components.Shot.attributes.onClick: <img> does not allow this attribute
  components.Shot.attributes.style: <img> does not allow this attribute
  components.Card.attributes.data-kind: <div> does not allow this attribute`,
    hint: 'Remove the attribute, or allow it with markdown.allow.attributes.',
  })
  await expect(check({ img: ['onclick', 'style'] })).rejects.toThrow('has an error:')
  await expect(check({ img: ['onclick', 'style'], '*': ['data-kind'] })).resolves.toBeDefined()
})
