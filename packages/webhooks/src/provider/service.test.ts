import { describe, expect, it, vi } from 'vitest'
import {
  createGateway,
  defineProvider,
  defineService,
  hmac,
  parseFormJson,
  sharedToken,
  standardWebhooks,
  staticSecrets,
  type AnyProvider,
  type WebhookEvent,
} from '../index.ts'
import type { ServiceOptions } from './service.ts'
import { toKind } from '@sallyport/internal/kind'
import type { GatewayOptions } from '../gateway/gateway.ts'
import { encodeSampleBody } from '../testing/index.ts'
import { toTime } from './values.ts'

const signature = hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-bell-signature' })
const secret = 'the secret of the bell'
const now = Date.UTC(2026, 0)

const bell = (options: Partial<ServiceOptions<'bell'>> = {}) =>
  defineService({ name: 'bell', signature, kind: 'type', ...options })

/** Sends a signed body. Returns the response and the events, which are empty for a quarantined delivery. */
async function send(
  provider: AnyProvider,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  options: Partial<GatewayOptions> = {},
) {
  const bytes = encodeSampleBody(body)
  const events: WebhookEvent[] = []
  const kinds: (string | undefined)[] = []
  const gateway = createGateway({
    providers: [provider],
    secrets: staticSecrets({ [provider.name]: [secret] }),
    now: () => now,
    observe: ({ kind }) => kinds.push(kind),
    publisher: {
      publish: (batch) => {
        events.push(...batch)
        return Promise.resolve(batch.map(() => ({ ok: true as const })))
      },
    },
    ...options,
  } as GatewayOptions)
  const delivery = { method: 'POST', headers: new Headers(headers), body: bytes }
  const signed = await provider.signature.sign(delivery, secret, now)
  const response = await gateway.handle({
    method: 'POST',
    provider: provider.name,
    headers: new Headers({ ...headers, ...signed }),
    readBody: (sink) => {
      sink.push(bytes)
      return Promise.resolve()
    },
  })
  return { ...response, events, kind: kinds[0] }
}

const getIds = async (...delivery: Parameters<typeof send>) =>
  (await send(...delivery)).events.map(({ id }) => id)

describe('the kind', () => {
  it.each([
    ['orders/create', 'orders.create'],
    ['item:added', 'item.added'],
    ['PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.CAPTURE.COMPLETED'],
    ['v2.core.account[customer].updated', 'v2.core.account.customer.updated'],
    ['User Signed Up!', 'User.Signed.Up'],
    ['push', 'push'],
  ])('of %j is %j', (name, kind) => {
    expect(toKind(name)).toBe(kind)
  })

  it('joins its parts and omits a missing one', async () => {
    const provider = bell({ kind: ['type', 'action'] })
    expect((await send(provider, { type: 'ring', action: 'done' })).events[0]?.name).toBe('bell/ring.done')
    expect((await send(provider, { type: 'ring', action: '' })).events[0]?.name).toBe('bell/ring')
  })

  // Regression: verified events whose kind a declaration did not foresee were quarantined.
  it.each([{}, { type: '' }, { type: '///' }, { type: null }, { type: 'x'.repeat(129) }, [], 'ring', null])(
    'of %j is unknown, and the event has the payload',
    async (body) => {
      const { events } = await send(bell(), JSON.stringify(body))
      expect(events).toMatchObject([{ name: 'bell/unknown', subject: 'unknown', data: body }])
      expect(events[0]?.id).toMatch(/^bell:sha256:[0-9a-f]{64}:\*$/)
    },
  )

  it('of a header that does not agree with the body is unknown and no part of the id', async () => {
    const provider = bell({
      kind: { header: 'x-bell-event' },
      agrees: ({ headers, payload }) =>
        Object.hasOwn(Object(payload) as object, headers.get('x-bell-event') ?? ''),
    })
    const names = async (kind: string) => (await send(provider, { ring: 1 }, { 'x-bell-event': kind })).events
    expect(await names('ring')).toMatchObject([{ name: 'bell/ring' }])
    const [stop] = await names('stop')
    expect(stop).toMatchObject({ name: 'bell/unknown', data: { ring: 1 } })
    expect(await names('start')).toMatchObject([{ name: 'bell/unknown', id: stop?.id }])
  })
})

