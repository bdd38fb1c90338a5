import { expect, it } from 'vitest'
import { networkOf, plainAddress } from './address.ts'

it('shows an address plainly', () => {
  expect(plainAddress('192.0.2.1:1001')).toBe('192.0.2.1')
  expect(plainAddress('[2001:db8::1]:443')).toBe('2001:db8::1')
  expect(plainAddress('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(plainAddress('::FFFF:192.0.2.1')).toBe('192.0.2.1')
  expect(plainAddress('192.0.2.1')).toBe('192.0.2.1')
  expect(plainAddress('::1')).toBe('::1')
  expect(plainAddress('::ffff:1')).toBe('::ffff:1')
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
])('counts %s by %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
