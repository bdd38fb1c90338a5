import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactJson } from './compact-json.ts'
import { hmac } from './hmac.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const formsOf = (text: string) => [...compactJson(bytes(text))].map((form) => new TextDecoder().decode(form))

describe('compactJson', () => {
  it('gives a compact body as it is, and no form twice', () => {
    for (const text of ['{"a":1}', '[]', '', 'no JSON', '"x y"']) {
      expect(formsOf(text)[0]).toBe(text)
      expect(new Set(formsOf(text)).size).toBe(formsOf(text).length)
    }
    expect(formsOf('{"a":[1,"b"]}')).toEqual(['{"a":[1,"b"]}'])
  })

  it('takes white space away between tokens, and touches none of them', () => {
    const body = '{ "a b" :\t[ 1.0 ,\r\n"\\" { } \\\\" , "é \\u00e9" ] }'
    expect(formsOf(body)).toEqual([
      body,
      '{"a b":[1.0,"\\" { } \\\\","é \\u00e9"]}',
      '{"a b":[1,"\\" { } \\\\","é é"]}',
    ])
  })

  it('makes nothing of what only looks like JSON once its white space is gone', () => {
    expect(formsOf('{"a":1 2}')).toEqual(['{"a":1 2}', '{"a":12}'])
    expect(formsOf('{"a":"unended \\')).toEqual(['{"a":"unended \\'])
  })

  it('has at most three forms, of bytes of any kind and of any depth', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (body) => {
        const forms = [...compactJson(body)]
        expect(forms[0]).toBe(body)
        expect(forms.length).toBeLessThanOrEqual(3)
      }),
    )
    expect([...compactJson(bytes('['.repeat(500_000)))]).toHaveLength(1)
    const deep = `${'[ '.repeat(100_000)}${']'.repeat(100_000)}`
    expect([...compactJson(bytes(deep))].length).toBeLessThanOrEqual(3)
  })

  it('holds every serialization of a value to the signature over the compact one', async () => {
    const scheme = hmac({ algorithm: 'sha1', encoding: 'base64', header: 'x-signature', forms: compactJson })
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom(0, 1, 2, '\t', '\n'), async (value, space) => {
        const compact = bytes(JSON.stringify(value))
        const headers = new Headers(
          await scheme.sign({ method: 'POST', headers: new Headers(), body: compact }, 's', 0),
        )
        const body = bytes(JSON.stringify(value, null, space))
        const verification = await scheme.verify({ method: 'POST', headers, body }, ['s'], 0)
        expect(verification).toEqual({ verified: true, body: compact })
      }),
    )
  })
})
