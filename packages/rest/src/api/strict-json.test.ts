import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseStrictJson } from './strict-json.ts'

const parse = (text: string) => parseStrictJson(Buffer.from(text))

describe('strict JSON', () => {
  it('has the same value as with JSON.parse', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (text, indent) => {
        const value: unknown = JSON.parse(text)
        expect(parse(JSON.stringify(value, null, indent))).toEqual(value)
      }),
    )
  })

  it('rejects a duplicate field at any depth and in any spelling', () => {
    const spelled = (name: string) =>
      fc.boolean().map((escaped) => {
        const units = Array.from({ length: name.length }, (_, index) => name.charCodeAt(index))
        const escapes = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
        return escaped ? `"${escapes.join('')}"` : JSON.stringify(name)
      })
    const twice = fc.string({ unit: 'binary' }).chain((name) => {
      return fc.tuple(spelled(name), fc.json(), fc.json(), spelled(name), fc.json())
    })
    fc.assert(
      fc.property(
        twice,
        fc.constantFrom('#', '[#]', '{"a":#}', '{"a:":[1,{"b":#}],"c":":"}'),
        (parts, around) => {
          const [first, value, between, second, other] = parts
          const text = `{${first}:${value},"between":${between},${second}:${other}}`
          expect(() => parse(around.replace('#', () => text))).toThrow('twice')
        },
      ),
    )
  })

  it('has at most 100 levels', () => {
    const nest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(() => parse(nest(100))).not.toThrow()
    expect(() => parse(`[${'[],{},'.repeat(200)}"[[\\"{{"]`)).not.toThrow()
    for (const levels of [101, 500_000]) expect(() => parse(nest(levels))).toThrow('deeper than 100 levels')
    expect(() => parse(`${'{"a":'.repeat(101)}1${'}'.repeat(101)}`)).toThrow('deeper than 100 levels')
  })
})
