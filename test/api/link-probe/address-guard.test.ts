import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../../src/api/link-probe/address-guard.ts'

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'this host': ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  'link-local, where clouds keep their secrets': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  "a cloud's own, in a public range": ['168.63.129.16'],
  'unique local and site-local': ['fc00::1', 'fd12:3456::1', 'fec0::1'],
  'behind a carrier': ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  'reserved and documentation': [
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.9',
    '240.0.0.1',
    '255.255.255.255',
    '2001:db8::1',
    '100::1',
    '3fff::1',
    '5f00::1',
    '4000::1',
  ],
  'IPv4 within IPv6': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2002:c0a8:101::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  ],
  'no address': ['', 'localhost', 'example.com', '1.2.3.4.5', '[::1]', '8.8.8.8 ', '8.8.8.8/32'],
}

describe('rejected addresses', () => {
  test.for(Object.entries(REFUSED))('%s', ([, addresses]) => {
    expect(addresses.filter((address) => isPublicAddress(address))).toEqual([])
  })

  test('every spelling of 127.0.0.1 in a URL', () => {
    const spellings = ['127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '017700000001', '0177.0.0.1']
    const others = ['127.0.0.1.', '%31%32%37.0.0.1', '１２７.0.0.1', '127。0。0。1', '[::ffff:127.0.0.1]']
    const hosts = [...spellings, ...others].map((host) => new URL(`http://${host}/`).hostname)
    expect(hosts.filter((host) => isPublicAddress(host.replaceAll(/[[\]]/g, '')))).toEqual([])
    expect(new Set(hosts)).toEqual(new Set(['127.0.0.1', '[::ffff:7f00:1]']))
  })
})

test('addresses of the public internet are allowed', () => {
  const addresses = [
    '1.1.1.1',
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450::5',
  ]
  expect(addresses.filter((address) => !isPublicAddress(address))).toEqual([])
})

test('any text has a result', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV4Extended(), fc.ipV6()), (address) => {
      expect(typeof isPublicAddress(address)).toBe('boolean')
    }),
  )
})

test('no address in a private network is public, however it is embedded', () => {
  const ofPrivate = fc
    .tuple(fc.constantFrom('10', '127'), fc.nat(255), fc.nat(255), fc.nat(255))
    .map((parts) => parts.join('.'))
  const embedded = fc.constantFrom('', '::', '::ffff:', '64:ff9b::', '::ffff:0:')
  fc.assert(
    fc.property(embedded, ofPrivate, (prefix, address) => {
      expect(isPublicAddress(prefix + address)).toBe(false)
    }),
  )
})