describe('the names of an unsigned header', () => {
  const listing = { kind: [{ header: 'x-bell-event' }, 'action'], names: ['bell/ring', 'bell/stop'] } as const
  const getId = async (name: string, body: unknown, options: Partial<ServiceOptions<'bell'>> = {}) =>
    (await send(bell({ ...listing, ...options }), body, { 'x-bell-event': name })).events[0]?.id

  it('are a part of the id where they are in the list', async () => {
    expect(await getId('bell/ring', { id: 1 })).not.toBe(await getId('bell/stop', { id: 1 }))
    expect(await getId('bell/ring', { id: 1 }, { id: 'id' })).toBe('bell:bell.ring:1')
  })

  it('are no part of the id where they are not, whether it is a key or a hash', async () => {
    expect(await getId('one', { id: 1 })).toBe(await getId('two', { id: 1 }))
    expect(await getId('one', { id: 1 })).not.toBe(await getId('one', { id: 2 }))
    expect(await getId('one', { id: 1 }, { id: 'id' })).toBe('bell:*:1')
    const two = { events: '*' }
    const { events } = await send(bell({ ...listing, ...two }), [{}, {}], { 'x-bell-event': 'one' })
    expect(new Set(events.map(({ id }) => id)).size).toBe(2)
    expect(events.map(({ name }) => name)).toEqual(['bell/one', 'bell/one'])
  })

  it.each(['bell.ring', 'bell//ring', '/bell/ring', 'one.two'])('are unknown as %s', async (name) => {
    expect((await send(bell(listing), {}, { 'x-bell-event': name })).events).toMatchObject([
      { name: 'bell/unknown' },
    ])
  })

  it('can have dots where no other part follows', async () => {
    expect(await getId('one.two', { id: 1 }, { kind: listing.kind[0], id: 'id' })).toBe('bell:*:1')
  })
})

describe('the event', () => {
  it('has the payload as its data, with its entity and its time', async () => {
    const body = { type: 'ring', id: 'r-1', door: { id: 7 }, at: 1767225600 }
    const provider = bell({ id: 'id', subject: ['door.id', 'id'], time: 'at' })
    expect((await send(provider, body)).events).toMatchObject([
      { id: 'bell:ring:r-1', name: 'bell/ring', subject: '7/r-1', ts: 1767225600000, data: body },
    ])
  })

  it('of a list begins at its element, and can read the objects that contain it', async () => {
    const provider = bell({
      events: ['entry.*.changes.*', 'entry.*.messaging.*'],
      kind: ['/object', 'field'],
      id: ['../id', 'id'],
    })
    const body = {
      object: 'page',
      entry: [
        {
          id: 'e1',
          changes: [
            { field: 'feed', id: 1 },
            { field: 'name', id: 2 },
          ],
        },
        { id: 'e2', changes: [{ field: 'feed', id: 1 }] },
      ],
    }
    expect((await send(provider, body)).events.map(({ id, data }) => [id, data])).toEqual([
      ['bell:page.feed:e1:1', { field: 'feed', id: 1 }],
      ['bell:page.name:e1:2', { field: 'name', id: 2 }],
      ['bell:page.feed:e2:1', { field: 'feed', id: 1 }],
    ])
    expect(JSON.parse((await send(provider, { object: 'page', entry: [] })).body)).toMatchObject({
      data: { status: 'ignored' },
    })
    const { events } = await send(provider, { object: 'page' })
    expect(events).toMatchObject([{ name: 'bell/page', data: { object: 'page' } }])
  })

  // Regression: an entry of another form was lost beside the others.
  it('is an element of the outer list without the lists below it', async () => {
    const provider = bell({
      events: ['entry.*.changes.*', 'entry.*.messaging.*'],
      kind: 'field',
      subject: '/object',
    })
    const changes = [{ field: 'feed' }]
    const entry = [{ changes }, { changed_fields: ['name'] }, { changes: [] }, 'text']
    const { events } = await send(provider, { object: 'page', entry })
    expect(events.map(({ name, data }) => [name, data])).toEqual([
      ['bell/feed', { field: 'feed' }],
      ['bell/unknown', { changed_fields: ['name'] }],
      ['bell/unknown', 'text'],
    ])
  })

  it('of a list is unknown where it has no kind', async () => {
    const { events } = await send(bell({ events: '*' }), [{ type: 'ring' }, {}])
    expect(events.map(({ name }) => name)).toEqual(['bell/ring', 'bell/unknown'])
  })

  it('has the time of the first source with a time', async () => {
    const provider = bell({ time: ['message.at', 'edited.at', { header: 'x-bell-time' }] })
    const time = async (body: object) => (await send(provider, { type: 'ring', ...body })).events[0]?.ts
    expect(await time({ message: { at: 'soon' }, edited: { at: 1767225601 } })).toBe(now + 1000)
    expect(await time({})).toBe(now)
  })

  it.each([
    [1767225600, now],
    ['1767225600', now],
    [1767225600000, now],
    [1767225600000000, now],
    ['2026-01-01T00:00:00Z', now],
    ['2026-01-01 00:00:00', now],
    ['2026-01-01T01:00:00+0100', now],
    ['2026-01-01', now],
    ['Thu, 01 Jan 2026 00:00:00 GMT', now],
    ['yesterday', undefined],
    [0, undefined],
    [Infinity, undefined],
    [{}, undefined],
  ])('has the time %j', (value, time) => {
    expect(toTime(value)).toBe(time)
  })
})

