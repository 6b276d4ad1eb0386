import { expect, test } from 'vitest'
import { humanise } from '../../src/core/numbered-name.ts'

test.each([
  ['01-getting-started', 'Getting started'],
  ['cli-api', 'CLI API'],
  ['Team handbook 0a1b2c3d4e5f60718293a4b5c6d7e8f9', 'Team handbook'],
  ['0a1b2c3d4e5f60718293a4b5c6d7e8f9', '0a1b2c3d4e5f60718293a4b5c6d7e8f9'],
  ['faqs', 'FAQs'],
  ['ai-agents', 'AI agents'],
  ['guida-ai-servizi', 'Guida ai servizi'],
  ['capital', 'Capital'],
])('a file or folder called %s has the title %s', (name, title) => {
  expect(humanise(name)).toBe(title)
})
