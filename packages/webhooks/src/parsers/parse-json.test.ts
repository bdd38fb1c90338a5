import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from './parse-json.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('parseJson', () => {
  it('parses JSON with or without a byte order mark', () => {
    expect(parseJson(bytes('{"a":[1,"ü"]}'))).toEqual({ a: [1, 'ü'] })
    expect(parseJson(bytes('\uFEFF[]'))).toEqual([])
  })

  it.each(['', ' ', '{', 'a=1', "{'a':1}", 'NaN', '[1,]', '{"a":1}{"b":2}'])('rejects %j', (text) => {
    expect(() => parseJson(bytes(text))).toThrow(
      expect.objectContaining({ code: 'INVALID_JSON', status: 400 }),
    )
  })

  it('rejects invalid UTF-8', () => {
    expect(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow('UTF-8')
  })

  it('limits the depth of arrays and objects', () => {
    const nested = (depth: number, open: string, close: string) =>
      bytes(open.repeat(depth) + '1' + close.repeat(depth))
    expect(parseJson(nested(100, '[', ']'))).toBeDefined()
    expect(() => parseJson(nested(101, '[', ']'))).toThrow('deeper')
    expect(() => parseJson(nested(101, '{"a":', '}'))).toThrow('deeper')
    expect(() => parseJson(nested(200_000, '[', ']'))).toThrow('deeper')
  })

  it('limits the depth without counting brackets in strings', () => {
    const getDepth = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(getDepth)) : 0
    const grown = fc.tuple(
      fc.jsonValue(),
      fc.string({ unit: fc.constantFrom('{', '[', '"', 'x'), maxLength: 150 }),
      fc.array(fc.boolean(), { minLength: 90, maxLength: 110 }),
    )
    fc.assert(
      fc.property(grown, ([value, text, levels]) => {
        const deep = levels.reduce<unknown>(
          (inner, list) => (list ? [text, inner] : { [text]: inner }),
          value,
        )
        const json = JSON.stringify(deep)
        if (getDepth(deep) > 100) expect(() => parseJson(bytes(json))).toThrow('deeper')
        else expect(parseJson(bytes(json), 'number')).toEqual(JSON.parse(json))
      }),
      { numRuns: 60 },
    )
  })

  it('limits the depth after many shallow values and accepts strings of brackets', () => {
    const shallow = Array.from({ length: 300 }, () => '{"a":[]}').join(',')
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(parseJson(bytes(`[${shallow},${nested(99)}]`))).toBeDefined()
    expect(() => parseJson(bytes(`[${shallow},${nested(100)}]`))).toThrow('deeper')
    expect(() => parseJson(bytes(`[${nested(99)},${shallow},${nested(99)},{"a":${nested(99)}}]`))).toThrow(
      'deeper',
    )
    expect(parseJson(bytes(`"${'{'.repeat(5000)}"`))).toHaveLength(5000)
    expect(parseJson(bytes(`["${'['.repeat(5000)}",null]`))).toHaveLength(2)
  })

  it('does not quote the body in errors', () => {
    try {
      parseJson(bytes('{"password":hunter2}'))
      expect.unreachable()
    } catch (error) {
      const { message, cause } = error as Error
      expect(`${message} ${String(cause)}`).not.toContain('hunter2')
    }
  })
})
