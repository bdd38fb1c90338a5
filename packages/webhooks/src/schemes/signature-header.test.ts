import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { structuredHeader } from './signature-header.ts'

const format = structuredHeader('X-Signature', { timestamp: 't', signature: 'v1' })
const read = (value: string) => format.read(new Headers({ 'x-signature': value }))

describe('structuredHeader', () => {
  it('reads fields in any order, and every signature', () => {
    expect(read('t=1,v1=a')).toEqual({ signatures: ['a'], timestamp: '1' })
    expect(read('v1=a,t=1,v1=b')).toEqual({ signatures: ['a', 'b'], timestamp: '1' })
    expect(read('v0=x,t=1,v1=a=,future=?')).toEqual({ signatures: ['a='], timestamp: '1' })
    expect(format.read(new Headers())).toBe('missing')
  })

  it.each([
    '',
    ',',
    't=1',
    'v1=a',
    't=,v1=a',
    't=1,v1=',
    't=1,v1',
    't=1,v1=a,',
    ',t=1,v1=a',
    't=1,t=1,v1=a',
    't=1,t=2,v1=a',
    't=1, v1=a',
    't =1,v1=a',
    't=1,=a,v1=a',
    't=1;v1=a',
    'T=1,V1=a',
    't=1,v1=a, t=1,v1=a',
    `t=1${',v1=a'.repeat(32)}`,
    `t=1,v1=${'a'.repeat(8192)}`,
  ])('refuses %s', (value) => {
    expect(read(value)).toBe('malformed')
  })

  it('reads the written header for any separators', () => {
    const name = fc.stringMatching(/^[a-z][\w-]{0,8}$/)
    const value = fc.stringMatching(/^[A-Za-z0-9+/=]{1,80}$/)
    const separator = fc.constantFrom(',', ';', ' ', ', ', '&')
    fc.assert(
      fc.property(
        name,
        name,
        value,
        fc.nat(),
        separator,
        fc.constantFrom('=', ':'),
        (t, s, tag, at, between, divider) => {
          fc.pre(t !== s)
          const scheme = structuredHeader('h', { timestamp: t, signature: s, separator: between, divider })
          const written = scheme.write(tag, String(at))
          expect(scheme.read(new Headers(written))).toEqual({ signatures: [tag], timestamp: String(at) })
        },
      ),
    )
  })

  it('rejects long input in constant time', () => {
    for (const value of ['v1='.repeat(2730), ','.repeat(8192), 'a=b,'.repeat(2000), '='.repeat(8192)]) {
      expect(read(value)).toBe('malformed')
    }
  })
})
