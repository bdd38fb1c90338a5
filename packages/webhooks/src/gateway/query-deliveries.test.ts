import { describe, expect, it } from 'vitest'
import { openGateway, receivedAt, secret } from '../../test/doorbell.ts'
import { createGateway, defineService, hmac, createMemoryInbox, parseForm, staticSecrets } from '../index.ts'
import type { UnprocessedRequest } from './gateway-contract.ts'
import { fixedHandshake } from '../handshakes/fixed-handshake.ts'

const signature = hmac({
  algorithm: 'sha256',
  encoding: 'hex',
  header: 'x-signature',
  content: ({ method, body }) => [method, ' ', body],
})
const intercom = defineService({
  name: 'intercom',
  signature,
  parse: parseForm,
  methods: ['GET', 'POST'],
  kind: 'event',
})

const address = 'https://hooks.example/webhooks/intercom'
const query = 'event=ring&door=front%20gate'

async function sign(text: string, method = 'GET') {
  const delivery = { method, headers: new Headers(), body: new TextEncoder().encode(text) }
  return signature.sign(delivery, secret, receivedAt)
}

/** A request by GET with the addresses that a host finds. */
const request = (headers: Readonly<Record<string, string>>, urls: object, body = '') => ({
  method: 'GET',
  provider: 'intercom',
  headers: new Headers(headers),
  ...urls,
  readBody: async (sink: { push: (chunk: Uint8Array) => void }) => {
    sink.push(new TextEncoder().encode(body))
  },
})

describe('deliveries by GET', () => {
  it('records the query as the body of the event', async () => {
    const { gateway, recorded } = openGateway({ providers: [intercom] })
    const url = `${address}?${query}`
    const { status } = await gateway.handle(request(await sign(query), { url }, 'event=forged'))
    expect(status).toBe(200)
    const [{ record } = { record: undefined }] = recorded
    expect(new TextDecoder().decode(record?.body)).toBe(query)
    expect(record?.events[0]?.event).toMatchObject({
      name: 'intercom/ring',
      data: { event: 'ring', door: 'front gate' },
    })
  })

  it('identifies an event by its query', async () => {
    const { send } = openGateway({ providers: [intercom] })
    const ids = []
    for (const text of [query, query, 'event=ring&door=back']) {
      const headers = await sign(text.replaceAll('%20', '+'))
      const { said, events } = await send({ provider: 'intercom', method: 'GET', headers, query: text })
      ids.push([said, events[0]?.id])
    }
    expect(ids.map(([said]) => said)).toEqual(['accepted', 'duplicate', 'accepted'])
    expect(new Set(ids.map(([, id]) => id)).size).toBe(2)
  })

  it('verifies the query of each address', async () => {
    const urls = {
      url: `${address}?event=ring&door=a+b`,
      alternativeUrls: [`${address}?event=ring&door=a%20b`],
    }
    const { gateway, recorded } = openGateway({ providers: [intercom] })
    expect((await gateway.handle(request(await sign('event=ring&door=a%20b'), urls))).status).toBe(200)
    expect(new TextDecoder().decode(recorded[0]?.record.body)).toBe('event=ring&door=a%20b')
  })

  it('refuses an unsigned query, and the signature of a delivery by POST', async () => {
    const { gateway } = openGateway({ providers: [intercom] })
    const url = `${address}?${query}`
    for (const headers of [{}, await sign(''), await sign(query, 'POST')])
      expect((await gateway.handle(request(headers, { url }, query))).status).toBe(401)
  })

  it('are refused for a provider that does not declare them', async () => {
    const { gateway } = openGateway({ providers: [{ ...intercom, methods: ['POST'] }] })
    const { status, headers } = await gateway.handle(
      request(await sign(query), { url: `${address}?${query}` }),
    )
    expect([status, headers['Allow']]).toEqual([405, 'POST, OPTIONS'])
  })

  it('follow a handshake by GET', async () => {
    const handshake = fixedHandshake({ methods: ['GET'], when: { query: { check: '1' } } })
    const { send } = openGateway({ providers: [{ ...intercom, handshake }] })
    const get = async (text: string) =>
      (await send({ provider: 'intercom', method: 'GET', headers: await sign(text), query: text })).status
    expect([await get('check=1'), await get('event=ring'), await get('check=2')]).toEqual([200, 200, 200])
  })

  it('are verified again by their query', async () => {
    let kept: UnprocessedRequest | undefined
    const options = { providers: [intercom], inbox: createMemoryInbox(), now: () => receivedAt }
    const before = createGateway({
      ...options,
      secrets: staticSecrets({ intercom: ['another secret'] }),
      onUnprocessed: (one) => (kept = one),
    })
    await before.handle(request(await sign(query), { url: `${address}?${query}` }))
    const after = createGateway({ ...options, secrets: staticSecrets({ intercom: [secret] }) })
    const again = { ...kept!, provider: 'intercom', isVerified: false }
    expect(await after.reprocess(again)).toEqual({ outcome: 'accepted', events: 1 })
    expect(await after.reprocess({ ...again, method: 'POST' })).toMatchObject({ outcome: 'refused' })
  })
})
