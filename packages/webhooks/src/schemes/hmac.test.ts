import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseJson, type Delivery } from '../index.ts'
import { hmac } from './hmac.ts'
import { signedId, signedTime } from './stamps.ts'
import { structuredHeader } from './signature-header.ts'

const header = 'x-signature'
const body = new TextEncoder().encode('{"a":1}')
const computeTag = (content: string | Uint8Array, secret = 's') =>
  createHmac('sha256', secret).update(content).digest('hex')
const delivery = (
  headers: ConstructorParameters<typeof Headers>[0] = {},
  content: Uint8Array = body,
  url?: string,
): Delivery => ({
  method: 'POST',
  headers: new Headers(headers),
  body: content,
  ...(url !== undefined && { url }),
})

describe('hmac', () => {
  const scheme = hmac({ algorithm: 'sha256', encoding: 'hex', header: 'X-Signature', prefix: 'sha256=' })

  it('returns the reason of a rejection', async () => {
    const reason = async (signature?: string) => {
      const verification = await scheme.verify(
        delivery(signature === undefined ? {} : { [header]: signature }),
        ['s'],
        0,
      )
      return verification.verified || verification.reason
    }
    expect(await reason()).toBe('missing')
    expect(await reason('sha256=12')).toBe('malformed')
    expect(await reason(computeTag(body))).toBe('malformed')
    expect(await reason(`sha256=${'0'.repeat(64)}`)).toBe('mismatch')
  })

  it('does not verify with an empty secret', async () => {
    // A signature with the empty secret.
    const forged = delivery({ [header]: `sha256=${computeTag(body, '')}` })
    expect((await scheme.verify(forged, [''], 0)).verified).toBe(false)
    expect((await scheme.verify(forged, [], 0)).verified).toBe(false)
    await expect(scheme.sign(delivery(), '', 0)).rejects.toThrow(TypeError)
  })

  it('accepts a signature from any of several headers', async () => {
    const either = hmac({ algorithm: 'sha256', encoding: 'hex', header: ['box-Primary', 'box-secondary'] })
    expect(either.headers).toEqual(['box-primary', 'box-secondary'])
    expect(await either.sign(delivery(), 's', 0)).toEqual({ 'box-primary': computeTag(body) })
    const verified = async (headers: Record<string, string>) =>
      (await either.verify(delivery(headers), ['s'], 0)).verified
    expect(await verified({ 'box-secondary': computeTag(body) })).toBe(true)
    expect(
      await verified({ 'box-primary': computeTag(body, 'other'), 'box-secondary': computeTag(body) }),
    ).toBe(true)
    expect(await verified({ 'box-primary': 'x', 'box-secondary': computeTag(body) })).toBe(true)
    expect(await verified({ 'box-primary': 'x', 'box-secondary': computeTag(body, 'other') })).toBe(false)
    expect(() => hmac({ algorithm: 'sha256', encoding: 'hex', header: [] })).toThrow(TypeError)
  })

  it('verifies any of several signatures during a rotation', async () => {
    const list = hmac({
      algorithm: 'sha256',
      encoding: 'hex',
      header: structuredHeader(header, { signature: 'v1' }),
    })
    const [old, current, foreign] = ['old', 'new', 'other'].map((secret) => `v1=${computeTag(body, secret)}`)
    for (const signatures of [[old], [current], [old, current], [current, foreign], [foreign, 'v0=x', old]]) {
      const received = delivery({ [header]: signatures.join(',') })
      expect((await list.verify(received, ['new', 'old'], 0)).verified, signatures.join()).toBe(true)
    }
    expect((await list.verify(delivery({ [header]: foreign! }), ['new', 'old'], 0)).verified).toBe(false)
  })

  it('signs the joined parts without changing the body', async () => {
    const parts = hmac({
      algorithm: 'sha256',
      encoding: 'hex',
      header,
      content: ({ method, body: content, headers }) => [
        method,
        '\n',
        headers.get('x-part') ?? '',
        content,
        '☃',
      ],
    })
    for (const content of [Uint8Array.of(0xef, 0xbb, 0xbf, 0xff), new TextEncoder().encode("$& $$ $' $`")]) {
      const expected = Buffer.concat([Buffer.from('POST\npart'), content, Buffer.from('☃')])
      const received = delivery({ 'x-part': 'part', [header]: computeTag(expected) }, content)
      expect((await parts.verify(received, ['s'], 0)).verified).toBe(true)
    }
  })

  it('reads the time from a body only after the signature is verified', async () => {
    const read: string[] = []
    const linear = hmac({
      algorithm: 'sha256',
      encoding: 'hex',
      header,
      timestamp: signedTime({
        unit: 'ms',
        toleranceSeconds: 60,
        fromBody(content) {
          read.push(new TextDecoder().decode(content))
          return (parseJson(content) as { at?: unknown }).at
        },
      }),
    })
    const getReason = async (text: string, signature = computeTag(text)) => {
      const received = delivery({ [header]: signature }, new TextEncoder().encode(text))
      const verification = await linear.verify(received, ['s'], 1_000_000)
      return verification.verified || verification.reason
    }
    expect(await getReason('{"at":1000000}', computeTag('another'))).toBe('mismatch')
    expect(read).toEqual([])
    expect(await getReason('{"at":1060000}')).toBe(true)
    expect(await getReason('{"at":940000}')).toBe(true)
    expect(await getReason('{"at":1060001}')).toBe('expired')
    expect(await getReason('{"at":939999}')).toBe('expired')
    for (const text of [
      '{}',
      '{"at":null}',
      '{"at":-1}',
      '{"at":1e300}',
      '{"at":[1000000]}',
      'not JSON',
      '',
    ]) {
      expect(await getReason(text), text).toBe('malformed')
    }
    expect(linear.headers).toEqual([header])
    expect(await linear.sign(delivery(), 's', 0)).toEqual({ [header]: computeTag(body) })
  })

  // Regression: the scheme was created and rejected every delivery.
  it.each([
    [{ algorithm: 'SHA256' }, 'algorithm must be md5, sha1, sha256 or sha512'],
    [{ algorithm: 'sha3' }, 'algorithm must be md5, sha1, sha256 or sha512'],
    [{ algorithm: undefined }, 'algorithm must be md5, sha1, sha256 or sha512'],
    [{ encoding: 'HEX' }, 'encoding must be hex, hex-upper, base64 or base64url'],
    [{ encoding: undefined }, 'encoding must be hex, hex-upper, base64 or base64url'],
  ])('is not made with %j', (wrong, message) => {
    const options = { algorithm: 'sha256', encoding: 'hex', header, content: () => [], ...wrong } as never
    expect(() => hmac(options)).toThrow(new TypeError(message))
  })

  // Vendor pages contain names with a colon.
  it.each([
    { header: '' },
    { header: [] },
    { header: [header, ''] },
    { header: structuredHeader('', { signature: 'v1' }) },
    { timestamp: signedTime({ header: '' }) },
    { header: 'x-signature ' },
    { header: 'x-signature:' },
    { header: [header, 'x signature'] },
    { header: structuredHeader('x-signature:', { signature: 'v1' }) },
    { timestamp: signedTime({ header: 'x-time\n' }) },
    { id: signedId({ header: 'x-ïd' }) },
  ])('is not made with %j, which names no header', (wrong) => {
    const options = { algorithm: 'sha256', encoding: 'hex', header, content: () => [], ...wrong } as const
    expect(() => hmac(options)).toThrow(TypeError)
    expect(() => hmac(options)).toThrow(/header name/i)
  })

  it('accepts every valid header name', () => {
    const name = "x-!#$%&'*+.^_`|~09AZ"
    const { headers } = hmac({ algorithm: 'sha256', encoding: 'hex', header: name })
    expect(headers).toEqual([[...new Headers({ [name]: '' }).keys()][0]])
  })

  it('requires `content` with a time or an id', () => {
    const options = { algorithm: 'sha256', encoding: 'hex', header } as const
    expect(() => hmac({ ...options, timestamp: signedTime({ header: 'x-time' }) })).toThrow(TypeError)
    expect(() => hmac({ ...options, id: signedId({ header: 'x-id' }) })).toThrow(TypeError)
  })

  it('matches the example of Twilio with the URL and sorted form fields', async () => {
    // From Twilio's documentation of request validation.
    const twilio = hmac({
      algorithm: 'sha1',
      encoding: 'base64',
      header: 'x-twilio-signature',
      content: ({ url, body: form }) => [
        url,
        ...[...new URLSearchParams(new TextDecoder().decode(form))]
          .toSorted()
          .map(([name, value]) => name + value),
      ],
    })
    const form = new TextEncoder().encode(
      'To=%2B18005551212&Digits=1234&CallSid=CA1234567890ABCDE&Caller=%2B14158675309&From=%2B14158675309',
    )
    const headers = { 'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=' }
    const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
    expect(await twilio.verify(delivery(headers, form, url), ['12345'], 0)).toEqual({
      verified: true,
      body: form,
    })
    expect((await twilio.verify(delivery(headers, form, `${url}2`), ['12345'], 0)).verified).toBe(false)
    // A missing public URL is a wrong configuration, not a fault of the sender.
    await expect(twilio.verify(delivery(headers, form), ['12345'], 0)).rejects.toThrow(/PUBLIC_URL/)
  })
})
