import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseForm, parseFormJson } from '../index.ts'
import { compilePaths } from './paths.ts'
import { redactBody } from './redact-body.ts'
import { redactJson } from './redact-json.ts'
import { createValueRedactor } from './redact-value.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('redactJson', () => {
  it.each([
    ['a member', 'a.b', '{"a":{"b":1,"c":2}}', '{"a":{"b":"[redacted]","c":2}}'],
    ['an object', 'a', '{"a" : {"b":[1,"}"]} ,"c":2}', '{"a" : "[redacted]" ,"c":2}'],
    ['elements', 'a.*.b', '{"a":[{"b":1},{"b":"x"}]}', '{"a":[{"b":"[redacted]"},{"b":"[redacted]"}]}'],
    ['one element', 'a.1', '{"a":[1, 2 ,3]}', '{"a":[1, "[redacted]" ,3]}'],
    ['any depth', '**.e', '{"e":1,"a":[{"e":2}]}', '{"e":"[redacted]","a":[{"e":"[redacted]"}]}'],
    ['below a member', 'a.**.e', '{"e":1,"a":{"b":{"e":2}}}', '{"e":1,"a":{"b":{"e":"[redacted]"}}}'],
    ['all below a member', 'a.**', '{"a":{"b":1}}', '{"a":"[redacted]"}'],
    ['a repeated name', 'a', '{"a":1,"a":2}', '{"a":"[redacted]","a":"[redacted]"}'],
    ['an escaped name', 'a', String.raw`{"\u0061":"\"}"}`, String.raw`{"\u0061":"[redacted]"}`],
    ['a list at the root', '*.e', '[{"e":1},[],{}]', '[{"e":"[redacted]"},[],{}]'],
    ['nothing', 'x.y', '{"x":1}', '{"x":1}'],
    ['a scalar', 'x', '"x"', '"x"'],
  ])('replaces %s', (_, path, json, expected) => {
    expect(redactJson(json, compilePaths([path]))).toBe(expected)
  })

  it('keeps white space, the order of members and large integers', () => {
    const json = '{ "z": 12345678901234567890,\n "a": 1e400, "e": "x", "b": -0.0 }'
    expect(redactJson(json, compilePaths(['e']))).toBe(json.replace('"x"', '"[redacted]"'))
  })

  it('removes the same values as from the parsed value', () => {
    const names = fc.constantFrom('a', 'b', 'e', '__proto__', 'toJSON')
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(1, 'x', '"', '\\', null, true),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(names, tie('tree'), { maxKeys: 3 }),
      ),
    }))
    const segment = fc.constantFrom('a', 'b', 'e', '*', '**', '0')
    const path = fc
      .array(segment, { minLength: 1, maxLength: 4 })
      .filter((parts) => parts.some((part) => part !== '**'))
      .map((parts) => parts.join('.'))
    fc.assert(
      fc.property(tree, fc.array(path, { minLength: 1, maxLength: 3 }), (value, list) => {
        const json = JSON.stringify(value, null, 1)
        const paths = compilePaths(list)
        const copy = createValueRedactor(paths).redact(JSON.parse(json))
        expect(JSON.parse(redactJson(json, paths))).toEqual(copy)
      }),
    )
  })

  it('reads a large body with many paths in a time that grows with its length', () => {
    const json = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, a: { b: { email: 'x' } } })))
    const paths = compilePaths(Array.from({ length: 20 }, (_, index) => `**.*.**.email${index || ''}`))
    const startedAt = performance.now()
    expect(redactJson(json, paths)).not.toContain('"x"')
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })
})

describe('compilePaths', () => {
  it.each([[''], ['a..b'], ['a.'], ['header:'], ['**'], ['x'.repeat(201)], ['a.'.repeat(20) + 'a']])(
    'refuses the path %j',
    (path) => {
      expect(() => compilePaths([path])).toThrow(TypeError)
    },
  )
  it('refuses more than 100 paths', () => {
    expect(() => compilePaths(Array.from({ length: 101 }, () => 'a'))).toThrow('more than 100')
  })
})

describe('redactBody', () => {
  const paths = compilePaths(['email'])

  it('returns the same bytes if nothing is removed', () => {
    const body = encode('{"a":1}')
    expect(redactBody(body, {}, paths)).toBe(body)
  })

  it('replaces the fields of a form, and keeps the others as they are written', () => {
    const body = encode('a=%7e+1&email=x%40y&e%6Dail=z&b')
    const result = decode(redactBody(body, { parse: parseForm }, paths))
    expect(result).toBe('a=%7e+1&email=%5Bredacted%5D&e%6Dail=%5Bredacted%5D&b')
  })

  it('replaces a whole body whose parser decodes a part of it', () => {
    const text = '{"a":1,"inner":"{\\"email\\":\\"x\\"}"}'
    const parse = () => ({ a: 1, inner: { email: 'x' } })
    expect(decode(redactBody(encode(text), { parse }, paths, parse()))).toBe('[redacted]')
  })

  it('replaces the fields of a form of a provider with a parser, once it is parsed', () => {
    const body = encode('email=x&a=1')
    for (const parse of [parseFormJson('payload'), (bytes: Uint8Array) => parseForm(bytes)])
      expect(decode(redactBody(body, { parse }, paths, parse(body)))).toBe('email=%5Bredacted%5D&a=1')
  })

  it('replaces the values of JSON of a provider with a parser, once it is parsed', () => {
    const body = encode('{"email":"x","a":1}')
    const parse = (bytes: Uint8Array): unknown => JSON.parse(decode(bytes))
    expect(decode(redactBody(body, { parse }, paths, parse(body)))).toBe('{"email":"[redacted]","a":1}')
    expect(decode(redactBody(body, { parse }, paths))).toBe('[redacted]')
  })

  it.each([
    ['no JSON', '{"email":"x"', undefined],
    ['a form with JSON', 'payload=%7B%22email%22%3A1%7D', parseFormJson('payload')],
    ['another format', '<email>x</email>', () => ({})],
    ['JSON in place of a form', '{"email":"x=1&a"}', parseForm],
    ['too many levels', `${'['.repeat(101)}${']'.repeat(101)}`, undefined],
  ])('replaces a whole body of %s', (_, text, parse) => {
    expect(decode(redactBody(encode(text), { parse }, paths))).toBe('[redacted]')
  })
})
