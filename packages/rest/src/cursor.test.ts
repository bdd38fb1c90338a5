import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCursorCodec } from './cursor.ts'
import type { Position } from './keyset.ts'

const key = 'k'.repeat(32)
const codec = createCursorCodec({ keys: [key] })

const after = (...position: Position) => ({ at: 'after', position }) as const

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt(),
  fc.boolean(),
  fc.date({ noInvalidDate: true }),
  fc.constant(null),
)

describe('a cursor', () => {
  it('gives back the place that it was made of', () => {
    const place = fc.oneof(
      fc.record({ at: fc.constantFrom('start', 'end') }),
      fc.record({ at: fc.constantFrom('after', 'before'), position: fc.array(scalar, { maxLength: 4 }) }),
    )
    fc.assert(
      fc.property(place, (given) => {
        const position = 'position' in given ? given.position : undefined
        // JSON knows one zero.
        const expected = position?.map((value) => (Object.is(value, -0) ? 0 : value))
        expect(codec.decode(codec.encode(given, 'b'), 'b')).toEqual({
          ...given,
          ...(expected && { position: expected }),
        })
      }),
    )
  })

  it('is a tag, which is half of an HMAC-SHA256 over version, binding and JSON, and the JSON', () => {
    const payload = Buffer.from('["after","☃",["bigint","1"]]')
    const signed = createHmac('sha256', key).update('sallyport.cursor.2\n4\nb☃').update(payload)
    const cursor = Buffer.concat([signed.digest().subarray(0, 16), payload]).toString('base64url')
    expect(codec.encode(after('☃', 1n), 'b☃')).toBe(cursor)
    expect(codec.decode(cursor, 'b☃')).toEqual(after('☃', 1n))
  })

  it('of an earlier format is refused', () => {
    const payload = Buffer.from(JSON.stringify([1]))
    const signed = createHmac('sha256', key).update('sallyport.cursor.1\n1\n').update('b').update(payload)
    const cursor = Buffer.concat([signed.digest().subarray(0, 16), payload]).toString('base64url')
    expect(codec.decode(cursor, 'b')).toBeUndefined()
  })

  it('is worth nothing under another binding', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        fc.pre(a !== b)
        expect(codec.decode(codec.encode(after('x'), a), b)).toBeUndefined()
      }),
    )
  })

  it('is refused when any one character of it is another', () => {
    const cursor = codec.encode(after('2026-01-01', 'id'), 'b')
    for (let i = 0; i < cursor.length; i++) {
      for (const other of ['A', 'B', '-', '=', '\n']) {
        if (cursor[i] === other) continue
        expect(codec.decode(cursor.slice(0, i) + other + cursor.slice(i + 1), 'b')).toBeUndefined()
      }
    }
  })

  it.each(['', '=', '====', 'AAAA', 'A'.repeat(21), 'A'.repeat(22), 'A'.repeat(3000), 'é', '{}', ' '])(
    'is not the text %j',
    (text) => {
      expect(codec.decode(text, 'b')).toBeUndefined()
    },
  )

  it('is refused when it is longer than is read', () => {
    const short = createCursorCodec({ keys: [key], maxLength: 40 })
    const cursor = codec.encode(after('x'.repeat(40)), 'b')
    expect(codec.decode(cursor, 'b')).toBeDefined()
    expect(short.decode(cursor, 'b')).toBeUndefined()
  })

  it('cannot be cut at another place between its binding and itself', () => {
    const bytes = Buffer.from(codec.encode(after(1), 'b'), 'base64url')
    const moved = Buffer.concat([bytes.subarray(0, 16), bytes.subarray(17)]).toString('base64url')
    expect(codec.decode(moved, 'b[')).toBeUndefined()
  })

  it('has one spelling', () => {
    const cursor = codec.encode(after('a'), 'b')
    for (const spelling of [`${cursor}=`, `${cursor}==`, ` ${cursor}`, `${cursor}A`]) {
      expect(codec.decode(spelling, 'b')).toBeUndefined()
    }
  })

  it('survives the rotation of keys while its key still verifies', () => {
    const other = 'o'.repeat(32)
    const cursor = codec.encode(after(1), 'b')
    const rotated = createCursorCodec({ keys: [other, key] })
    expect(rotated.decode(cursor, 'b')).toEqual(after(1))
    expect(codec.decode(rotated.encode(after(1), 'b'), 'b')).toBeUndefined()
    expect(createCursorCodec({ keys: [other] }).decode(cursor, 'b')).toBeUndefined()
  })
})

describe('createCursorCodec', () => {
  it('refuses keys that are missing or short', () => {
    expect(() => createCursorCodec({ keys: [] })).toThrow(TypeError)
    expect(() => createCursorCodec({ keys: [key, 'short'] })).toThrow(TypeError)
    expect(() => createCursorCodec({ keys: [new Uint8Array(31)] })).toThrow(TypeError)
  })

  // It said that keys.map is not a function.
  it.each(['one key as text', undefined, new Uint8Array(32)])('says that keys are an array: %j', (keys) => {
    expect(() => createCursorCodec({ keys: keys as never })).toThrow(new TypeError('keys must be an array'))
  })

  // Compared with NaN, no cursor was too long.
  it.each([Number.NaN, 0, -1])('refuses a longest cursor of %d characters', (maxLength) => {
    expect(() => createCursorCodec({ keys: [key], maxLength })).toThrow(TypeError)
  })

  it('refuses to make a cursor that it would not read', () => {
    expect(() => codec.encode(after('x'.repeat(3000)), 'b')).toThrow(TypeError)
  })
})
