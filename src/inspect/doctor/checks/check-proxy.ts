import { type ProxyEnvironment, proxyFor } from '../../../api/client/dispatcher.ts'
import type { RemoteTargetSettings } from '../../../core/config/settings.ts'
import { failureOf, type Finding, ok } from '../finding.ts'

export function checkProxy({ url }: RemoteTargetSettings, env: ProxyEnvironment): Finding {
  try {
    const proxy = proxyFor(new URL(url).origin, env)
    if (proxy === undefined) return ok('connection.proxy', 'no proxy is in use')
    // Without user and password.
    const { host } = new URL(proxy)
    return ok('connection.proxy', `requests go through the proxy ${host}, unless NO_PROXY names the host`)
  } catch (error) {
    return failureOf('connection.proxy', error)
  }
}
