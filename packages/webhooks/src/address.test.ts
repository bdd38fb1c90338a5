import fc from 'fast-check'
import { expect, it } from 'vitest'
import { networkOf, plainAddress } from './address.ts'

it('shows an address plainly', () => {
  expect(plainAddress('192.0.2.1:1001')).toBe('192.0.2.1')
  expect(plainAddress('[2001:db8::1]:443')).toBe('2001:db8::1')
  expect(plainAddress('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(plainAddress('::FFFF:192.0.2.1')).toBe('192.0.2.1')
  expect(plainAddress('[::ffff:c000:201]:443')).toBe('192.0.2.1')
  expect(plainAddress('0:0:0:0:0:ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(plainAddress('2001:DB8:0::1%eth0')).toBe('2001:DB8:0::1%eth0')
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
  ['64:ff9b::192.0.2.33%eth0', '64:ff9b:0:0::/64'],
  ['::ffff:c000:201%eth0', '192.0.2.1'],
  ['[::ffff:c000:201]:443', '192.0.2.1'],
  ['::192.0.2.1', '0:0:0:0::/64'],
  ['::ffff:0:192.0.2.1', '0:0:0:0::/64'],
  ['', ''],
])('counts %s by %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

const group = fc.oneof(fc.constant(0), fc.nat(0xffff))
const spelling = fc.record({
  from: fc.nat(7),
  padded: fc.boolean(),
  upper: fc.boolean(),
  dotted: fc.boolean(),
})

/** An IPv6 address as somebody may write it. */
function written(groups: readonly number[], { from, padded, upper, dotted }: Spelling): string {
  const hex = groups.map((one) => one.toString(16).padStart(padded ? 4 : 1, '0'))
  if (dotted) hex.splice(6, 2, dottedOf(groups))
  const end = hex.findIndex((one, index) => index >= from && Number(`0x${one}`) !== 0)
  const behind = end === -1 ? hex.length : end
  const text =
    behind > from ? `${hex.slice(0, from).join(':')}::${hex.slice(behind).join(':')}` : hex.join(':')
  return upper ? text.toUpperCase() : text
}
type Spelling = typeof spelling extends fc.Arbitrary<infer T> ? T : never

/** What the last two groups are as IPv4. */
const dottedOf = (groups: readonly number[]): string =>
  groups
    .slice(6)
    .flatMap((one) => [one >> 8, one & 255])
    .join('.')

const isMapped = (groups: readonly number[]) => groups.slice(0, 6).join() === '0,0,0,0,0,65535'

it('counts an address by its first four groups, however it is written', () => {
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), spelling, (groups, how) => {
      fc.pre(!isMapped(groups))
      const network = groups.slice(0, 4).map((one) => one.toString(16))
      expect(networkOf(written(groups, how))).toBe(`${network.join(':')}::/64`)
    }),
  )
})

// Only one spelling was counted as IPv4: by the others, all clients that a proxy told were counted as one.
it('counts IPv4 in IPv6 as IPv4, however it is written', () => {
  fc.assert(
    fc.property(group, group, spelling, (high, low, how) => {
      const groups = [0, 0, 0, 0, 0, 0xffff, high, low]
      expect(networkOf(written(groups, how))).toBe(dottedOf(groups))
    }),
  )
})

it('counts what is no address without failing', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('0', ':', '.', '%', '[', ']', 'f', 'x', '1', '/') }),
      (text) => {
        expect(networkOf(text)).toBeTypeOf('string')
      },
    ),
  )
})
