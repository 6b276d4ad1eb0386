import { KbError } from '../../core/errors/kb-error.ts'
import type { BindAddress } from '../../server/http/bind.ts'

const ALL_ADDRESSES: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** @throws KbError USAGE where the service and its metrics would listen on the same address */
export function assertPortsDiffer(service: BindAddress, metrics: BindAddress | undefined): void {
  if (metrics === undefined || service.port === 0 || service.port !== metrics.port) return
  const hosts = [service, metrics].map(({ host }) => (host === 'localhost' ? '127.0.0.1' : host))
  if (hosts[0] !== hosts[1] && !hosts.some((host) => ALL_ADDRESSES.has(host))) return
  throw new KbError('USAGE', `The service and its metrics cannot both listen on port ${service.port}.`, {
    hint: 'Give --metrics another port than --port.',
  })
}
