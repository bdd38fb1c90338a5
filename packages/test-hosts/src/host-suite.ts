import { memoryFailureLimiter, memoryInbox } from '@sallyport/webhooks'
import { describe, expect, it } from 'vitest'
import { proofOf, rung, secret } from './doorbell.ts'
import { bytesOf, type Sent } from './host.ts'
import { opener, refusalOf, type OpenHost } from './opener.ts'

/**
 * Defines what every host of a gateway has to do, whatever it is made of.
 *
 * @param open puts the host in front of the gateway that it is given
 */
export function testHost(name: string, open: OpenHost): void {
  describe(`the gateway over ${name}`, () => {
    const start = opener(open)

    it('accepts a delivery once', async () => {
      const send = await start()
      const body = rung()
      const event = { id: 'doorbell:bell.rung:1', name: 'doorbell/bell.rung' }
      const first = await send({ body, headers: await proofOf(body) })
      expect(first.status).toBe(200)
      expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(JSON.parse(first.text)).toEqual({
        data: { status: 'accepted', events: [{ ...event, duplicate: false }] },
      })
      const second = await send({ body, headers: await proofOf(body) })
      expect(second.status).toBe(200)
      expect(JSON.parse(second.text)).toEqual({
        data: { status: 'duplicate', events: [{ ...event, duplicate: true }] },
      })
    })

    it('hands over the bytes as they came', async () => {
      const send = await start()
      const odd = '{ "kind" : "rung",\r\n\t"id":"\\u0031", "door":"\u{1f514} \u00e9\\/" }\n'
      for (const contentType of ['application/json', 'text/plain', 'application/octet-stream', 'nonsense']) {
        const body = bytesOf(odd)
        const headers = [...(await proofOf(body)), ['content-type', contentType] as const]
        expect((await send({ body, headers })).status, contentType).toBe(200)
      }
      // No text: a host that decodes it changes it, and the proof no longer holds.
      const binary = Uint8Array.from({ length: 256 }, (_, byte) => byte)
      expect(refusalOf(await send({ body: binary, headers: await proofOf(binary) }))).toEqual([
        400,
        'INVALID_JSON',
      ])
    })

    it('accepts a manual test of any kind that the provider has', async () => {
      const send = await start()
      const body = bytesOf({ type: 'bell.rung', payload: { anything: [1] } })
      const answer = await send({ body, headers: await proofOf(body) })
      expect(JSON.parse(answer.text)).toMatchObject({
        data: { status: 'accepted', events: [{ name: 'doorbell/bell.rung' }] },
      })
    })

    it('ignores a verified delivery of a kind that nobody asked for, and keeps one that it cannot read', async () => {
      const send = await start()
      const other = bytesOf({ kind: 'polished', id: '2' })
      expect(JSON.parse((await send({ body: other, headers: await proofOf(other) })).text)).toEqual({
        data: { status: 'ignored', events: [] },
      })
      const odd = bytesOf({ kind: 'rung', id: '3', door: 7 })
      expect(JSON.parse((await send({ body: odd, headers: await proofOf(odd) })).text)).toEqual({
        data: { status: 'quarantined', events: [] },
      })
    })

    it('refuses a signature that is wrong, missing, malformed, truncated or sent twice, in the same words', async () => {
      const send = await start()
      const body = rung()
      const [[header, good]] = (await proofOf(body)) as [[string, string]]
      const bad: (readonly [string, string])[][] = [
        [],
        [[header, '']],
        [[header, 'nonsense']],
        [[header, good.slice(0, -2)]],
        [[header, good.slice('sha256='.length)]],
        [[header, good.toUpperCase()]],
        await proofOf(body, 'another secret'),
        await proofOf(rung('2')),
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
        expect(refusalOf(answer)).toEqual([401, 'INVALID_SIGNATURE'])
        texts.add(answer.text)
      }
      expect(texts.size).toBe(1)
    })

    it.each(['unknown', 'constructor', '__proto__', 'DOORBELL'])(
      'does not know the provider "%s"',
      async (provider) => {
        const send = await start()
        const answer = await send({ path: `/webhooks/${provider}`, body: rung() })
        expect(refusalOf(answer)).toEqual([404, 'UNKNOWN_PROVIDER'])
      },
    )

    it.each(['/webhooks', '/webhooks/', '/webhooks/doorbell/more', '/webhooksx/doorbell', '/elsewhere'])(
      'takes no delivery at "%s"',
      async (path) => {
        const send = await start()
        const body = rung()
        expect((await send({ path, body, headers: await proofOf(body) })).status).toBe(404)
      },
    )

    it('refuses a path that is no percent-encoding', async () => {
      const send = await start()
      expect(refusalOf(await send({ path: '/webhooks/%ff' }))).toEqual([400, 'BAD_REQUEST'])
      expect(refusalOf(await send({ path: '/webhooks/a%00b' }))).toEqual([400, 'BAD_REQUEST'])
    })

    it('takes deliveries by POST, and says so', async () => {
      const send = await start()
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await send({ method })
        expect(refusalOf(answer)).toEqual([405, 'METHOD_NOT_ALLOWED'])
        expect(answer.headers.get('allow')).toBe('POST, OPTIONS')
      }
      const options = await send({ method: 'OPTIONS' })
      expect([options.status, options.headers.get('allow'), options.text]).toEqual([204, 'POST, OPTIONS', ''])
    })

    it('answers a challenge where the provider has a handshake', async () => {
      const send = await start()
      const answer = await send({ method: 'GET', path: '/webhooks/challenged?a=b&challenge=c%2D1' })
      expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
        200,
        'text/plain; charset=utf-8',
        'c-1',
      ])
    })

    it('refuses a body over the limit, whoever signed it', async () => {
      const send = await start()
      const body = new Uint8Array(1001)
      expect(refusalOf(await send({ body, headers: await proofOf(body) }))).toEqual([
        413,
        'PAYLOAD_TOO_LARGE',
      ])
    })

    it('refuses a verified body that is not JSON', async () => {
      const send = await start()
      for (const text of ['', 'no JSON', '{"kind":', '[]x']) {
        const body = bytesOf(text)
        expect(refusalOf(await send({ body, headers: await proofOf(body) }))).toEqual([400, 'INVALID_JSON'])
      }
    })

    it('refuses an encoding of the content that the provider does not sign', async () => {
      const send = await start()
      const body = rung()
      const encoded = async (encoding: string) => [
        ...(await proofOf(body)),
        ['content-encoding', encoding] as const,
      ]
      expect(refusalOf(await send({ body, headers: await encoded('gzip') }))).toEqual([
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ])
      expect((await send({ body, headers: await encoded('identity') })).status).toBe(200)
    })

    it('blocks an address after 20 failures, whatever it then sends', async () => {
      const send = await start()
      for (let failure = 0; failure < 20; failure++) {
        expect(refusalOf(await send({ body: rung() }))).toEqual([401, 'INVALID_SIGNATURE'])
      }
      const body = rung()
      const others: Sent[] = [
        { body, headers: await proofOf(body) },
        { path: '/webhooks/unknown' },
        { method: 'GET' },
      ]
      for (const sent of others) {
        const answer = await send(sent)
        expect(refusalOf(answer)).toEqual([429, 'RATE_LIMITED'])
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
        expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60)
      }
    })

    it('lets no more than 20 failures through when they come in parallel', async () => {
      const send = await start()
      const answers = await Promise.all(Array.from({ length: 40 }, () => send({ body: rung() })))
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 401)).toHaveLength(20)
      expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    })

    it('lets verified deliveries of a blocked address pass where that is wanted', async () => {
      const send = await start({ allowVerified: true, limiter: memoryFailureLimiter({ failures: 1 }) })
      const body = rung()
      expect(refusalOf(await send({ body }))).toEqual([401, 'INVALID_SIGNATURE'])
      expect(refusalOf(await send({ body }))).toEqual([429, 'RATE_LIMITED'])
      expect((await send({ body, headers: await proofOf(body) })).status).toBe(200)
    })

    it('says 503 while a secret cannot be leased, and recovers', async () => {
      const body = rung()
      let broken = true
      let now = Date.now()
      const send = await start({
        now: () => now,
        secrets: {
          lease: () => {
            if (broken) throw new Error('the store is away')
            return { values: [secret] }
          },
        },
      })
      const away = await send({ body, headers: await proofOf(body) })
      expect(refusalOf(away)).toEqual([503, 'PROVIDER_UNAVAILABLE'])
      expect(away.headers.get('retry-after')).toBe('5')
      broken = false
      // A store that failed is left alone for a while.
      now += 60_000
      expect((await send({ body, headers: await proofOf(body) })).status).toBe(200)
    })

    it('says 503 when the inbox cannot record, and nothing of why', async () => {
      const body = rung()
      const send = await start({
        inbox: { ...memoryInbox(), record: () => Promise.reject(new Error('disk full')) },
      })
      const answer = await send({ body, headers: await proofOf(body) })
      expect(refusalOf(answer)).toEqual([503, 'INBOX_UNAVAILABLE'])
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(answer.text).not.toContain('disk')
    })

    it('answers in the same bytes as every other host', async () => {
      const send = await start()
      const body = rung()
      const headers = await proofOf(body)
      const texts = []
      for (const sent of [
        { body, headers },
        { body, headers },
        { body },
        { method: 'GET' },
        { path: '/webhooks/unknown' },
        { path: '/webhooks/%ff' },
        { body: new Uint8Array(1001) },
        { headers: await proofOf(new Uint8Array(0)) },
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
          "400 {"error":{"code":"INVALID_JSON","message":"The body is not JSON in UTF-8"}}",
        ]
      `)
    })
  })
}
