import { expect, it } from 'vitest'
import { startKeccak256 } from './keccak.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const hash = (bytes: Uint8Array) => startKeccak256(bytes)(new Uint8Array())

it.each([
  ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
  ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
])('hashes the known text %j', (text, known) => {
  expect(hash(utf8(text))).toBe(known)
})

it('hashes a start and an end like the whole text, at each border of the block of 136 bytes', () => {
  for (const length of [0, 1, 135, 136, 137, 271, 272, 273]) {
    const bytes = Uint8Array.from({ length }, (_, index) => index & 0xff)
    const whole = hash(bytes)
    for (const at of [0, length >> 1, length])
      expect(startKeccak256(bytes.subarray(0, at))(bytes.subarray(at))).toBe(whole)
  }
})

it('hashes one start with several ends', () => {
  const withEnd = startKeccak256(utf8('a'))
  const ends = ['bc', 'x'.repeat(200), 'bc']
  expect(ends.map((end) => withEnd(utf8(end)))).toEqual(ends.map((end) => hash(utf8(`a${end}`))))
})