describe('the identity', () => {
  it('is the hash of the body when a part of the id is missing or rounded', async () => {
    const provider = bell({ id: ['id', 'at'] })
    for (const id of ['""', 'null', '9007199254740993.5', '1e16', '{}'])
      expect(await getIds(provider, `{"type":"ring","id":${id},"at":1}`)).toEqual([
        expect.stringMatching(/^bell:sha256:/),
      ])
    expect(await getIds(provider, { type: 'ring', at: 1 })).toEqual([expect.stringMatching(/^bell:sha256:/)])
  })

  // Regression: Wise sends ids of 64 bits. Handlers fetched another transfer, and each attempt was a new event.
  it.each([
    ['text', undefined, '9007199254740993'],
    ['number', 'number', 9007199254740992],
  ] as const)('has the digits of a large integer, with data as %s', async (_, largeIntegers, id) => {
    const provider = bell({
      kind: 'type',
      id: '../id',
      events: 'rings.*',
      subject: 'door',
      ...(largeIntegers && { largeIntegers }),
    })
    const ring = '{"type":"ring","door":-9007199254740995}'
    const { events } = await send(provider, `{"id":9007199254740993,"rings":[${ring}]}`)
    expect(events).toMatchObject([{ id: 'bell:ring:9007199254740993', subject: '-9007199254740995' }])
    const whole = bell({ id: 'id', ...(largeIntegers && { largeIntegers }) })
    const [event] = (await send(whole, '{"type":"ring","id":9007199254740993}')).events
    expect(event).toMatchObject({ id: 'bell:ring:9007199254740993', data: { id } })
  })

  it.each([
    ['text', undefined, '9007199254740993'],
    ['number', 'number', 9007199254740992],
  ] as const)(
    'has the digits of a large integer in a form, with data as %s',
    async (_, largeIntegers, id) => {
      const parse = parseFormJson('payload')
      const provider = bell({ id: 'id', parse, ...(largeIntegers && { largeIntegers }) })
      const payload = encodeURIComponent('{"type":"ring","id":9007199254740993}')
      const [event] = (await send(provider, `payload=${payload}`)).events
      expect(event).toMatchObject({ id: 'bell:ring:9007199254740993', data: { id } })
    },
  )

  // Dropbox, Acuity and Fitbit send equal bodies for different changes: the hash of the body would lose events.
  it('is the delivery for a service that sends equal bodies for different changes', async () => {
    const body = { type: 'changed', accounts: ['dbid:1'] }
    const send = () => getIds(bell({ distinct: true }), body)
    expect(await send()).not.toEqual(await send())
    expect(await getIds(bell(), body)).toEqual(await getIds(bell(), body))
  })

  it('is the delivery only for the events that the service names', async () => {
    const provider = bell({ distinct: (event) => !Object.hasOwn(Object(event) as object, 'at') })
    for (const [body, isSame] of [
      [{ type: 'ring' }, false],
      [{ type: 'ring', at: 1 }, true],
    ] as const) {
      const [one, two] = await Promise.all([getIds(provider, body), getIds(provider, body)])
      expect(String(one) === String(two)).toBe(isSame)
    }
  })

  // WooCommerce repeats an unsigned id of the delivery in each attempt, and sends equal bodies for different changes.
  it('of equal bodies is that of an attempt with the same id of the delivery', async () => {
    const provider = bell({ distinct: true, deliveryId: { header: 'x-bell-delivery' } })
    const at = async (id: string | undefined, body: object = { type: 'ring' }) =>
      String(await getIds(provider, body, id === undefined ? {} : { 'x-bell-delivery': id }))
    expect(await at('one')).toBe(await at('one'))
    expect(await at('one')).not.toBe(await at('two'))
    // An unsigned id cannot suppress another event.
    expect(await at('one')).not.toBe(await at('one', { type: 'ring', door: 1 }))
    expect(await at(undefined)).not.toBe(await at(undefined))
  })

  // Telnyx, Pipedrive, Intercom, LINE and Mux change a counter in the body per attempt: its hash would double events.
  it.each([
    ['without an id', {}],
    ['where its id is missing', { id: 'id' }],
  ])('omits a counter of attempts from the hash of a body %s', async (_, options) => {
    const provider = bell({ ignore: ['meta.attempt', 'isRedelivery'], ...options })
    const at = (attempt: number) => ({ type: 'ring', meta: { attempt, n: 1 }, isRedelivery: attempt > 1 })
    expect(await getIds(provider, at(1))).toEqual(await getIds(provider, at(2)))
    const other = { ...at(1), meta: { attempt: 1, n: 2 } }
    expect(await getIds(provider, other)).not.toEqual(await getIds(provider, at(1)))
  })

  // Regression: HubSpot counts the attempts in each element of a list, and names no object in a change of an association.
  it.each([
    ['events.*', (list: unknown) => ({ events: list })],
    ['*', (list: unknown) => list],
    [['none.*', 'entry.*.events.*'], (list: unknown) => ({ entry: [{ events: list }] })],
  ] as const)('omits a counter of attempts in the elements of %s', async (events, wrap) => {
    const provider = bell({ events, id: ['objectId'], ignore: ['attempt', '/sentAt'] })
    const at = (attempt: number, other = 1) =>
      getIds(
        provider,
        wrap([
          { type: 'ring', attempt },
          { type: 'stop', attempt, other },
        ]),
      )
    expect(await at(1)).toEqual(await at(2))
    expect(await at(1)).not.toEqual(await at(1, 2))
    expect(new Set(await at(1)).size).toBe(2)
  })

  it('omits a counter of attempts in a delivery without the list', async () => {
    const provider = bell({ events: 'list.*', ignore: ['attempt'] })
    const at = (attempt: number) => getIds(provider, { type: 'ring', attempt })
    expect(await at(1)).toEqual(await at(2))
  })

  // Tailscale, HubSpot and Ably send events again in another batch.
  it('is the event alone where a retry can regroup events', async () => {
    const provider = bell({ events: '*', regroups: true, ignore: ['attempt'] })
    const [one, two] = [
      { type: 'ring', door: 1 },
      { type: 'ring', door: 2 },
    ]
    const [first] = await getIds(provider, [{ ...one, attempt: 1 }])
    const again = await getIds(provider, [two, { ...one, attempt: 2 }, one])
    expect(again[1]).toBe(first)
    expect(new Set(again).size).toBe(3)
    expect(() => bell({ regroups: true })).toThrow('needs "events"')
  })

  // Regression: each event held a copy of the whole body, which ended the process.
  it('reads the content once for all events of a delivery', async () => {
    const list = Array.from({ length: 100 }, (_, door) => ({ type: 'ring', door }))
    const write = vi.spyOn(JSON, 'stringify')
    const deliveryId = { header: 'x-bell-delivery' }
    const provider = bell({ events: 'list.*', ignore: ['attempt'], distinct: true, deliveryId })
    const payload = { list }
    const delivery = {
      ...{
        payload,
        headers: new Headers({ 'x-bell-delivery': 'd' }),
        body: new Uint8Array(),
        receivedAt: now,
      },
    }
    const events = provider.normalize(delivery)
    expect(write).toHaveBeenCalledTimes(1)
    write.mockRestore()
    expect(new Set(events.map(({ content }) => content)).size).toBe(1)
  })

  it('of signed content has the id of the delivery', async () => {
    const signature = hmac({
      ...{ algorithm: 'sha256', encoding: 'hex', header: 'x-bell-signature' },
      identity: (content) => content,
    })
    const deliveryId = { header: 'x-bell-delivery' }
    const provider = bell({ signature, distinct: true, deliveryId })
    const at = (id: string) => getIds(provider, { type: 'ring' }, { 'x-bell-delivery': id })
    expect(await at('one')).toEqual(await at('one'))
    expect(await at('one')).not.toEqual(await at('two'))
    expect(() => bell({ signature, ignore: ['attempt'] })).toThrow('omit "ignore"')
  })

  it('omits a time of sending beside a list', async () => {
    const provider = bell({ events: 'list.*', ignore: ['/sent.at'] })
    const at = (at: number, list = [{ type: 'ring' }]) => getIds(provider, { sent: { at }, list })
    expect(await at(1)).toEqual(await at(2))
    expect(await at(1)).not.toEqual(await at(1, [{ type: 'stop' }]))
  })

  // HubSpot sends a list of events, each with its id and a counter of attempts.
  it('of an element of a list does not depend on the attempt', async () => {
    const provider = bell({ events: '*', kind: 'subscriptionType', id: ['eventId', 'subscriptionId'] })
    const at = (attemptNumber: number) => [
      { subscriptionType: 'contact.creation', eventId: 1, subscriptionId: 5, attemptNumber },
    ]
    expect(await getIds(provider, at(0))).toEqual(await getIds(provider, at(1)))
  })

  it('is not in an unsigned header of a signed delivery', () => {
    const id = { header: 'x-bell-delivery' }
    expect(() => bell({ id })).toThrow('is not signed and cannot be an id')
    expect(() => bell({ id, signature: sharedToken({ header: 'x-bell-token' }) })).not.toThrow()
    expect(() => bell({ id: 'id', distinct: true })).toThrow('omit "distinct"')
    expect(() => bell({ deliveryId: 'id' })).toThrow('needs "distinct"')
  })

  // Regression: only the id and the time of a scheme counted as signed.
  it('can be in a header that the content of a signature has', async () => {
    const id = { header: 'x-bell-delivery' }
    const signature = hmac({
      ...{ algorithm: 'sha256', encoding: 'hex', header: 'x-bell-signature' },
      signedHeaders: ['X-Bell-Delivery'],
      content: ({ headers, body }) => [headers.get('x-bell-delivery') ?? undefined, '.', body],
    })
    const { events } = await send(bell({ id, signature }), { type: 'ring' }, { 'x-bell-delivery': 'd1' })
    expect(events).toMatchObject([{ id: 'bell:ring:d1' }])
  })

  it('is not in a header that a scheme renames', () => {
    const signature = standardWebhooks({ prefix: 'svix' })
    expect(() => bell({ id: { header: 'svix-id' }, signature })).not.toThrow()
    expect(() => bell({ id: { header: 'webhook-id' }, signature })).toThrow('cannot be an id')
  })
})

