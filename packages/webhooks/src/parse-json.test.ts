import { describe, expect, it } from 'vitest'
import { parseJson } from './parse-json.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('parseJson', () => {
  it('reads JSON, with or without a byte order mark', () => {
    expect(parseJson(bytes('{"a":[1,"ü"]}'))).toEqual({ a: [1, 'ü'] })
    expect(parseJson(bytes('\uFEFF[]'))).toEqual([])
  })

  it.each(['', ' ', '{', 'a=1', "{'a':1}", 'NaN', '[1,]', '{"a":1}{"b":2}'])('refuses %j', (text) => {
    expect(() => parseJson(bytes(text))).toThrow(
      expect.objectContaining({ code: 'INVALID_JSON', status: 400 }),
    )
  })

  it('refuses bytes that are not UTF-8 instead of replacing them', () => {
    expect(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow('UTF-8')
  })

  it('bounds the depth, whatever the nesting is made of', () => {
    const nested = (depth: number, open: string, close: string) =>
      bytes(open.repeat(depth) + '1' + close.repeat(depth))
    expect(parseJson(nested(100, '[', ']'))).toBeDefined()
    expect(() => parseJson(nested(101, '[', ']'))).toThrow('deeper')
    expect(() => parseJson(nested(101, '{"a":', '}'))).toThrow('deeper')
    expect(() => parseJson(nested(200_000, '[', ']'))).toThrow('deeper')
  })

  it('keeps nothing of the body in its errors', () => {
    try {
      parseJson(bytes('{"password":hunter2}'))
      expect.unreachable()
    } catch (error) {
      const { message, cause } = error as Error
      expect(`${message} ${String(cause)}`).not.toContain('hunter2')
    }
  })
})
