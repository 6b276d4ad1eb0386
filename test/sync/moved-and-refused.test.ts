// A file was moved and has a new slug: its article is created again, and the old one deleted. If the new one is not
// created, the old one stays.
import { expect, test } from 'vitest'
import { createMemoryCheckout, heldBy } from '../support/memory-project.ts'
import { createMemoryService, type Mishap } from '../support/memory-service.ts'
import { article, type Files } from '../support/project.ts'

const FILES: Files = {
  'content/first.md': article('First'),
  'content/second.md': article('Second'),
  'content/third.md': article('Third'),
}

const FIRST = 'first: First: Text of First.'
const THIRD = 'third: Third: Text of Third.'

async function moveAndFail(request: number, mishap: Mishap) {
  const service = createMemoryService({})
  const checkout = createMemoryCheckout(service, FILES)
  await checkout.sync()
  checkout.remove('content/second.md')
  checkout.write({ 'content/moved.md': article('Second', { slug: 'moved' }) })
  const result = await checkout.meet([[request, mishap]], { prune: true, yes: true })
  return { service, checkout, operations: result?.operations ?? [] }
}

test.each(['failed-before', 'ignored'] as const)(
  'whichever request is %s, no text is ever missing on the target',
  async (mishap) => {
    const lost: number[] = []
    for (let request = 0; request < 12; request++) {
      const { service, checkout, operations } = await moveAndFail(request, mishap)
      if (!heldBy(service).some((held) => held.includes('Second'))) lost.push(request)
      const wasKept = operations.some(({ reason }) => reason?.includes('may contain its text') === true)
      expect(wasKept).toBe(
        operations.some(({ action, outcome }) => action === 'create' && outcome !== 'done'),
      )
      checkout.wait()
      await checkout.sync({ prune: true, yes: true })
      expect(heldBy(service)).toEqual([FIRST, 'moved: Second: Text of Second.', THIRD])
    }
    expect(lost).toEqual([])
  },
)