describe('only', () => {
  const status = async (provider: AnyProvider, body: unknown) => {
    const { body: text, kind } = await send(provider, body)
    return [(JSON.parse(text) as { data: { status: string } }).data.status, kind]
  }

  it('ignores other kinds and reports them', async () => {
    const provider = defineProvider({
      ...bell({ kind: ['type', 'action'] }),
      only: ['push', 'pull_request.*'],
    })
    expect(await status(provider, { type: 'push' })).toEqual(['accepted', undefined])
    expect(await status(provider, { type: 'pull_request' })).toEqual(['accepted', undefined])
    expect(await status(provider, { type: 'pull_request', action: 'opened' })).toEqual([
      'accepted',
      undefined,
    ])
    expect(await status(provider, { type: 'push', action: 'x' })).toEqual(['ignored', 'push.x'])
    expect(await status(provider, { type: 'pull_request_review' })).toEqual([
      'ignored',
      'pull_request_review',
    ])
  })

  it('selects events of a list', async () => {
    const { events } = await send(bell({ events: '*', only: ['a'] }), [{ type: 'a' }, { type: 'b' }])
    expect(events.map(({ name }) => name)).toEqual(['bell/a'])
  })

  it('narrows a copy of a service that has queueable kinds', async () => {
    const narrowed = defineProvider({ ...bell({ events: '*', queueable: ['b'] }), only: ['a'] })
    const { events } = await send(narrowed, [{ type: 'a' }, { type: 'b' }])
    expect(events.map(({ name }) => name)).toEqual(['bell/a'])
  })

  it('rejects a malformed pattern', () => {
    expect(() => bell({ only: ['pull*'] })).toThrow('A pattern in "only"')
  })
})

