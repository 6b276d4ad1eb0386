import { isIP } from 'node:net'

/** Whether `text` is an IP address or a network in the notation of CIDR. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
