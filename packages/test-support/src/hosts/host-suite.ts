import { createMemoryFailureLimiter, createMemoryInbox } from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { signBody, rung, secret } from './doorbell.ts'
import { toBytes, type Sent } from './host.ts'
import { createOpener, readError, type OpenHost } from './opener.ts'

/**
 * Defines the tests that every host of a gateway must pass.
 *
 * @param open starts the host with a gateway
 * @param options.passesMalformedPaths false for a router that refuses malformed percent-encoding itself, as that of Fastify
 */
export function testHost(
  name: string,
  open: OpenHost,
  { passesMalformedPaths = true }: { readonly passesMalformedPaths?: boolean } = {},
): void {
  describe(`the gateway over ${name}`, () => {
    const start = createOpener(open)

    it('accepts a delivery once', async () => {
      const send = await start()
      const body = rung()
      const event = { id: 'doorbell:bell.rung:1', name: 'doorbell/bell.rung' }
      const first = await send({ body, headers: await signBody(body) })
      expect(first.status).toBe(200)
      expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(JSON.parse(first.text)).toEqual({
        data: { status: 'accepted', events: [{ ...event, duplicate: false }] },
      })
      const second = await send({ body, headers: await signBody(body) })
      expect(second.status).toBe(200)
      expect(JSON.parse(second.text)).toEqual({
        data: { status: 'duplicate', events: [{ ...event, duplicate: true }] },
      })
    })

    it('passes the body unchanged', async () => {
      const send = await start()
      const odd = '{ "kind" : "rung",\r\n\t"id":"\\u0031", "door":"\u{1f514} \u00e9\\/" }\n'
      for (const contentType of ['application/json', 'text/plain', 'application/octet-stream', 'nonsense']) {
        const body = toBytes(odd)
        const headers = [...(await signBody(body)), ['content-type', contentType] as const]
        expect((await send({ body, headers })).status, contentType).toBe(200)
      }
      // Not text: a host that decodes the body changes it, and the signature becomes invalid.
      const binary = Uint8Array.from({ length: 256 }, (_, byte) => byte)
      expect((await send({ body: binary, headers: await signBody(binary) })).status).toBe(200)
    })

    it('accepts a manual test of any kind that the provider has', async () => {
      const send = await start()
      const body = toBytes({ type: 'bell.rung', payload: { anything: [1] } })
      const answer = await send({ body, headers: await signBody(body) })
      expect(JSON.parse(answer.text)).toMatchObject({
        data: { status: 'accepted', events: [{ name: 'doorbell/bell.rung' }] },
      })
    })

    it('ignores an unknown kind and quarantines a delivery that it cannot normalize', async () => {
      const send = await start()
      const other = toBytes({ kind: 'polished', id: '2' })
      expect(JSON.parse((await send({ body: other, headers: await signBody(other) })).text)).toEqual({
        data: { status: 'ignored', events: [] },
      })
      const odd = toBytes({ kind: 'rung', id: '3', door: 7 })
      expect(JSON.parse((await send({ body: odd, headers: await signBody(odd) })).text)).toEqual({
        data: { status: 'quarantined', events: [] },
      })
    })

    it('rejects every invalid signature with the same response', async () => {
      const send = await start()
      const body = rung()
      const [[header, good]] = (await signBody(body)) as [[string, string]]
      const bad: (readonly [string, string])[][] = [
        [],
        [[header, '']],
        [[header, 'nonsense']],
        [[header, good.slice(0, -2)]],
        [[header, good.slice('sha256='.length)]],
        [[header, good.toUpperCase()]],
        await signBody(body, 'another secret'),
        await signBody(rung('2')),
        [
          [header, good],
          [header, good],
        ],
        [
          [header, 'sha256=00'],
          [header, good],
        ],
      ]
      const texts = new Set<string>()
      for (const headers of bad) {
        const answer = await send({ body, headers })
        expect(readError(answer)).toEqual([401, 'INVALID_SIGNATURE'])
        texts.add(answer.text)
      }
      expect(texts.size).toBe(1)
    })

    it.each(['unknown', 'constructor', '__proto__', 'DOORBELL'])(
      'rejects the unknown provider "%s"',
      async (provider) => {
        const send = await start()
        const answer = await send({ path: `/webhooks/${provider}`, body: rung() })
        expect(readError(answer)).toEqual([404, 'UNKNOWN_PROVIDER'])
      },
    )

    it.each(['/webhooks', '/webhooks/', '/webhooks/doorbell/more', '/webhooksx/doorbell', '/elsewhere'])(
      'rejects a delivery to "%s"',
      async (path) => {
        const send = await start()
        const body = rung()
        expect((await send({ path, body, headers: await signBody(body) })).status).toBe(404)
      },
    )

    it('rejects a path that is not percent-encoded UTF-8', async () => {
      const send = await start()
      const malformed = await send({ path: '/webhooks/%ff' })
      expect(malformed.status).toBe(400)
      if (passesMalformedPaths) expect(readError(malformed)).toEqual([400, 'BAD_REQUEST'])
      expect(readError(await send({ path: '/webhooks/a%00b' }))).toEqual([400, 'BAD_REQUEST'])
    })

    it('answers other methods with the allowed ones', async () => {
      const send = await start()
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await send({ method })
        expect(readError(answer)).toEqual([405, 'METHOD_NOT_ALLOWED'])
        expect(answer.headers.get('allow')).toBe('POST, OPTIONS')
      }
      const options = await send({ method: 'OPTIONS' })
      expect([options.status, options.headers.get('allow'), options.text]).toEqual([204, 'POST, OPTIONS', ''])
    })

    it('answers the challenge of a handshake', async () => {
      const send = await start()
      const answer = await send({ method: 'GET', path: '/webhooks/challenged?a=b&challenge=c%2D1' })
      expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
        200,
        'text/plain; charset=utf-8',
        'c-1',
      ])
    })

    it('rejects a signed body over the limit', async () => {
      const send = await start()
      const body = new Uint8Array(1001)
      expect(readError(await send({ body, headers: await signBody(body) }))).toEqual([
        413,
        'PAYLOAD_TOO_LARGE',
      ])
    })

    it('quarantines a signed body that is not JSON', async () => {
      const send = await start()
      for (const text of ['', 'no JSON', '{"kind":', '[]x']) {
        const body = toBytes(text)
        const answer = await send({ body, headers: await signBody(body) })
        expect(JSON.parse(answer.text)).toEqual({ data: { status: 'quarantined', events: [] } })
      }
    })

    it('rejects a content encoding that the provider does not sign', async () => {
      const send = await start()
      const body = rung()
      const encoded = async (encoding: string) => [
        ...(await signBody(body)),
        ['content-encoding', encoding] as const,
      ]
      expect(readError(await send({ body, headers: await encoded('gzip') }))).toEqual([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ])
      expect((await send({ body, headers: await encoded('identity') })).status).toBe(200)
    })

    it('blocks an address after 20 failed verifications', async () => {
      const send = await start()
      for (let failure = 0; failure < 20; failure++) {
        expect(readError(await send({ body: rung() }))).toEqual([401, 'INVALID_SIGNATURE'])
      }
      const body = rung()
      const others: Sent[] = [
        { body, headers: await signBody(body) },
        { path: '/webhooks/unknown' },
        { method: 'GET' },
      ]
      for (const sent of others) {
        const answer = await send(sent)
        expect(readError(answer)).toEqual([429, 'RATE_LIMITED'])
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60)
      }
    })

    it('admits at most 20 of many concurrent failed verifications', async () => {
      const send = await start()
      const answers = await Promise.all(Array.from({ length: 40 }, () => send({ body: rung() })))
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 401)).toHaveLength(20)
      expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    })

    it('accepts verified deliveries of a blocked address with allowVerified', async () => {
      const send = await start({ allowVerified: true, limiter: createMemoryFailureLimiter({ failures: 1 }) })
      const body = rung()
      expect(readError(await send({ body }))).toEqual([401, 'INVALID_SIGNATURE'])
      expect(readError(await send({ body }))).toEqual([429, 'RATE_LIMITED'])
      expect((await send({ body, headers: await signBody(body) })).status).toBe(200)
    })

    it('answers 503 while a secret is unavailable', async () => {
      const body = rung()
      let broken = true
      let now = Date.now()
      const send = await start({
        now: () => now,
        secrets: {
          lease: () => {
            if (broken) throw new Error('the store is unavailable')
            return { values: [secret] }
          },
        },
      })
      const unavailable = await send({ body, headers: await signBody(body) })
      expect(readError(unavailable)).toEqual([503, 'PROVIDER_UNAVAILABLE'])
      expect(unavailable.headers.get('retry-after')).toBe('5')
      broken = false
      // The gateway does not ask a failed store again for some time.
      now += 60_000
      expect((await send({ body, headers: await signBody(body) })).status).toBe(200)
    })

    it('answers 503 without the reason when the inbox cannot record', async () => {
      const body = rung()
      const send = await start({
        inbox: { ...createMemoryInbox(), record: () => Promise.reject(new Error('disk full')) },
      })
      const answer = await send({ body, headers: await signBody(body) })
      expect(readError(answer)).toEqual([503, 'INBOX_UNAVAILABLE'])
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(answer.text).not.toContain('disk')
    })

    it('answers with the same bytes as every other host', async () => {
      const send = await start()
      const body = rung()
      const headers = await signBody(body)
      const texts = []
      for (const sent of [
        { body, headers },
        { body, headers },
        { body },
        { method: 'GET' },
        { path: '/webhooks/unknown' },
        { path: '/webhooks/a%00b' },
        { body: new Uint8Array(1001) },
        { headers: await signBody(new Uint8Array(0)) },
      ] satisfies Sent[]) {
        const { status, text } = await send(sent)
        texts.push(`${status} ${text}`)
      }
      expect(texts).toMatchInlineSnapshot(`
        [
          "200 {"data":{"status":"accepted","events":[{"id":"doorbell:bell.rung:1","name":"doorbell/bell.rung","duplicate":false}]}}",
          "200 {"data":{"status":"duplicate","events":[{"id":"doorbell:bell.rung:1","name":"doorbell/bell.rung","duplicate":true}]}}",
          "401 {"error":{"code":"INVALID_SIGNATURE","message":"The signature of this delivery does not hold"}}",
          "405 {"error":{"code":"METHOD_NOT_ALLOWED","message":"Deliveries are sent by POST"}}",
          "404 {"error":{"code":"UNKNOWN_PROVIDER","message":"No provider of this name is registered"}}",
          "400 {"error":{"code":"BAD_REQUEST","message":"The path is not percent-encoded UTF-8"}}",
          "413 {"error":{"code":"PAYLOAD_TOO_LARGE","message":"The body is larger than 1000 bytes"}}",
          "200 {"data":{"status":"quarantined","events":[]}}",
        ]
      `)
    })
  })
}
