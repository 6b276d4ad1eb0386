// What the linter of the documentation and of the strings in src/ finds, and what it leaves alone.
import { expect, test } from 'vitest'
import { judgeMarkdown, judgeSource, judgeText } from '../scripts/judge-prose.mjs'

const BANNED = {
  anew: 'again',
  mend: 'fix',
  mended: 'fixed',
  mends: 'fixes',
  nobody: 'no one',
  'look at': 'check',
}

test('banned words are found in Markdown, but not in code or frontmatter', async () => {
  const text = [
    '---',
    'title: Mend it',
    '---',
    '',
    '> Nobody mends `anew`, or ``mended``.',
    '',
    '| a | b |',
    '|---|---|',
    '| `mend` | Look at it. |',
  ]
  expect(await judgeMarkdown(text.join('\n'), BANNED)).toEqual([
    '5: "nobody": write no one',
    '5: "mends": write fixes',
    '9: "look at": write check',
  ])
})

test('repeated words, wrong articles and long sentences are found, one sentence at a time', async () => {
  const long = `This ${'very '.repeat(2)}sentence ${'goes on, and '.repeat(13)}ends.`
  const short = `This sentence goes on. ${'`kb` goes on; kb-sync goes on: and on. '.repeat(10)}`
  expect(await judgeMarkdown(`A\nexample.\n\n${short}\n\n${long}`, BANNED)).toEqual([
    '1: Unexpected article `A` before `example`, expected `An`',
    '6: Unexpected repeated `very`, remove one occurrence',
    '6: A sentence has more than 40 words',
  ])
})

test('banned words are found in any text', () => {
  expect(judgeText('name: kb\ntitle: Mend it and look at it\n', BANNED)).toEqual([
    '2: "Mend": write fix',
    '2: "look at": write check',
  ])
})

test('banned words are found in the strings and comments of a source, and only there', () => {
  const source = [
    '#!/usr/bin/env node',
    "import { mend } from './mend/mend.ts' // mend",
    '/** Nobody reads ü. */',
    "const nobody: 'nobody' = mend('Äh: read anew.', { mended: `${mend}",
    '  ${1} mended ${`until mend`}` })',
    "const told = mend('\\nNobody')",
  ]
  expect(judgeSource(source.join('\n'), BANNED)).toEqual([
    '4: "anew": write again',
    '5: "mended": write fixed',
    '5: "mend": write fix',
    '6: "Nobody": write no one',
    '2: "mend": write fix',
    '3: "Nobody": write no one',
  ])
})
