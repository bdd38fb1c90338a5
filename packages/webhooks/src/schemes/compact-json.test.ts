import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactJson } from './compact-json.ts'
import { hmac } from './hmac.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const formsOf = (text: string) => [...compactJson(bytes(text))].map((form) => new TextDecoder().decode(form))

/** The three forms, without a limit and without regard to speed. */
function formsByDefinition(body: Uint8Array): Uint8Array[] {
  const compact: number[] = []
  let inString = false
  for (let index = 0; index < body.length; index++) {
    const byte = body[index]!
    if (!inString && [0x20, 0x09, 0x0a, 0x0d].includes(byte)) continue
    compact.push(byte)
    if (byte === 0x22) inString = !inString
    else if (inString && byte === 0x5c && index + 1 < body.length) compact.push(body[++index]!)
  }
  const forms = [body]
  if (compact.length < body.length) forms.push(new Uint8Array(compact))
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    const serialized = bytes(JSON.stringify(JSON.parse(text)))
    if (serialized.join() !== compact.join()) forms.push(serialized)
  } catch {
    // Not JSON.
  }
  return forms
}

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

  it('gives the forms of the definition for every body within the limit', () => {
    const text = fc.oneof(
      fc.json(),
      fc
        .tuple(fc.jsonValue(), fc.constantFrom(1, '\t', '\r\n'))
        .map(([value, space]) => JSON.stringify(value, null, space)),
      // Escapes, numbers, keys and broken strings that a serializer writes differently, or that are not JSON.
      fc
        .array(
          fc.constantFrom(
            ...['{', '}', '[', ']', '"', '\\', ':', ',', ' ', '\n', '1.0', '-0', '1e5', 'é', 'a'],
          ),
        )
        .map((parts) => parts.join('')),
      fc
        .array(fc.constantFrom('\\/', '\\u00e9', '\\ud800', '\\"', '\\\\', ' ', 'é', ','))
        .map((parts) => `{ "b":"${parts.join('')}", "1":1.50, "b" :[ -0,1E5] }`),
    )
    fc.assert(
      fc.property(fc.oneof(text.map(bytes), fc.uint8Array({ maxLength: 60 })), (body) => {
        expect([...compactJson(body)]).toEqual(formsByDefinition(body))
      }),
      { numRuns: 2000 },
    )
  })

  // Parsing 870 kB of tokens took 70 ms of processor time for every unverified body.
  it('does not parse a body with more than 20,000 separators', () => {
    const list = (length: number) => `[${Array<string>(length).fill('1.0').join(',')}]`
    expect(formsOf(list(20_000))).toEqual([list(20_000), list(20_000).replaceAll('.0', '')])
    expect(formsOf(list(20_001))).toEqual([list(20_001)])
    expect(formsOf(` ${list(20_001)}`)).toEqual([` ${list(20_001)}`, list(20_001)])
  })

  it('does not count the separators inside of a string', () => {
    const text = `["${',:[{'.repeat(10_000)}",1.0]`
    expect(formsOf(text)).toEqual([text, text.replace('1.0', '1')])
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
