import { createOpener, toBytes } from '@sallyport/test-support/hosts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { client, doorbell, encodeBody, openGateway, receivedAt, rung, signBody } from '../../test/doorbell.ts'
import { hosts } from '../../test/hosts.ts'
import type { EndpointSource, GatewayEndpoint } from '../ports/ports.ts'
import { createMemoryFailureLimiter } from './failure-limiter.ts'
import { createMemoryInbox } from '../memory/inbox.ts'
import { createReplayer } from '../operations/replayer.ts'
import { createEndpointId, isEndpointId } from './endpoint-id.ts'
import { createGateway } from './gateway.ts'
import { createEndpoints as createStoredEndpoints, createSecretCipher } from '../endpoints/index.ts'
import { createMemoryEndpointStore } from '../endpoints/memory-store.ts'
import { hmac } from '../schemes/hmac.ts'
import { signedTime } from '../schemes/stamps.ts'
import { echoHandshake } from '../handshakes/echo-handshake.ts'
import { secretHandshake } from '../handshakes/secret-handshake.ts'

const secrets = { acme: 'the secret of acme', other: 'the secret of the other' }

function createEndpoints(...changes: readonly Partial<GatewayEndpoint>[]) {
  const lookups: string[] = []
  const known = new Map(
    [...Object.entries(secrets).map(([id, secret]) => ({ id, secrets: [secret] })), ...changes].map((one) => [
      one.id,
      { provider: 'doorbell', status: 'active', secrets: [], ...one } as GatewayEndpoint,
    ]),
  )
  const source: EndpointSource = {
    find(id) {
      lookups.push(id)
      return known.get(id)
    },
  }
  return { source, lookups }
}

const open = (...changes: readonly Partial<GatewayEndpoint>[]) =>
  openGateway({ endpoints: createEndpoints(...changes).source })

