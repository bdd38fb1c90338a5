import { describe, expect, it } from 'vitest'
import {
  defineService,
  hmac,
  signedTime,
  standardWebhooks,
  structuredHeader,
  type AnyProvider,
} from '../index.ts'
import { diagnose } from './index.ts'

const now = Date.UTC(2026, 0)
const url = 'https://hooks.example.com/webhooks/github?a=1'
const json = '{"zen":"Zoë likes a/b","count":[1,2]}'
const utf8 = (text: string) => new TextEncoder().encode(text)

const github = defineService({
  name: 'github',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-hub-signature-256', prefix: 'sha256=' }),
  kind: 'zen',
})
const stripe = defineService({
  name: 'stripe',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: structuredHeader('stripe-signature', { timestamp: 't', signature: 'v1' }),
    timestamp: signedTime(),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'type',
})
const square = defineService({
  name: 'square',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'x-square-hmacsha256-signature',
    content: ({ url, body }) => [url, body],
  }),
  kind: 'type',
})
const clerk = defineService({ name: 'clerk', signature: standardWebhooks(), kind: 'type' })

interface Captured {
  readonly body?: string | Uint8Array
  readonly secret?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly at?: number
  readonly url?: string
  readonly alternativeUrls?: readonly string[]
}

/** Signs with the true secret, and diagnoses what was captured and configured. */
async function examine(provider: AnyProvider, secret: string, captured: Captured, signedBody = json) {
  const body = utf8(signedBody)
  const signed = await provider.signature.sign(
    { method: 'POST', headers: new Headers(), body, url },
    secret,
    now,
  )
  const given = captured.body ?? signedBody
  const { verified, mistakes } = await diagnose({
    provider,
    delivery: {
      method: 'POST',
      headers: new Headers(captured.headers ?? signed),
      body: typeof given === 'string' ? utf8(given) : given,
      url: captured.url ?? url,
      alternativeUrls: captured.alternativeUrls ?? [],
    },
    secrets: [captured.secret ?? secret],
    now: captured.at ?? now,
  })
  return {
    verified,
    codes: mistakes.map(({ code }) => code),
    text: mistakes.map(({ message }) => message).join(' '),
  }
}

const codes = async (...given: Parameters<typeof examine>) => (await examine(...given)).codes

