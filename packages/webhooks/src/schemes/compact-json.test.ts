import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactJson } from './compact-json.ts'
import { hmac } from './hmac.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const listForms = (text: string) =>
  [...compactJson(bytes(text))].map((form) => new TextDecoder().decode(form))

const isSpace = (byte: number) => [0x20, 0x09, 0x0a, 0x0d].includes(byte)
const isPunctuation = (byte: number) => '{}[],:'.includes(String.fromCharCode(byte))

/** A simple implementation of the three forms, without the limit. */
function formsByDefinition(body: Uint8Array): Uint8Array[] {
  const compact: number[] = []
  let isCompact = true
  let inString = false
  for (let index = 0; index < body.length; index++) {
    const byte = body[index]!
    if (!inString && isSpace(byte)) continue
    const splitsTokens = !inString && index > 0 && isSpace(body[index - 1]!) && compact.length > 0
    if (splitsTokens && !isPunctuation(byte) && !isPunctuation(compact.at(-1)!)) isCompact = false
    compact.push(byte)
    if (byte === 0x22) inString = !inString
    else if (inString && byte === 0x5c && index + 1 < body.length) compact.push(body[++index]!)
  }
  const forms = [body]
  if (isCompact && compact.length < body.length) forms.push(new Uint8Array(compact))
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
  it('returns a compact body once', () => {
    for (const text of ['{"a":1}', '[]', '', 'no JSON', '"x y"']) {
      expect(listForms(text)[0]).toBe(text)
      expect(new Set(listForms(text)).size).toBe(listForms(text).length)
    }
    expect(listForms('{"a":[1,"b"]}')).toEqual(['{"a":[1,"b"]}'])
  })

  it('removes white space between tokens without changing a token', () => {
    const body = '{ "a b" :\t[ 1.0 ,\r\n"\\" { } \\\\" , "é \\u00e9" ] }'
    expect(listForms(body)).toEqual([
      body,
      '{"a b":[1.0,"\\" { } \\\\","é \\u00e9"]}',
      '{"a b":[1,"\\" { } \\\\","é é"]}',
    ])
  })

  // Regression: the number 1700000000 had the signature of 17000 00000.
  it('does not join tokens', () => {
    for (const text of ['{"a":1 2}', '{"a":tr\nue}', '["a" "b"]', '[1 "b"]', '1 2']) {
      expect(listForms(text)).toEqual([text])
    }
    expect(listForms('{"a":"unended \\')).toEqual(['{"a":"unended \\'])
  })

  it('returns at most three forms for any bytes and any depth', () => {
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

  it('matches the simple implementation', () => {
    const text = fc.oneof(
      fc.json(),
      fc
        .tuple(fc.jsonValue(), fc.constantFrom(1, '\t', '\r\n'))
        .map(([value, space]) => JSON.stringify(value, null, space)),
      // Tokens that a serializer writes differently, or that are not JSON.
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

  // Parsing 870 kB of tokens takes 70 ms for an unverified body.
  it('does not parse a body with more than 20,000 separators', () => {
    const list = (length: number) => `[${Array<string>(length).fill('1.0').join(',')}]`
    expect(listForms(list(20_000))).toEqual([list(20_000), list(20_000).replaceAll('.0', '')])
    expect(listForms(list(20_001))).toEqual([list(20_001)])
    expect(listForms(` ${list(20_001)}`)).toEqual([` ${list(20_001)}`, list(20_001)])
  })

  it('does not count the separators inside of a string', () => {
    const text = `["${',:[{'.repeat(10_000)}",1.0]`
    expect(listForms(text)).toEqual([text, text.replace('1.0', '1')])
  })

  it('verifies any serialization of a value with the signature of the compact form', async () => {
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