describe('the answer', () => {
  it('is the one that the service requires', async () => {
    expect(await send(bell({ answer: { status: 204 } }), { type: 'a' })).toMatchObject({
      status: 204,
      headers: { 'sallyport-status': 'accepted' },
      body: '',
    })
    const answer = { status: 200, body: '<Response/>', contentType: 'text/xml' } as const
    expect(await send(bell({ answer }), { type: 'a' })).toMatchObject({
      status: 200,
      body: '<Response/>',
      headers: { 'content-type': 'text/xml' },
    })
  })
})

describe('a provider that does not sign the whole body', () => {
  const token = bell({ signature: sharedToken({ header: 'x-bell-token' }) })

  it.each([
    ['a token', token, 'proves only the sender'],
    ['a part of the body', bell({ trust: 'partial' }), 'signs only a part'],
    ['nothing', bell({ trust: 'none' }), 'proves nothing'],
  ])('is refused unless allowUnsigned names it: %s', async (_, provider, message) => {
    await expect(send(provider, { type: 'ring' })).rejects.toThrow(message)
    expect((await send(provider, { type: 'ring' }, {}, { allowUnsigned: ['bell'] })).status).toBe(200)
  })
})

describe('a service with declared kinds', () => {
  const service = bell()

  it('returns events of its normalizer with those of the service', async () => {
    const provider = defineProvider({
      ...service,
      events: { 'door.opened': anything },
      normalize: (delivery) => [
        ...service.normalize(delivery),
        { kind: 'door.opened', key: ['1'], subject: 'door', data: { door: 'front' } },
      ],
    })
    const { events } = await send(provider, { type: 'ring' })
    expect(events.map(({ name }) => name)).toEqual(['bell/ring', 'bell/door.opened'])
  })

  it('validates a kind of the service that it declares, and reads no manual test', async () => {
    const provider = defineProvider({ ...service, events: { ring: anything } })
    const body = { type: 'ring', payload: { door: 'front' } }
    expect((await send(provider, body)).events).toMatchObject([{ data: body, source: { provider: 'bell' } }])
    const strict = defineProvider({ ...service, events: { ring: nothing } })
    expect((await send(strict, body)).status).toBe(503)
  })
})

/** A schema of any value. */
const anything = {
  '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) },
}

const nothing = {
  '~standard': { version: 1 as const, vendor: 'test', validate: () => ({ issues: [{ message: 'wrong' }] }) },
}
