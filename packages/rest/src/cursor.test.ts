import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCursorCodec } from './cursor.ts'
import type { CursorPosition } from './keyset.ts'

const key = 'k'.repeat(32)
const codec = createCursorCodec({ keys: [key] })

const after = (...position: CursorPosition) => ({ at: 'after', position }) as const

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt(),
  fc.boolean(),
  fc.date({ noInvalidDate: true }),
  fc.constant(null),
)

describe('a cursor', () => {
  it('decodes to the encoded anchor', () => {
    const anchor = fc.oneof(
      fc.record({ at: fc.constantFrom('start', 'end') }),
      fc.record({ at: fc.constantFrom('after', 'before'), position: fc.array(scalar, { maxLength: 4 }) }),
    )
    fc.assert(
      fc.property(anchor, (given) => {
        const position = 'position' in given ? given.position : undefined
        // JSON has no negative zero.
        const expected = position?.map((value) => (Object.is(value, -0) ? 0 : value))
        expect(codec.decode(codec.encode(given, 'b'), 'b')).toEqual({
          ...given,
          ...(expected && { position: expected }),
        })
      }),
    )
  })

  it('consists of a truncated HMAC-SHA256 over version, binding and JSON, followed by the JSON', () => {
    const payload = Buffer.from('["after","☃",["bigint","1"]]')
    const signed = createHmac('sha256', key).update('sallyport.cursor.2\n4\nb☃').update(payload)
    const cursor = Buffer.concat([signed.digest().subarray(0, 16), payload]).toString('base64url')
    expect(codec.encode(after('☃', 1n), 'b☃')).toBe(cursor)
    expect(codec.decode(cursor, 'b☃')).toEqual(after('☃', 1n))
  })

  it('rejects the previous format', () => {
    const payload = Buffer.from(JSON.stringify([1]))
    const signed = createHmac('sha256', key).update('sallyport.cursor.1\n1\n').update('b').update(payload)
    const cursor = Buffer.concat([signed.digest().subarray(0, 16), payload]).toString('base64url')
    expect(codec.decode(cursor, 'b')).toBeUndefined()
  })

  it('is invalid under another binding', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        fc.pre(a !== b)
        expect(codec.decode(codec.encode(after('x'), a), b)).toBeUndefined()
      }),
    )
  })

  it('is invalid after a change of any character', () => {
    const cursor = codec.encode(after('2026-01-01', 'id'), 'b')
    for (let i = 0; i < cursor.length; i++) {
      for (const other of ['A', 'B', '-', '=', '\n']) {
        if (cursor[i] === other) continue
        expect(codec.decode(cursor.slice(0, i) + other + cursor.slice(i + 1), 'b')).toBeUndefined()
      }
    }
  })

  it.each(['', '=', '====', 'AAAA', 'A'.repeat(21), 'A'.repeat(22), 'A'.repeat(3000), 'é', '{}', ' '])(
    'rejects the text %j',
    (text) => {
      expect(codec.decode(text, 'b')).toBeUndefined()
    },
  )

  it('rejects a text over the maximum length', () => {
    const short = createCursorCodec({ keys: [key], maxLength: 40 })
    const cursor = codec.encode(after('x'.repeat(40)), 'b')
    expect(codec.decode(cursor, 'b')).toBeDefined()
    expect(short.decode(cursor, 'b')).toBeUndefined()
  })

  it('keeps binding and payload apart', () => {
    const bytes = Buffer.from(codec.encode(after(1), 'b'), 'base64url')
    const moved = Buffer.concat([bytes.subarray(0, 16), bytes.subarray(17)]).toString('base64url')
    expect(codec.decode(moved, 'b[')).toBeUndefined()
  })

  it('accepts only the canonical encoding', () => {
    const cursor = codec.encode(after('a'), 'b')
    for (const spelling of [`${cursor}=`, `${cursor}==`, ` ${cursor}`, `${cursor}A`]) {
      expect(codec.decode(spelling, 'b')).toBeUndefined()
    }
  })

  it('stays valid during key rotation while its key verifies', () => {
    const other = 'o'.repeat(32)
    const cursor = codec.encode(after(1), 'b')
    const rotated = createCursorCodec({ keys: [other, key] })
    expect(rotated.decode(cursor, 'b')).toEqual(after(1))
    expect(codec.decode(rotated.encode(after(1), 'b'), 'b')).toBeUndefined()
    expect(createCursorCodec({ keys: [other] }).decode(cursor, 'b')).toBeUndefined()
  })
})

describe('createCursorCodec', () => {
  it('rejects missing and short keys', () => {
    expect(() => createCursorCodec({ keys: [] })).toThrow(TypeError)
    expect(() => createCursorCodec({ keys: [key, 'short'] })).toThrow(TypeError)
    expect(() => createCursorCodec({ keys: [new Uint8Array(31)] })).toThrow(TypeError)
  })

  // Regression: the message was "keys.map is not a function".
  it.each(['one key as text', undefined, new Uint8Array(32)])(
    'rejects keys that are not an array: %j',
    (keys) => {
      expect(() => createCursorCodec({ keys: keys as never })).toThrow(new TypeError('keys must be an array'))
    },
  )

  // Regression: with NaN no cursor was too long.
  it.each([Number.NaN, 0, -1])('rejects a maxLength of %d', (maxLength) => {
    expect(() => createCursorCodec({ keys: [key], maxLength })).toThrow(TypeError)
  })

  it('refuses to encode a cursor over the maximum length', () => {
    expect(() => codec.encode(after('x'.repeat(3000)), 'b')).toThrow(TypeError)
  })
})