describe('delivery to an endpoint', () => {
  it('is accepted with the secret of the endpoint', async () => {
    const { deliver, recorded, observed } = open()
    const { said, events } = await deliver({ endpoint: 'acme', secret: secrets.acme })
    expect(said).toBe('accepted')
    expect(events).toEqual([
      { id: 'doorbell@acme:bell.rung:1', name: 'doorbell/bell.rung', duplicate: false },
    ])
    expect(recorded[0]?.record).toMatchObject({
      endpoint: 'acme',
      events: [{ event: { source: { provider: 'doorbell', endpoint: 'acme' } } }],
    })
    expect(observed).toMatchObject([{ provider: 'doorbell', endpoint: 'acme', outcome: 'accepted' }])
  })

  it('is accepted within the tolerance of the endpoint', async () => {
    const timed = hmac({
      ...{ algorithm: 'sha256', encoding: 'hex', header: 'x-signature' },
      timestamp: signedTime({ header: 'x-time' }),
      content: ({ timestamp, body }) => [timestamp, '.', body],
    })
    const { source } = createEndpoints({
      id: 'slow',
      secrets: [secrets.acme],
      options: { toleranceSeconds: 3600 },
    })
    const { send, gateway } = openGateway({
      providers: [{ ...doorbell, signature: timed }],
      endpoints: source,
    })
    const sign = async (ageSeconds: number) => {
      const delivery = { method: 'POST', headers: new Headers(), body: rung() }
      return await timed.sign(delivery, secrets.acme, receivedAt - ageSeconds * 1000)
    }
    const deliver = async (endpoint: string, age: number) =>
      (await send({ endpoint, headers: await sign(age) })).said
    expect(await deliver('acme', 600)).toBe('INVALID_SIGNATURE')
    expect(await deliver('slow', 600)).toBe('accepted')
    expect(await deliver('slow', 3601)).toBe('INVALID_SIGNATURE')
    const kept = { id: 'kept', provider: 'doorbell', isVerified: false, body: rung('2'), receivedAt }
    const headers = new Headers(
      await timed.sign(
        { ...kept, method: 'POST', headers: new Headers() },
        secrets.acme,
        receivedAt - 600_000,
      ),
    )
    expect(await gateway.reprocess({ ...kept, headers, endpoint: 'slow' })).toEqual({
      outcome: 'accepted',
      events: 1,
    })
    expect(await gateway.reprocess({ ...kept, headers, endpoint: 'acme' })).toEqual({
      outcome: 'refused',
      reason: 'expired',
    })
  })

  it('passes the endpoint to the normalizer', async () => {
    const given: unknown[] = []
    const provider = {
      ...doorbell,
      normalize(delivery: Parameters<typeof doorbell.normalize>[0]) {
        given.push(delivery.endpoint)
        return doorbell.normalize(delivery)
      },
    }
    const { deliver } = openGateway({ providers: [provider], endpoints: createEndpoints().source })
    await deliver({ endpoint: 'acme', secret: secrets.acme })
    await deliver()
    expect(given).toEqual(['acme', undefined])
  })

  it('is ignored when the endpoint does not accept its kind', async () => {
    const { deliver } = open({ id: 'acme', secrets: [secrets.acme], options: { only: ['bell.broken.*'] } })
    expect(await deliver({ endpoint: 'acme', secret: secrets.acme })).toMatchObject({ said: 'ignored' })
    expect(await deliver({ endpoint: 'other', secret: secrets.other })).toMatchObject({ said: 'accepted' })
  })

  it('is refused with the secret of the provider', async () => {
    expect(await open().deliver({ endpoint: 'acme' })).toMatchObject({
      status: 401,
      said: 'INVALID_SIGNATURE',
    })
  })

  it('is refused for an endpoint of another provider', async () => {
    const { deliver } = open({ id: 'mailbox-only', provider: 'mailbox', secrets: ['a secret'] })
    expect(await deliver({ endpoint: 'mailbox-only', secret: 'a secret' })).toMatchObject({
      status: 404,
      said: 'UNKNOWN_ENDPOINT',
    })
  })

  it('is refused for an endpoint without a secret', async () => {
    const { deliver } = open({ id: 'new', secrets: [] })
    expect(await deliver({ endpoint: 'new', secret: 'any secret' })).toMatchObject({ status: 401 })
  })

  it.each([
    [410, 'GONE'],
    [404, 'UNKNOWN_ENDPOINT'],
  ] as const)('is answered %d while the endpoint is disabled', async (status, said) => {
    const { source } = createEndpoints({ id: 'acme', status: 'disabled', secrets: [secrets.acme] })
    const { deliver } = openGateway({ endpoints: source, disabledEndpointStatus: status })
    expect(await deliver({ endpoint: 'acme', secret: secrets.acme })).toMatchObject({ status, said })
    expect(await deliver({ endpoint: 'other', secret: secrets.other })).toMatchObject({ status: 200 })
  })

  it('is answered 503 without a failure of the address while the endpoints are unavailable', async () => {
    const endpoints = { find: () => Promise.reject(new Error('unavailable')) }
    const { send } = openGateway({ endpoints, limiter: createMemoryFailureLimiter({ failures: 1 }) })
    for (let count = 0; count < 3; count++)
      expect(await send({ endpoint: 'acme' })).toMatchObject({ status: 503, said: 'PROVIDER_UNAVAILABLE' })
  })
})

describe('unknown endpoint', () => {
  it.each(['', 'a/b', 'ä', 'a b', 'a.b', '../acme', 'acme\n', 'a'.repeat(65), '%61cme'])(
    'is refused without a lookup when it is malformed: %j',
    async (endpoint) => {
      const { source, lookups } = createEndpoints()
      const { deliver, observed } = openGateway({ endpoints: source })
      expect(await deliver({ endpoint, secret: secrets.acme })).toMatchObject({ status: 404 })
      expect(lookups).toEqual([])
      // The text of a sender does not reach logs.
      expect(observed[0]?.endpoint).toBeUndefined()
    },
  )

  it('does not count as a failure of the address', async () => {
    const { send, deliver } = openGateway({
      endpoints: createEndpoints().source,
      limiter: createMemoryFailureLimiter({ failures: 1 }),
    })
    for (let count = 0; count < 5; count++)
      expect(await send({ endpoint: 'unknown' })).toMatchObject({ status: 404 })
    expect(await deliver({ endpoint: 'acme', secret: secrets.acme })).toMatchObject({ said: 'accepted' })
  })

  it('is refused before the body is read', async () => {
    let read = false
    await open().send({
      endpoint: 'unknown',
      readBody: () => {
        read = true
        return Promise.resolve()
      },
    })
    expect(read).toBe(false)
  })
})

describe('gateway with endpoints only', () => {
  it('answers 404 on the address without an endpoint', async () => {
    const gateway = createGateway({
      providers: [doorbell],
      endpoints: createEndpoints().source,
      inbox: createMemoryInbox(),
    })
    const headers = new Headers(await signBody(rung(), secrets.acme))
    const request = { method: 'POST', provider: 'doorbell', headers, readBody: () => Promise.resolve() }
    expect(await gateway.handle(request)).toMatchObject({ status: 404 })
  })
})

