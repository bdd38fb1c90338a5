import { expect, it } from 'vitest'
import { keccak256Hex } from './keccak.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

it.each([
  ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
  ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
])('hashes the known text %j', (text, hash) => {
  expect(keccak256Hex([utf8(text)])).toBe(hash)
})

it('hashes parts like the whole text, at each border of the block of 136 bytes', () => {
  for (const length of [0, 1, 135, 136, 137, 271, 272, 273]) {
    const bytes = Uint8Array.from({ length }, (_, index) => index & 0xff)
    const whole = keccak256Hex([bytes])
    for (const at of [0, length >> 1, length])
      expect(keccak256Hex([bytes.subarray(0, at), bytes.subarray(at)])).toBe(whole)
  }
})
