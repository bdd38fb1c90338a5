import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatBearerChallenge } from './errors.ts'
import { parseBearer } from './parse-bearer.ts'

const missing: unknown = expect.objectContaining({
  code: 'TOKEN_MISSING',
  status: 401,
  headers: { 'WWW-Authenticate': 'Bearer realm="api"' },
})
const invalid: unknown = expect.objectContaining({
  code: 'INVALID_TOKEN',
  status: 401,
  headers: { 'WWW-Authenticate': 'Bearer realm="api", error="invalid_token"' },
})

describe('parseBearer', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER abc', 'abc'],
    ['Bearer   abc', 'abc'],
    ['Bearer a.b-c_d~e+f/g==', 'a.b-c_d~e+f/g=='],
  ])('reads %j', (header, token) => {
    expect(parseBearer(header)).toBe(token)
  })

  it.each([
    undefined,
    null,
    '',
    'Bearer',
    'Bearerabc',
    'Basic YTpi',
    ' Bearer abc',
    'Bearer\tabc',
    'Token abc',
  ])('reports a missing token for %j', (header) => {
    expect(() => parseBearer(header)).toThrow(missing)
  })

  it.each([
    'Bearer ',
    'Bearer a b',
    'Bearer =',
    'Bearer a=b',
    'Bearer a,Bearer b',
    'Bearer "a"',
    'Bearer é',
    'Bearer a\n',
  ])('rejects %j', (header) => {
    expect(() => parseBearer(header)).toThrow(invalid)
  })

  it('limits the length', () => {
    expect(parseBearer(`Bearer ${'a'.repeat(8192)}`)).toHaveLength(8192)
    expect(() => parseBearer(`Bearer ${'a'.repeat(8193)}`)).toThrow(invalid)
    expect(() => parseBearer(`Bearer ${' '.repeat(10_000)}a`)).toThrow(invalid)
    expect(() => parseBearer('Bearer abcd', { maxLength: 3 })).toThrow(invalid)
  })

  it('returns a token68 or throws one of two errors, without the input in the message', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((rest) => `Bearer ${rest}`),
        ),
        (header) => {
          let token
          try {
            token = parseBearer(header)
          } catch (error) {
            expect(['TOKEN_MISSING', 'INVALID_TOKEN']).toContain((error as { code: string }).code)
            return
          }
          expect(token).toMatch(/^[A-Za-z0-9\-._~+/]+=*$/)
          expect(header.endsWith(token)).toBe(true)
        },
      ),
    )
  })

  it('contains the realm', () => {
    expect(() => parseBearer(undefined, { realm: 'mine' })).toThrow(
      expect.objectContaining({ headers: { 'WWW-Authenticate': 'Bearer realm="mine"' } }),
    )
  })
})

describe('formatBearerChallenge', () => {
  it('lists the required scopes', () => {
    expect(formatBearerChallenge({ error: 'insufficient_scope', scopes: ['a:read', 'b'] })).toBe(
      'Bearer realm="api", error="insufficient_scope", scope="a:read b"',
    )
  })

  it.each([{ realm: 'a"b' }, { realm: 'a\r\nX: 1' }, { realm: '' }, { scopes: ['a b'] }, { scopes: [''] }])(
    'rejects %j, which would break the header',
    (challenge) => {
      expect(() => formatBearerChallenge(challenge)).toThrow(TypeError)
    },
  )
})
