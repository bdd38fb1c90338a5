import fc from 'fast-check'
import { expect, it } from 'vitest'
import { getClientNetwork, normalizeAddress } from './client-address.ts'

it('removes ports, brackets and the IPv4-mapped prefix', () => {
  expect(normalizeAddress('192.0.2.1:1001')).toBe('192.0.2.1')
  expect(normalizeAddress('[2001:db8::1]:443')).toBe('2001:db8::1')
  expect(normalizeAddress('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(normalizeAddress('::FFFF:192.0.2.1')).toBe('192.0.2.1')
  expect(normalizeAddress('192.0.2.1')).toBe('192.0.2.1')
  expect(normalizeAddress('::1')).toBe('::1')
  expect(normalizeAddress('::ffff:1')).toBe('::ffff:1')
})

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::1:0:0:0:1', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
  ['', ''],
])('maps %s to the network %s', (address, network) => {
  expect(getClientNetwork(address)).toBe(network)
})

it('maps every spelling of an IPv6 address to its /64', () => {
  const group = fc.oneof(fc.constant(0), fc.nat(0xffff))
  const spelling = fc.record({ from: fc.nat(7), padded: fc.boolean(), upper: fc.boolean() })
  fc.assert(
    fc.property(
      fc.array(group, { minLength: 8, maxLength: 8 }),
      spelling,
      (groups, { from, padded, upper }) => {
        const written = groups.map((one) => one.toString(16).padStart(padded ? 4 : 1, '0'))
        const end = groups.findIndex((one, index) => index >= from && one !== 0)
        const tailStart = end === -1 ? 8 : end
        const zeros = tailStart > from
        const text = zeros
          ? `${written.slice(0, from).join(':')}::${written.slice(tailStart).join(':')}`
          : written.join(':')
        const network = groups.slice(0, 4).map((one) => one.toString(16))
        expect(getClientNetwork(upper ? text.toUpperCase() : text)).toBe(`${network.join(':')}::/64`)
      },
    ),
  )
})
