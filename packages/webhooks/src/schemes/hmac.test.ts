import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseJson, type Delivery } from '../index.ts'
import { hmac } from './hmac.ts'
import { signedId, signedTime } from './stamps.ts'
import { structuredHeader } from './signature-header.ts'

const header = 'x-signature'
const body = new TextEncoder().encode('{"a":1}')
const tagOf = (content: string | Uint8Array, secret = 's') =>
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

  it('tells a log why it refuses', async () => {
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
    expect(await reason(tagOf(body))).toBe('malformed')
    expect(await reason(`sha256=${'0'.repeat(64)}`)).toBe('mismatch')
  })

  it('never verifies with an empty secret, which anybody could sign with', async () => {
    // What somebody who knows that the secret is empty would compute:
    const forged = delivery({ [header]: `sha256=${tagOf(body, '')}` })
    expect((await scheme.verify(forged, [''], 0)).verified).toBe(false)
    expect((await scheme.verify(forged, [], 0)).verified).toBe(false)
    await expect(scheme.sign(delivery(), '', 0)).rejects.toThrow(TypeError)
  })

  it('takes a signature from any of several headers', async () => {
    const either = hmac({ algorithm: 'sha256', encoding: 'hex', header: ['box-Primary', 'box-secondary'] })
    expect(either.headers).toEqual(['box-primary', 'box-secondary'])
    expect(await either.sign(delivery(), 's', 0)).toEqual({ 'box-primary': tagOf(body) })
    const verified = async (headers: Record<string, string>) =>
      (await either.verify(delivery(headers), ['s'], 0)).verified
    expect(await verified({ 'box-secondary': tagOf(body) })).toBe(true)
    expect(await verified({ 'box-primary': tagOf(body, 'other'), 'box-secondary': tagOf(body) })).toBe(true)
    expect(await verified({ 'box-primary': 'x', 'box-secondary': tagOf(body) })).toBe(true)
    expect(await verified({ 'box-primary': 'x', 'box-secondary': tagOf(body, 'other') })).toBe(false)
    expect(() => hmac({ algorithm: 'sha256', encoding: 'hex', header: [] })).toThrow(TypeError)
  })

  it('verifies while secrets rotate, whichever of the signatures it is that holds', async () => {
    const list = hmac({
      algorithm: 'sha256',
      encoding: 'hex',
      header: structuredHeader(header, { signature: 'v1' }),
    })
    const [old, current, foreign] = ['old', 'new', 'other'].map((secret) => `v1=${tagOf(body, secret)}`)
    for (const signatures of [[old], [current], [old, current], [current, foreign], [foreign, 'v0=x', old]]) {
      const received = delivery({ [header]: signatures.join(',') })
      expect((await list.verify(received, ['new', 'old'], 0)).verified, signatures.join()).toBe(true)
    }
    expect((await list.verify(delivery({ [header]: foreign! }), ['new', 'old'], 0)).verified).toBe(false)
  })

  it('signs parts one after another, and leaves every byte of the body as it is', async () => {
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
      const received = delivery({ 'x-part': 'part', [header]: tagOf(expected) }, content)
      expect((await parts.verify(received, ['s'], 0)).verified).toBe(true)
    }
  })

  it('finds the time in a body only once its signature holds', async () => {
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
    const reasonOf = async (text: string, signature = tagOf(text)) => {
      const received = delivery({ [header]: signature }, new TextEncoder().encode(text))
      const verification = await linear.verify(received, ['s'], 1_000_000)
      return verification.verified || verification.reason
    }
    expect(await reasonOf('{"at":1000000}', tagOf('another'))).toBe('mismatch')
    expect(read).toEqual([])
    expect(await reasonOf('{"at":1060000}')).toBe(true)
    expect(await reasonOf('{"at":940000}')).toBe(true)
    expect(await reasonOf('{"at":1060001}')).toBe('expired')
    expect(await reasonOf('{"at":939999}')).toBe('expired')
    for (const text of [
      '{}',
      '{"at":null}',
      '{"at":-1}',
      '{"at":1e300}',
      '{"at":[1000000]}',
      'no JSON',
      '',
    ]) {
      expect(await reasonOf(text), text).toBe('malformed')
    }
    expect(linear.headers).toEqual([header])
    expect(await linear.sign(delivery(), 's', 0)).toEqual({ [header]: tagOf(body) })
  })

  // Each was once made, and refused every true delivery.
  it.each([
    [{ algorithm: 'SHA256' }, 'algorithm must be sha1, sha256 or sha512'],
    [{ algorithm: 'md5' }, 'algorithm must be sha1, sha256 or sha512'],
    [{ algorithm: undefined }, 'algorithm must be sha1, sha256 or sha512'],
    [{ encoding: 'HEX' }, 'encoding must be hex, base64 or base64url'],
    [{ encoding: undefined }, 'encoding must be hex, base64 or base64url'],
  ])('is not made with %j', (wrong, message) => {
    const options = { algorithm: 'sha256', encoding: 'hex', header, content: () => [], ...wrong } as never
    expect(() => hmac(options)).toThrow(new TypeError(message))
  })

  // Those with a name that no header has, as a vendor's page may write it, were made as well.
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

  it('takes every name that a header may have', () => {
    const name = "x-!#$%&'*+.^_`|~09AZ"
    const { headers } = hmac({ algorithm: 'sha256', encoding: 'hex', header: name })
    expect(headers).toEqual([[...new Headers({ [name]: '' }).keys()][0]])
  })

  it('does not take a time or an id for signed that no content has', () => {
    const options = { algorithm: 'sha256', encoding: 'hex', header } as const
    expect(() => hmac({ ...options, timestamp: signedTime({ header: 'x-time' }) })).toThrow(TypeError)
    expect(() => hmac({ ...options, id: signedId({ header: 'x-id' }) })).toThrow(TypeError)
  })

  it('agrees with the example of a service that signs the address and sorted form fields', async () => {
    // The example of Twilio's documentation of request validation.
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
    // A host that was not told its own address is misconfigured, and the sender did nothing wrong.
    expect(() => twilio.verify(delivery(headers, form), ['12345'], 0)).toThrow(/PUBLIC_URL/)
  })
})
