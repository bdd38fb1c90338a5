import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseForm, parseFormJson, parseJwtClaims, parseText, startsLikeJson } from '../index.ts'
import { writeForm } from '../schemes/body-fields.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

describe('parseForm', () => {
  it('reads fields, escapes and repeated fields', () => {
    expect(parseForm(utf8('a=1&b=%F0%9F%98%80+x&a=2&c&__proto__=p&d=='))).toEqual(
      Object.fromEntries([
        ['a', ['1', '2']],
        ['b', '😀 x'],
        ['c', ''],
        ['__proto__', 'p'],
        ['d', '='],
      ]),
    )
    expect(parseForm(utf8(''))).toEqual({})
  })

  it('reads every form that URLSearchParams writes', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 8 })
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(text, text), { selector: ([name]) => name }), (fields) => {
        fc.pre(!fields.some(([name, value]) => name === '' && value === ''))
        expect(parseForm(writeForm(fields))).toEqual(Object.fromEntries(fields))
      }),
    )
  })

  it('rejects an invalid escape and too many fields', () => {
    for (const text of ['a=%zz', 'a=%ff', 'a=%', 'a=1&'.repeat(1001)]) {
      expect(() => parseForm(utf8(text))).toThrow('not a form')
    }
    expect(() => parseForm(Uint8Array.of(0x61, 0xff))).toThrow('not a form')
  })
})

describe('parseFormJson', () => {
  const parse = parseFormJson('payload')

  it('reads JSON from the body and from the field', () => {
    for (const text of ['{"a":[1]}', ' {"a":[1]}', '\ufeff{"a":[1]}', 'payload=%7B%22a%22%3A[1]%7D']) {
      expect(parse(utf8(text))).toEqual({ a: [1] })
    }
  })

  it('returns the fields of a form without JSON', () => {
    expect(parse(utf8('command=%2Fdeploy&text='))).toEqual({ command: '/deploy', text: '' })
    expect(parse(utf8(''))).toEqual({})
    expect(() => parse(utf8('payload=%7B'))).toThrow('not JSON')
  })
})

describe('startsLikeJson', () => {
  it.each(['{}', '[', '\n\t {"a":1}', '\ufeff{}', `${' '.repeat(63)}{}`])('accepts %j', (text) => {
    expect(startsLikeJson(utf8(text))).toBe(true)
  })

  it.each(['', ' ', 'a={}', 'e30.e30.c2ln', '--b\r\n', '<a/>', '"a"', '1'])('rejects %j', (text) => {
    expect(startsLikeJson(utf8(text))).toBe(false)
  })

  it('reads at most 64 bytes', () => {
    expect(startsLikeJson(utf8(`${' '.repeat(64)}{}`))).toBe(false)
  })
})

describe('parseText', () => {
  it('returns XML unchanged', () => {
    expect(parseText(utf8('<a>☃</a>'))).toBe('<a>☃</a>')
    expect(() => parseText(Uint8Array.of(0xff))).toThrow('not text')
  })
})

describe('parseJwtClaims', () => {
  const claims = { iss: 'kinde', text: 'x'.repeat(20_000) }
  const token = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`

  it('reads the claims of a token in a text or in a body', () => {
    expect(parseJwtClaims(token)).toEqual(claims)
    expect(parseJwtClaims(utf8(token))).toEqual(claims)
  })

  it('rejects a text that is not a token', () => {
    for (const text of ['', 'a', 'a.b', `${token}.x`, 'e30.e31=.c2ln', 'e30.!.c2ln']) {
      expect(() => parseJwtClaims(text)).toThrow()
    }
  })
})
