import { setImmediate } from 'node:timers/promises'
import { Agent } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { createGuardedConnector } from '../../../src/api/link-probe/address-guard.ts'
import { createSendProbe } from '../../../src/api/link-probe/send-probe.ts'
import { resolveToLoopback, serveWeb, silence } from './web-fixture.ts'

test('many concurrent requests are not reported as a leak, and a stop ends them all', async () => {
  const warnings: string[] = []
  const onWarning = (warning: Error) => warnings.push(warning.message)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  const web = await serveWeb({ 'a.test/*': silence })
  const connect = createGuardedConnector(() => true, resolveToLoopback, 20_000)
  const dispatcher = new Agent({ connect, pipelining: 0 })
  onTestFinished(() => dispatcher.destroy())
  const stopper = new AbortController()
  const sendProbe = createSendProbe(dispatcher, 'agent', stopper.signal)
  const probes = Array.from({ length: 30 }, (_, index) =>
    sendProbe(new URL(web.url(`a.test/${index}`)), 'HEAD', 20_000),
  )
  const ended = Promise.allSettled(probes)
  await web.waitForSeen(30)
  stopper.abort('stopped')
  expect(await ended).toEqual(probes.map(() => ({ status: 'rejected', reason: 'stopped' })))
  // Warnings are emitted a little later.
  await setImmediate()
  expect(warnings).toEqual([])
})
