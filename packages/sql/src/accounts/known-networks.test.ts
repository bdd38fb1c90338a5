import { expect, it } from 'vitest'
import { createKnownNetworks } from './known-networks.ts'

it('knows a network of an account until the login is too old', () => {
  let now = 0
  const known = createKnownNetworks({ ttlMs: 1000, now: () => now })
  known.add('ada', 'home')
  now = 999
  expect([known.has('ada', 'home'), known.has('ada', 'away'), known.has('bob', 'home')]).toEqual([
    true,
    false,
    false,
  ])
  known.add('ada', 'home')
  now = 1998
  expect(known.has('ada', 'home')).toBe(true)
  now = 1999
  expect(known.has('ada', 'home')).toBe(false)
})

it('forgets the oldest login past the largest number', () => {
  const known = createKnownNetworks({ maxPairs: 2, now: () => 0 })
  for (const network of ['one', 'two', 'one', 'three']) known.add('ada', network)
  expect(['one', 'two', 'three'].map((network) => known.has('ada', network))).toEqual([true, false, true])
})
