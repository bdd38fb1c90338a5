import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRequest } from '../testing/provider-options.ts'
import { listHeader, numberedHeaders, structuredHeader } from './signature-header.ts'

const createDelivery = (headers: Readonly<Record<string, string>>) =>
  createRequest(headers, new Uint8Array(), undefined)
const format = structuredHeader('X-Signature', { timestamp: 't', signature: 'v1' })
const read = (value: string) => format.read(createDelivery({ 'x-signature': value }))

describe('structuredHeader', () => {
  it('reads fields in any order, and every signature', () => {
    expect(read('t=1,v1=a')).toEqual({ signatures: ['a'], timestamp: '1' })
    expect(read('v1=a,t=1,v1=b')).toEqual({ signatures: ['a', 'b'], timestamp: '1' })
    expect(read('v0=x,t=1,v1=a=,future=?')).toEqual({ signatures: ['a='], timestamp: '1' })
    expect(format.read(createDelivery({}))).toBe('missing')
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
          expect(scheme.read(createDelivery(written))).toEqual({ signatures: [tag], timestamp: String(at) })
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

describe('listHeader', () => {
  const list = listHeader('X-Signature', { prefix: 'sha256=' })
  const timed = listHeader('x-signature', { timestamp: true })

  it('reads the signatures of a list and of a repeated header', () => {
    for (const value of ['sha256=a,sha256=b', 'sha256=a, sha256=b', 'sha256=a,v2=c,sha256=b']) {
      expect(list.read(createDelivery({ 'x-signature': value }))).toEqual({ signatures: ['a', 'b'] })
    }
    expect(list.read(createDelivery({}))).toBe('missing')
  })

  it('reads the time before the signatures', () => {
    const headers = timed.write('a', '1700')
    expect(headers).toEqual({ 'x-signature': '1700,a' })
    expect(timed.read(createDelivery(headers))).toEqual({ signatures: ['a'], timestamp: '1700' })
    expect(timed.read(createDelivery({ 'x-signature': '1700' }))).toBe('malformed')
  })

  it.each([
    '',
    ',',
    'a',
    'sha256=a,',
    'sha256=a,,sha256=b',
    'sha256=a,'.repeat(40),
    `sha256=${'a'.repeat(8192)}`,
  ])('rejects %s', (value) => {
    expect(list.read(createDelivery({ 'x-signature': value }))).toBe('malformed')
  })
})

describe('numberedHeaders', () => {
  it('reads all numbered headers up to the largest number', () => {
    const numbered = numberedHeaders('X-DocuSign-Signature-', 3)
    const read = (headers: Record<string, string>) => numbered.read(createDelivery(headers))
    expect(numbered.names).toEqual([1, 2, 3].map((index) => `x-docusign-signature-${index}`))
    expect(read(numbered.write('a', ''))).toEqual({ signatures: ['a'] })
    expect(
      read({ 'x-docusign-signature-1': 'a', 'x-docusign-signature-2': 'b', 'x-docusign-signature-4': 'd' }),
    ).toEqual({ signatures: ['a', 'b'] })
    expect(read({ 'x-docusign-signature-3': 'c' })).toEqual({ signatures: ['c'] })
    expect(read({ 'x-docusign-signature-4': 'd' })).toBe('missing')
  })
})
