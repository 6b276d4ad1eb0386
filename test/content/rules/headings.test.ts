import { describe, expect, test } from 'vitest'
import { loadFiles } from '../load-files.ts'
import { findIn } from './find-in.ts'

describe('heading-skipped', () => {
  const skipped = (body: string, title?: string) => findIn('heading-skipped', body, title)

  test.each([
    ['below the title', '### A\n', ['1:1 ### A']],
    ['below a section', '## A\n\n#### B\n\n##### C\n', ['3:1 #### B']],
    ['below a heading of level 1', '# A\n\n### B\n', ['3:1 ### B']],
    ['each time', '## A\n\n#### B\n\n## C\n\n#### D\n', ['3:1 #### B', '7:1 #### D']],
    ['in a quote and a list', '> ### A\n\n- ## B\n  ##### C\n', ['1:3 ### A', '4:3 ##### C']],
    ['with CRLF and a closing sequence', 'Text.\r\n\r\n### A ###\r\n', ['3:1 ### A ###']],
    ['written as HTML', '<h3 id="x">A</h3>\n\n> text <h5>B</h5>\n', ['1:1 <h3', '3:8 <h5']],
    ['Markdown among HTML', '<h2>A</h2>\n\n#### B\n', ['3:1 #### B']],
    ['behind the title, which is not sent', '# Title\n\n### A\n', ['3:1 ### A']],
    ['behind the title, with HTML', '# Title\n\n### A\n\n<kbd>x</kbd>\n', ['3:1 ### A']],
  ])('%s', (_, body, found) => {
    expect(skipped(body)).toEqual(found)
  })

  test.each([
    ['one level at a time', '## A\n\n### B\n\n#### C\n\n## D\n'],
    ['the title again', '# Title\n\n## A\n'],
    ['none at all', 'Text.\n'],
    ['levels in code', '## A\n\n```\n#### B\n```\n'],
    ['the label of footnotes', '## A\n\n### B[^1]\n\n[^1]: Note.\n'],
    ['the label of footnotes among HTML', '## A\n\n### B[^1] <kbd>x</kbd>\n\n[^1]: Note.\n'],
    ['HTML that is removed', '<template><h5>A</h5></template>\n'],
  ])('not: %s', (_, body) => {
    expect(skipped(body)).toEqual([])
  })
})

describe('heading-second-h1', () => {
  const second = (body: string, title?: string) => findIn('heading-second-h1', body, title)

  test.each([
    ['another one', '# Title\n\n# Other\n', ['3:1 # Other']],
    ['the title too late', 'Text.\n\n# Title\n', ['3:1 # Title']],
    ['the title twice', '# Title\n\n# Title\n', ['3:1 # Title']],
    ['underlined', 'Other\n=====\n', ['1:1 Other\n=====']],
    ['HTML', 'Text.\n\n<h1 class="x">Other</h1>\n', ['3:1 <h1']],
  ])('%s', (_, body, found) => {
    expect(second(body)).toEqual(found)
  })

  test('a picture needs no other level, but no heading', async () => {
    const hints = async (body: string) => {
      const { diagnostics } = await loadFiles(
        { 'a.md': `---\ntitle: T\ncategories: [g]\n---\n${body}` },
        { rules: {} },
      )
      return diagnostics.flatMap(({ code, hint }) => (code === 'heading-second-h1' ? [hint] : []))
    }
    const picture = 'A picture is no heading: remove the # before it, and write its text as alt text.'
    const words = 'Start sections with ##, or make the heading identical to `title`.'
    const logo = '![Logo](https://example.com/l.png)'
    expect(
      await hints(`Text.\n\n# ${logo}\n\n# [${logo}](https://example.com)\n\n# ${logo} Name\n\n#\n`),
    ).toEqual([picture, picture, words, words])
    expect(await hints('Text.\n\n<h1><img src="https://example.com/l.png" alt="Logo"></h1>\n')).toEqual([
      picture,
    ])
  })

  test('the title as in the frontmatter, whatever its markup', () => {
    expect(second('# Title\n')).toEqual([])
    expect(second('# The **big** `title`\n', 'The big title')).toEqual([])
    expect(second('Caf\u0065\u0301\n====\n', 'Café')).toEqual([])
    expect(second('## Title\n')).toEqual([])
  })
})