describe('delivery without an endpoint', () => {
  // The ids and keys of stored data must keep their meaning.
  it('has the same ids and keys with endpoints as without', async () => {
    const named = rung('7')
    const quarantined = encodeBody({ kind: 'broken', id: '8' })
    for (const options of [{}, { endpoints: createEndpoints().source }]) {
      const { deliver, recorded } = openGateway(options)
      await deliver({ body: named })
      await deliver({ body: quarantined })
      const [first, second] = recorded.map(({ record }) => record)
      expect(first?.events[0]?.event).toEqual({
        id: 'doorbell:bell.rung:7',
        name: 'doorbell/bell.rung',
        subject: 'front',
        ts: Date.UTC(2026, 0),
        data: { door: 'front' },
        source: { provider: 'doorbell', deliveryId: first?.id, receivedAt: Date.UTC(2026, 0) },
      })
      expect(second?.quarantine?.key).toBe(
        'doorbell:sha256:7f34136055024c8290c05fb849ae2c599479f252716870ebfa0a078b2a9cc087',
      )
      expect(first?.endpoint).toBeUndefined()
    }
  })
})

describe('endpoints', () => {
  const place = fc.constantFrom(undefined, 'acme', 'other')
  const getSecret = { acme: secrets.acme, other: secrets.other, none: 'a secret of the doorbell' }
  const body = fc.oneof(
    fc.record({
      kind: fc.constant('rung'),
      id: fc.constantFrom('1', '2', 'other:bell.rung:1'),
      door: fc.constant('a'),
    }),
    fc.record({ kind: fc.constant('broken'), id: fc.constantFrom('1', '2') }),
  )
  const delivery = fc.record({ endpoint: place, signer: place, body })

  it('do not influence each other: each endpoint answers as if it were alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(delivery, { maxLength: 24 }), async (deliveries) => {
        const start = () => {
          const inbox = createMemoryInbox()
          return {
            inbox,
            replayer: createReplayer({ inbox, providers: [doorbell] }),
            ...openGateway({
              inbox,
              endpoints: createEndpoints().source,
              limiter: createMemoryFailureLimiter({ failures: 1000 }),
            }),
          }
        }
        const shared = start()
        const alone = { acme: start(), other: start(), none: start() }
        for (const { endpoint, signer, body } of deliveries) {
          const sent = {
            ...(endpoint !== undefined && { endpoint }),
            secret: getSecret[signer ?? 'none'],
            body: encodeBody(body),
          }
          const answer = await shared.deliver(sent)
          expect(answer).toEqual(await alone[endpoint ?? 'none'].deliver(sent))
          expect(answer.status).toBe(signer === endpoint ? 200 : 401)
        }
        for (const endpoint of ['acme', 'other'] as const) {
          const count = async (inbox: typeof shared.inbox) => ({
            all: await inbox.countDeliveries({ endpoint }),
            quarantined: await inbox.countDeliveries({ endpoint, status: 'quarantined' }),
          })
          expect(await count(shared.inbox)).toEqual(await count(alone[endpoint].inbox))
          const others = await shared.inbox.countDeliveries({})
          const replay = async ({ replayer }: typeof shared) =>
            (await replayer.replay({ filter: { endpoint }, limit: 100 })).deliveries.map(
              ({ outcome, events }) => ({ outcome, events }),
            )
          expect(await replay(shared)).toEqual(await replay(alone[endpoint]))
          expect(await shared.inbox.countDeliveries({})).toBe(others)
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('limits per endpoint', () => {
  it('blocks the failures of an address at one endpoint only', async () => {
    const { deliver } = openGateway({
      endpoints: createEndpoints().source,
      limiter: createMemoryFailureLimiter({ failures: 2 }),
    })
    for (let count = 0; count < 3; count++) await deliver({ endpoint: 'acme', secret: secrets.other })
    expect(await deliver({ endpoint: 'acme', secret: secrets.acme })).toMatchObject({ status: 429 })
    expect(await deliver({ endpoint: 'other', secret: secrets.other })).toMatchObject({ said: 'accepted' })
    expect(await deliver()).toMatchObject({ said: 'accepted' })
    const elsewhere = { endpoint: 'acme', secret: secrets.acme, address: '198.51.100.1' }
    expect(await deliver(elsewhere)).toMatchObject({ said: 'accepted' })
  })

  it('counts the failures of an IPv6 client by its /64', async () => {
    const { deliver } = openGateway({
      endpoints: createEndpoints().source,
      limiter: createMemoryFailureLimiter({ failures: 2 }),
    })
    for (const host of ['1', '2'])
      await deliver({ endpoint: 'acme', secret: secrets.other, address: `2001:db8::${host}` })
    const sent = { endpoint: 'acme', secret: secrets.acme }
    expect(await deliver({ ...sent, address: '2001:db8::3' })).toMatchObject({ status: 429 })
    expect(await deliver({ ...sent, address: '2001:db8:0:1::3' })).toMatchObject({ said: 'accepted' })
  })

  it('limits the verified deliveries of an endpoint, and not those of another', async () => {
    const { deliver, send } = openGateway({
      endpoints: createEndpoints().source,
      endpointLimiter: createMemoryFailureLimiter({ failures: 2 }),
    })
    for (let count = 0; count < 2; count++)
      expect(await deliver({ endpoint: 'acme', secret: secrets.acme })).toMatchObject({ status: 200 })
    expect(await deliver({ endpoint: 'acme', secret: secrets.acme })).toMatchObject({
      status: 429,
      said: 'RATE_LIMITED',
      headers: { 'Retry-After': '60' },
    })
    for (let count = 0; count < 3; count++) await send({ endpoint: 'other' })
    expect(await deliver({ endpoint: 'other', secret: secrets.other })).toMatchObject({ said: 'accepted' })
    expect(await deliver()).toMatchObject({ said: 'accepted' })
  })

  it('gives each endpoint a share of the bytes in flight, whatever its addresses', async () => {
    const { send, deliver } = openGateway({
      endpoints: createEndpoints().source,
      limits: { bytesInFlight: 100_000, bytesInFlightPerAddress: 40_000 },
    })
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const hold = (address: string) =>
      send({
        endpoint: 'acme',
        address,
        readBody: async (sink) => {
          sink.push(new Uint8Array(15_000))
          await held
        },
      })
    const pending = [hold('192.0.2.1'), hold('198.51.100.1'), hold('203.0.113.1')]
    expect(await pending[2]).toMatchObject({ status: 503, said: 'OVERLOADED' })
    const sent = { endpoint: 'other', secret: secrets.other, address: client }
    expect(await deliver(sent)).toMatchObject({ said: 'accepted' })
    release()
    await Promise.all(pending)
  })
})

describe('handshake that establishes a secret', () => {
  const asana = {
    ...doorbell,
    handshake: echoHandshake({
      from: { header: 'x-hook-secret' },
      as: { header: 'x-hook-secret' },
      establishesSecret: true,
    }),
  }
  const challenge = (secret: string) => ({
    endpoint: 'new',
    headers: { 'x-hook-secret': secret },
    body: new Uint8Array(),
  })

  async function start(provider: typeof asana = asana) {
    const store = createMemoryEndpointStore()
    const clock = { now: receivedAt }
    const established: unknown[] = []
    const endpoints = createStoredEndpoints({
      ...{ store, cipher: createSecretCipher([new Uint8Array(32)]), now: () => clock.now },
      onHandshake: (one) => established.push(one),
    })
    await endpoints.create({ id: 'new', provider: 'doorbell', name: 'New', awaitsHandshake: true })
    return { store, endpoints, clock, established, ...openGateway({ providers: [provider], endpoints }) }
  }

  it('stores the secret, and deliveries verify with the secret', async () => {
    const { send, deliver } = await start()
    expect(await deliver({ endpoint: 'new', secret: 'established' })).toMatchObject({ status: 401 })
    expect(await send(challenge('established'))).toMatchObject({
      status: 200,
      headers: { 'x-hook-secret': 'established' },
    })
    expect(await deliver({ endpoint: 'new', secret: 'established' })).toMatchObject({ said: 'accepted' })
  })

  it('lets an operator read the secret once, if the service asks for it', async () => {
    const json = (value: object) => ({ endpoint: 'new', body: Buffer.from(JSON.stringify(value)) })
    const { send, endpoints } = await start({
      ...doorbell,
      handshake: secretHandshake({ json: 'token', kind: 'type' }),
    })
    expect(await send(json({ token: 'posted' }))).toMatchObject({ status: 200 })
    expect(await endpoints.takeSecret('new')).toMatchObject({ secret: 'posted' })
    expect(await send(json({ token: 'posted' }))).toMatchObject({ status: 200 })
    expect(await endpoints.takeSecret('new')).toBeUndefined()

    const echoing = await start()
    await echoing.send(challenge('established'))
    expect(await echoing.endpoints.takeSecret('new')).toBeUndefined()
  })

  it('is answered again for the same secret, and refused for another', async () => {
    const { send, deliver } = await start()
    await send(challenge('established'))
    expect(await send(challenge('established'))).toMatchObject({ status: 200 })
    expect(await send(challenge('forged'))).toMatchObject({ status: 401, said: 'INVALID_SIGNATURE' })
    expect(await deliver({ endpoint: 'new', secret: 'forged' })).toMatchObject({ status: 401 })
    expect(await deliver({ endpoint: 'new', secret: 'established' })).toMatchObject({ said: 'accepted' })
  })

  // Regression: after the secret was removed, the handshake of anyone established another secret.
  it('is refused after the secret was removed, until an operator starts another one', async () => {
    const { send, endpoints } = await start()
    await send(challenge('established'))
    const [secret] = (await endpoints.get('new'))?.secrets ?? []
    await endpoints.removeSecret('new', secret?.id ?? '')
    expect(await send(challenge('forged'))).toMatchObject({ status: 401, said: 'INVALID_SIGNATURE' })
    await endpoints.startHandshake('new')
    expect(await send(challenge('again'))).toMatchObject({ status: 200 })
  })

  it('is refused by an endpoint that does not wait for it', async () => {
    const { send, endpoints } = await start()
    await endpoints.create({ id: 'other', provider: 'doorbell', name: 'Other' })
    expect(await send({ ...challenge('forged'), endpoint: 'other' })).toMatchObject({ status: 401 })
    const [, added] = [await endpoints.addSecret('new', 'by hand'), await endpoints.get('new')]
    expect(added?.handshakeUntil).toBeUndefined()
  })

  it('is refused after the wait', async () => {
    const { send, clock } = await start()
    clock.now += 3_600_000
    expect(await send(challenge('late'))).toMatchObject({ status: 401 })
    clock.now -= 1
    expect(await send(challenge('timely'))).toMatchObject({ status: 200 })
  })

  it('is reported once', async () => {
    const { send, established } = await start()
    for (const secret of ['established', 'established', 'forged']) await send(challenge(secret))
    expect(established).toEqual([
      { id: 'new', provider: 'doorbell', secretId: expect.stringMatching(/^\w{22}$/) as string },
    ])
  })

  it('cannot be started for an endpoint with a secret', async () => {
    const { send, endpoints } = await start()
    await send(challenge('established'))
    await expect(endpoints.startHandshake('new')).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await endpoints.startHandshake('unknown')).toBeUndefined()
  })

  it('establishes one of several concurrent secrets', async () => {
    const { send } = await start()
    const answers = await Promise.all(['a', 'b', 'c'].map((secret) => send(challenge(secret))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  })

  it('is answered 503 while the secret cannot be stored', async () => {
    const { store, send, endpoints } = await start()
    await endpoints.find('new')
    store.replace = () => Promise.reject(new Error('unavailable'))
    expect(await send(challenge('lost'))).toMatchObject({ status: 503, said: 'PROVIDER_UNAVAILABLE' })
    expect(await endpoints.find('new')).toMatchObject({ secrets: [] })
  })

  it('stores nothing at the address without an endpoint', async () => {
    const { send, deliver } = await start()
    expect(await send({ headers: { 'x-hook-secret': 'forged' } })).toMatchObject({ status: 200 })
    expect(await deliver({ secret: 'forged' })).toMatchObject({ status: 401 })
  })
})

describe('delivery while the store of endpoints is unavailable', () => {
  it('is answered 503 for each endpoint, known or not, and never 404', async () => {
    const store = createMemoryEndpointStore()
    const cipher = createSecretCipher([new Uint8Array(32)])
    const clock = { now: 0 }
    const endpoints = createStoredEndpoints({ store, cipher, monotonicNow: () => clock.now })
    await endpoints.create({ id: 'acme', provider: 'doorbell', name: 'Acme', secret: secrets.acme })
    const { deliver, recorded } = openGateway({ endpoints })
    const available = { ...store }
    const breakStore = () => {
      store.get = () => Promise.reject(new Error('unavailable'))
      store.changes = () => Promise.reject(new Error('unavailable'))
    }
    breakStore()
    for (const endpoint of ['acme', 'other']) {
      const { status, headers } = await deliver({ endpoint, secret: secrets.acme })
      expect([status, Object.keys(headers)]).toEqual([503, expect.arrayContaining(['Retry-After'])])
    }
    Object.assign(store, available)
    expect(await deliver({ endpoint: 'acme', secret: secrets.acme })).toMatchObject({ said: 'accepted' })
    breakStore()
    clock.now = 1999
    expect(await deliver({ endpoint: 'acme', secret: secrets.acme })).toMatchObject({ said: 'duplicate' })
    clock.now = 2000
    expect(await deliver({ endpoint: 'acme', secret: secrets.acme })).toMatchObject({ status: 503 })
    expect(recorded).toHaveLength(2)
  })
})

describe.each(Object.entries(hosts))('endpoints on %s', (_, openHost) => {
  const start = createOpener(openHost)

  it('accept their own secret only, and each has its own event for the same body', async () => {
    const send = await start({
      providers: [doorbell],
      endpoints: createEndpoints().source,
      limiter: createMemoryFailureLimiter({ failures: 1_000_000 }),
      inbox: createMemoryInbox(),
    })
    const place = fc.constantFrom('acme', 'other')
    const expected = new Map<string, string>()
    await fc.assert(
      fc.asyncProperty(place, place, fc.nat({ max: 5 }), async (endpoint, signer, id) => {
        const body = rung(String(id))
        const headers = Object.entries(await signBody(body, secrets[signer]))
        const { status, text } = await send({ path: `/webhooks/doorbell/${endpoint}`, headers, body })
        if (endpoint !== signer) {
          expect([status, text]).toEqual([401, expect.stringContaining('INVALID_SIGNATURE')])
          return
        }
        const event = `doorbell@${endpoint}:bell.rung:${id}`
        const outcome = expected.get(event) ?? 'accepted'
        expected.set(event, 'duplicate')
        expect(JSON.parse(text)).toMatchObject({ data: { status: outcome, events: [{ id: event }] } })
      }),
      { numRuns: 60 },
    )
  })
})

describe.each(Object.entries(hosts))('path of an endpoint on %s', (_, openHost) => {
  const start = createOpener(openHost)
  const options = { providers: [doorbell], endpoints: createEndpoints().source }

  it('reaches the endpoint', async () => {
    const send = await start(options)
    const headers = Object.entries(await signBody(rung(), secrets.acme))
    const { status, text } = await send({ path: '/webhooks/doorbell/acme', headers, body: rung() })
    expect([status, text]).toEqual([200, expect.stringContaining('doorbell@acme:bell.rung:1')])
  })

  it.each([
    ['/webhooks/doorbell/', 'NOT_FOUND'],
    ['/webhooks//acme', 'NOT_FOUND'],
    ['/webhooks/doorbell/acme/', 'NOT_FOUND'],
    ['/webhooks/doorbell/acme/more', 'NOT_FOUND'],
    ['/webhooks/doorbell/..%2Facme', 'UNKNOWN_ENDPOINT'],
    ['/webhooks/doorbell%2Facme', 'UNKNOWN_PROVIDER'],
    ['/webhooks/doorbell/acme%2F', 'UNKNOWN_ENDPOINT'],
    ['/webhooks/doorbell/acme%00', 'BAD_REQUEST'],
    ['/webhooks/doorbell/%FF', 'BAD_REQUEST'],
    ['/webhooks/doorbell/%C3%A4', 'UNKNOWN_ENDPOINT'],
    ['/webhooks/doorbell/ACME', 'UNKNOWN_ENDPOINT'],
  ])('answers %s with %s', async (path, code) => {
    const send = await start(options)
    const { text } = await send({ path, body: toBytes('{}') })
    expect(text).toContain(`"code":"${code}"`)
  })
})

describe('endpoint id', () => {
  it('has 22 letters and digits', () => {
    const ids = new Set(Array.from({ length: 1000 }, createEndpointId))
    expect(ids.size).toBe(1000)
    for (const id of ids) expect(id).toMatch(/^[0-9A-Za-z]{22}$/)
    expect([...ids].every(isEndpointId)).toBe(true)
  })

  it('uses each character equally often', () => {
    const counts = new Map<string, number>()
    for (const character of Array.from({ length: 5000 }, createEndpointId).join(''))
      counts.set(character, (counts.get(character) ?? 0) + 1)
    expect(counts.size).toBe(62)
    const mean = (5000 * 22) / 62
    for (const count of counts.values()) expect(Math.abs(count - mean)).toBeLessThan(mean * 0.2)
  })
})