describe('diagnose', () => {
  it('reports a delivery that verifies', async () => {
    for (const provider of [github, stripe, square])
      expect(await examine(provider, 'the secret', {})).toEqual({ verified: true, codes: [], text: '' })
  })

  it.each([
    ['white space', 'open sesame', 'open sesame\n', 'SECRET_WHITESPACE'],
    ['quotes', 'open sesame', '"open sesame"', 'SECRET_QUOTES'],
    ['base64 instead of text', 'open sesame', btoa('open sesame'), 'SECRET_ENCODING'],
    ['text instead of base64', btoa('open sesame'), 'open sesame', 'SECRET_ENCODING'],
    ['hexadecimal instead of text', 'key', '6b6579', 'SECRET_ENCODING'],
    ['text instead of hexadecimal', '6b6579', 'key', 'SECRET_ENCODING'],
    ['a prefix of another service', 'open sesame', 'whsec_open sesame', 'SECRET_PREFIX'],
  ])('finds a secret with %s', async (_, secret, configured, code) => {
    const { codes, text } = await examine(github, secret, { secret: configured })
    expect(codes).toEqual([code])
    expect(text).not.toContain('open sesame')
  })

  it('finds a secret of Standard Webhooks with white space', async () => {
    const secret = `whsec_${btoa('a secret of twenty-four b')}`
    expect(await codes(clerk, secret, { secret: ` ${secret}` })).toEqual(['SECRET_WHITESPACE'])
    expect(await codes(clerk, secret, { secret: 'not base64!' })).toEqual(['SECRET_UNUSABLE'])
  })

  it.each([
    ['a line feed at the end', `${json}\n`, 'BODY_WHITESPACE'],
    ['base64', Buffer.from(json).toString('base64'), 'BODY_BASE64'],
    ['indentation', JSON.stringify(JSON.parse(json), undefined, 2), 'BODY_RESERIALIZED'],
  ])('finds a body with %s', async (_, body, code) => {
    expect(await codes(github, 'the secret', { body })).toEqual([code])
  })

  it.each([
    ['spaces as Python writes', '{"zen": "Zo\\u00eb likes a/b", "count": [1, 2]}'],
    ['escapes as PHP writes', '{"zen":"Zo\\u00eb likes a\\/b","count":[1,2]}'],
    ['indentation', '{\n  "zen": "Zoë likes a/b",\n  "count": [\n    1,\n    2\n  ]\n}'],
  ])('finds a body that was written again without %s', async (_, signed) => {
    expect(await codes(github, 'the secret', { body: json }, signed)).toEqual(['BODY_RESERIALIZED'])
  })

  it('finds a time outside the tolerance', async () => {
    const late = await examine(stripe, 'the secret', { at: now + 3_600_000 })
    expect(late.codes).toEqual(['EXPIRED'])
    expect(late.text).toContain('3600 seconds before')
  })

  it('finds two mistakes at once', async () => {
    const captured = { at: now + 3_600_000, secret: 'the secret ' }
    expect(await codes(stripe, 'the secret', captured)).toEqual(['SECRET_WHITESPACE', 'EXPIRED'])
  })

  it('finds a mistake of a delivery with another form of its address', async () => {
    const captured = { secret: 'the secret ', url: `${url}&b=%20`, alternativeUrls: [url] }
    expect(await codes(square, 'the secret', captured)).toEqual(['SECRET_WHITESPACE'])
  })

  it('finds another public address', async () => {
    const { codes, text } = await examine(square, 'the secret', { url: url.replace('https', 'http') })
    expect(codes).toEqual(['URL'])
    expect(text).toContain('https://hooks.example.com/webhooks/github')
  })

  it('names the missing header and similar headers', async () => {
    const { codes, text } = await examine(github, 'the secret', { headers: { 'X-Hub-Signature': 'sha1=00' } })
    expect(codes).toEqual(['HEADER_MISSING'])
    expect(text).toBe('The request lacks the header x-hub-signature-256. The request has x-hub-signature.')
  })

  it('names a few of many headers, which anybody may have sent', async () => {
    const headers = Object.fromEntries(
      Array.from({ length: 50 }, (_, id) => [`token-${'x'.repeat(50)}-${id}`, '']),
    )
    expect((await examine(github, 'the secret', { headers })).text.length).toBeLessThan(300)
  })

  it('reports a malformed signature, a wrong secret and no secret', async () => {
    const headers = { 'x-hub-signature-256': '00' }
    expect(await codes(github, 'the secret', { headers })).toEqual(['SIGNATURE_MALFORMED'])
    expect(await codes(github, 'the secret', { secret: 'another' })).toEqual(['MISMATCH'])
    const delivery = { method: 'POST', headers: new Headers(), body: utf8(json) }
    expect(await diagnose({ provider: github, delivery, secrets: [] })).toMatchObject({
      mistakes: [{ code: 'SECRET_MISSING' }],
    })
  })

  it.each([
    ['too deep', '['.repeat(101) + '0' + ']'.repeat(101)],
    ['deep and wide', '['.repeat(90) + Array(2000).fill(0).join() + ']'.repeat(90)],
    ['too long', JSON.stringify(['x'.repeat(256 * 1024)])],
    ['too long with escapes', JSON.stringify(['ü'.repeat(64 * 1024)])],
  ])('writes no forms of a body that is %s', async (_, body) => {
    const written = JSON.stringify(JSON.parse(body), undefined, 2)
    expect(await codes(github, 'the secret', { body }, written)).toEqual(['MISMATCH'])
  })

  it('finds the forms of a body of usual depth and size', async () => {
    const body = JSON.stringify(Array(2000).fill({ id: 1, user: { name: 'a' } }))
    const signed = JSON.stringify(JSON.parse(body), undefined, 2)
    expect(await codes(github, 'the secret', { body }, signed)).toEqual(['BODY_RESERIALIZED'])
  })

  it('lets other work run between the verifications of a large body', async () => {
    let turns = 0
    const count = setInterval(() => (turns += 1), 0)
    const body = JSON.stringify({ zen: 'x'.repeat(1024 * 1000) })
    await codes(github, 'another', { body: ` ${body}\r\n`, secret: 'the secret' }, body.slice(1))
    clearInterval(count)
    expect(turns).toBeGreaterThan(4)
  })

  it('tries no variation of a body over 1 MiB', async () => {
    const large = JSON.stringify({ zen: 'x'.repeat(1024 * 1024) })
    expect(await codes(github, 'the secret', { body: `${large}\n` }, large)).toEqual(['MISMATCH'])
  })
})
