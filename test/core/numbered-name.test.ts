import { expect, test } from 'vitest'
import { humanise } from '../../src/core/numbered-name.ts'

test.each([
  ['01-getting-started', 'Getting started'],
  ['cli-api', 'CLI API'],
  ['faqs', 'FAQs'],
  ['ai-agents', 'AI agents'],
  ['guida-ai-servizi', 'Guida ai servizi'],
  ['capital', 'Capital'],
])('a file or folder called %s has the title %s', (name, title) => {
  expect(humanise(name)).toBe(title)
})
