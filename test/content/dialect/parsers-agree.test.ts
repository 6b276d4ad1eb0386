import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { PRESET_NAMES } from '../../../src/core/dialects/dialects.ts'
import { readRuns, timeoutOf } from '../../support/runs.ts'
import { inputOf, realMarkdown, rendererOf, turn } from '../markdown/renderers.ts'

const RUNS = readRuns('FUZZ', 100)

const PIECES = [
  '::: tip Title\n',
  ':::note[A *b*]\n',
  ':::\n',
  '::::\n',
  ':::: details x {open}\n',
  '- item\n',
  '  more\n',
  '> quote\n',
  'words 12:30 a:b :c[d](e)\n',
  '```js [x.js]\n',
  '```\n',
  '~~~\n',
  '\n',
  '\n',
  '# Head {#id}\n',
  '## Head {/* #id */}\n',
  '<Tabs>\n',
  '</Tabs>\n',
  '<b>x</b> y\n',
  '<div>\n',
  '</div>\n',
  '<br/>\n',
  '{/* c */}\n',
  '{x}\n',
  '<!-- c -->\n',
  'import a from "b"\n',
  'export const c = 1\n',
  '{{ x }}\n',
  '<Badge text="t" />\n',
  '{{< ref "x" >}}\n',
  '{{% note %}}\n',
  '{{% /note %}}\n',
  ': defined\n',
  '| a | b |\n|---|---|\n| {c} | <i>d</i> |\n\n',
  '    code\n',
  '[[toc]]\n',
]

test.each(PRESET_NAMES)(
  'both parsers give the same of whatever stands together: %s',
  timeoutOf(RUNS, 50),
  async (dialect) => {
    const native = await rendererOf({ dialect })
    const remark = await rendererOf({ dialect, parser: 'remark' })
    const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, (body) => {
        expect(native(inputOf(body))).toEqual(remark(inputOf(body)))
      }),
      RUNS,
    )
  },
)

const EVERY = 40

test.each(PRESET_NAMES)('both parsers give the same of texts that nobody here wrote: %s', async (dialect) => {
  const native = await rendererOf({ dialect })
  const remark = await rendererOf({ dialect, parser: 'remark' })
  for (const text of [...realMarkdown().values()].filter((_, index) => index % EVERY === 7)) {
    expect(native(inputOf(text))).toEqual(remark(inputOf(text)))
    await turn()
  }
})
