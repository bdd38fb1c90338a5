import { createFetchHandler } from '@sallyport/rest/fetch'
import {
  createGateway,
  createReplayer,
  defineProvider,
  hmac,
  createMemoryInbox,
  signDelivery,
  staticSecrets,
} from '@sallyport/webhooks'
import { createFetchHandler as createGatewayHandler } from '@sallyport/webhooks/fetch'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { authorize, secrets, settleAll } from '../../test/operations.ts'
import { createOperations } from '../operations.ts'

const secret = 'a secret of the doorbell'
const doorbell = defineProvider({
  name: 'doorbell',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
  events: { 'bell.rung': z.object({ door: z.string() }) },
  normalize({ payload }) {
    const { id, door } = payload as { id: string; door: string }
    return { kind: 'bell.rung', key: [id], subject: 'house', data: { door } }
  },
})
const unknownId = '01890a5d-ac96-774b-bcce-b302099a8057'

interface Delivery {
  readonly id: string
  readonly status: string
  readonly body_state: string
  readonly headers: Readonly<Record<string, string>>
  readonly events: readonly { readonly id: string }[]
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly data: Delivery & { readonly note: string | null }
  readonly list: readonly Delivery[]
  readonly meta: { readonly nextCursor: string; readonly hasMore: boolean }
  readonly error: { readonly code: string; readonly details?: readonly { readonly field: string }[] }
  readonly fields: readonly string[]
}

function open() {
  const inbox = createMemoryInbox()
  const providers = [doorbell]
  const gateway = createGateway({ providers, inbox, secrets: staticSecrets({ doorbell: [secret] }) })
  const receive = createGatewayHandler(gateway)
  const operations = { inbox, secrets, replayer: createReplayer({ inbox, providers }) }
  const fetch = createFetchHandler(createOperations({ operations }, { authorize }))

  async function call(method: string, path: string, json?: unknown, headers = {}): Promise<Answer> {
    const response = await fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: 'Bearer all', 'content-type': 'application/json', ...headers },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      }),
    )
    const text = await response.text()
    const body = JSON.parse(text || '{}') as Answer
    const list = Array.isArray(body.data) ? (body.data as Answer['list']) : []
    const fields = (body.error as Answer['error'] | undefined)?.details?.map(({ field }) => field) ?? []
    return { ...body, status: response.status, headers: response.headers, text, list, fields }
  }

  async function deliver(content: object): Promise<string> {
    const bytes = new TextEncoder().encode(JSON.stringify(content))
    const sent = { method: 'POST', headers: new Headers(), body: bytes }
    const { headers, body } = await signDelivery(doorbell.signature, sent, secret, Date.now())
    const url = 'http://localhost/webhooks/doorbell'
    const request = new Request(url, { method: 'POST', headers, body: new Uint8Array(body) })
    request.headers.set('x-door', 'front')
    expect((await receive(request)).status).toBe(200)
    const [newest] = (await call('GET', '/deliveries?limit=1')).list
    return newest!.id
  }
  let rings = 0
  return {
    call,
    /** A delivery whose event is published. */
    publish: async (door = 'front') => {
      const id = await deliver({ id: String(++rings), door })
      await settleAll(inbox, 'done')
      return id
    },
    /** A delivery whose data the schema rejects. */
    quarantine: () => deliver({ id: String(++rings), door: 7 }),
    settle: () => settleAll(inbox, 'done'),
    readEvents: async () => (await call('GET', '/events?limit=100&cursor=')).list.map(({ id }) => id),
  }
}

describe('the list of deliveries', () => {
  it('shows the status of each delivery, newest first', async () => {
    const { call, publish, quarantine } = open()
    const [published, quarantined] = [await publish(), await quarantine()]
    const answer = await call('GET', '/deliveries')
    expect(answer.meta).toEqual({ page: 1, limit: 20, total: 2, totalPages: 1 })
    expect(answer.list).toMatchObject([
      {
        ...{ id: quarantined, provider: 'doorbell', status: 'quarantined', reason: 'NORMALIZER_FAILED' },
        ...{ body_state: 'stored', event_counts: { pending: 0, queued: 0, published: 0, dead: 0 } },
      },
      {
        ...{
          id: published,
          status: 'published',
          reason: null,
          body_bytes: '{"id":"1","door":"front"}'.length,
        },
        event_counts: { pending: 0, queued: 0, published: 1, dead: 0 },
      },
    ])
    const condition = { 'if-none-match': answer.headers.get('etag') ?? '' }
    expect((await call('GET', '/deliveries', undefined, condition)).status).toBe(304)
  })

  it('is filtered, sorted and paginated', async () => {
    const { call, publish, quarantine } = open()
    const [published, quarantined] = [await publish(), await quarantine()]
    const ids = async (query: string) => (await call('GET', `/deliveries?${query}`)).list.map(({ id }) => id)
    expect(await ids('status=quarantined')).toEqual([quarantined])
    expect(await ids('status=dead')).toEqual([])
    expect(await ids('provider=doorbell&sort=created_at')).toEqual([published, quarantined])
    expect(await ids('provider=deploy')).toEqual([])
    expect(await ids('receivedAfter=2099-01-01')).toEqual([])
    expect(await ids('receivedAfter=2001-01-01')).toHaveLength(2)
    expect(await ids('limit=1&page=2')).toEqual([published])
    expect((await call('GET', '/deliveries?fields=id,status&limit=1')).list).toEqual([
      { id: quarantined, status: 'quarantined' },
    ])
    const refused = await call('GET', '/deliveries?status=lost&sort=provider&page=0')
    expect([...refused.fields].sort()).toEqual(['page', 'sort', 'status'])
  })

  it('is read by cursors in both directions', async () => {
    const { call, publish } = open()
    const all = [await publish(), await publish()]
    for (const [sort, expected] of [
      ['created_at', all],
      ['-created_at', all.toReversed()],
    ] as const) {
      const first = await call('GET', `/deliveries?sort=${sort}&limit=1&cursor=`)
      const second = await call('GET', `/deliveries?sort=${sort}&limit=1&cursor=${first.meta.nextCursor}`)
      expect([first, second].flatMap(({ list }) => list.map(({ id }) => id))).toEqual(expected)
      expect(second.meta.hasMore).toBe(false)
      const follow = (answer: Answer, rel: string) =>
        call('GET', new RegExp(`<([^>]+)>; rel="${rel}"`).exec(answer.headers.get('link') ?? '')?.[1] ?? '')
      expect((await follow(second, 'prev')).list).toEqual(first.list)
      expect((await follow(first, 'last')).list).toEqual(second.list)
    }
  })
})

it('a delivery shows its body and its events, and no signature or secret', async () => {
  const { call, publish, quarantine } = open()
  const [published, quarantined] = [await publish(), await quarantine()]
  const shown = await call('GET', `/deliveries/${published}`)
  expect(shown.data).toMatchObject({
    ...{ id: published, status: 'published', body: { encoding: 'utf-8', data: '{"id":"1","door":"front"}' } },
    headers: { 'x-doorbell-signature': '[redacted]', 'x-door': 'front' },
    events: [
      { name: 'doorbell/bell.rung', subject: 'house', route: 'direct', state: 'published', attempts: 1 },
    ],
  })
  expect((await call('GET', `/deliveries/${quarantined}`)).data).toMatchObject({
    ...{ reason: 'NORMALIZER_FAILED', reason_detail: expect.stringContaining(' invalid_type') as string },
    events: [],
  })
  const texts = [shown, await call('GET', '/deliveries'), await call('GET', '/events')].map(
    ({ text }) => text,
  )
  for (const text of texts) expect(text).not.toMatch(new RegExp(`${secret}|[0-9a-f]{64}`))
})

describe('a replay', () => {
  const replay = (api: ReturnType<typeof open>, id: string, json?: unknown, headers = {}) =>
    api.call('POST', `/deliveries/${id}/replays`, json, headers)

  it('of published events does not duplicate them, and says how to publish them again', async () => {
    const api = open()
    const id = await api.publish()
    const before = await api.readEvents()
    const { status, data } = await replay(api, id)
    expect([status, data]).toMatchObject([
      202,
      { delivery_id: id, outcome: 'replayed', reason: null, events: before, republished: 1 },
    ])
    expect(data.note).toContain('"as_new": true')
    await api.settle()
    expect(await api.readEvents()).toEqual(before)
  })

  it('as new publishes under new ids, once for one Idempotency-Key', async () => {
    const api = open()
    const id = await api.publish()
    const before = await api.readEvents()
    const ask = () => replay(api, id, { as_new: true }, { 'idempotency-key': 'one-replay' })
    const answers = [await ask(), await ask()]
    const [fresh] = answers[0]!.data.events as unknown as readonly string[]
    expect(fresh).toMatch(/^doorbell:replay:/)
    expect(answers[1]).toMatchObject({ status: 202, data: { events: [fresh], republished: 0, note: null } })
    await api.settle()
    expect(await api.readEvents()).toEqual([...before, fresh])
  })

  it('of a quarantined delivery leaves it in quarantine while it cannot be normalized', async () => {
    const api = open()
    const id = await api.quarantine()
    expect(await replay(api, id, {})).toMatchObject({
      ...{ status: 202, data: { outcome: 'quarantined', reason: 'NORMALIZER_FAILED', events: [] } },
    })
    expect((await api.call('GET', `/deliveries/${id}`)).data.status).toBe('quarantined')
  })

  it('has a valid body and an existing delivery', async () => {
    const api = open()
    const id = await api.publish()
    for (const json of [{ as_new: 'yes' }, { as_new: null }, { force: true }, []])
      expect((await replay(api, id, json)).error.code).toBe('VALIDATION_ERROR')
    expect((await replay(api, unknownId)).error.code).toBe('NOT_FOUND')
    expect((await replay(api, 'me')).error.code).toBe('VALIDATION_ERROR')
  })

  it('of all that match reports its counts', async () => {
    const api = open()
    await api.publish()
    await api.quarantine()
    const replayAll = (json: object) => api.call('POST', '/replays', json)
    expect(await replayAll({ status: 'quarantined', provider: 'doorbell' })).toMatchObject({
      status: 202,
      data: { deliveries: 1, quarantined: 1, replayed: 0, unchanged: 0, erased: 0, events: 0, next: null },
    })
    expect(await replayAll({ received_after: '2099-01-01T00:00:00Z' })).toMatchObject({
      data: { deliveries: 0 },
    })
    const everything = await replayAll({ all: true, received_before: '2099-01-01T00:00:00+01:00' })
    expect(everything).toMatchObject({ data: { deliveries: 2, replayed: 1, republished: 1 } })
    expect(everything.data.note).toContain('"as_new": true')
  })

  // Regression: the criteria were checked when all else was valid.
  it('of all that match requires a criterion', async () => {
    const { call } = open()
    const problems = async (json: unknown, headers = {}) =>
      (await call('POST', '/replays', json, headers)).fields
    for (const json of [{}, { as_new: true }, { all: false }]) expect(await problems(json)).toEqual(['all'])
    expect(await problems({ status: 'any' })).toEqual(['status'])
    expect(await problems({ received_after: '2026' })).toEqual(['received_after'])
    expect(await problems({ all: true, cursor: 'forged' })).toEqual(['cursor'])
    expect(await problems({ status: 'x', colour: 1 })).toEqual(['status', 'colour'])
    for (const json of [[], 'text', null]) expect(await problems(json)).toEqual([''])
    const all = await problems({ cursor: 123, statuss: 'x' }, { 'idempotency-key': 'a b' })
    expect([...all].sort()).toEqual(['Idempotency-Key', 'all', 'cursor', 'statuss'])
  })
})

describe('the data of an event', () => {
  const query = (event: string) => new URLSearchParams({ event }).toString()

  it('is its JSON without an envelope, until the delivery is erased', async () => {
    const { call, publish } = open()
    const id = await publish('🔔'.repeat(10))
    const [event] = (await call('GET', `/deliveries/${id}`)).data.events
    const path = `/deliveries/${id}/data?${query(event!.id)}`
    const answer = await call('GET', path)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(JSON.parse(answer.text)).toEqual({ door: '🔔'.repeat(10) })
    await call('DELETE', `/deliveries/${id}/body`)
    const message = 'The data of this event was erased'
    expect((await call('GET', path)).error).toMatchObject({ code: 'NOT_FOUND', message })
  })

  it('is not found for another delivery or event', async () => {
    const { call, publish } = open()
    const [one, two] = [await publish(), await publish()]
    const [event] = (await call('GET', `/deliveries/${two}`)).data.events
    for (const [delivery, id] of [
      [unknownId, event!.id],
      [one, 'doorbell:unknown'],
      [one, event!.id],
    ] as const)
      expect((await call('GET', `/deliveries/${delivery}/data?${query(id)}`)).error.code).toBe('NOT_FOUND')
    expect((await call('GET', `/deliveries/${one}/data`)).fields).toEqual(['event'])
  })
})

describe('the erasure of a body', () => {
  it('keeps ids and names, and removes the content', async () => {
    const { call, publish } = open()
    const id = await publish()
    const [event] = (await call('GET', `/deliveries/${id}`)).data.events
    const erase = () => call('DELETE', `/deliveries/${id}/body`)
    expect(await erase()).toMatchObject({ status: 204, text: '' })
    expect((await call('GET', `/deliveries/${id}`)).data).toMatchObject({
      ...{ body_state: 'erased', body: null, headers: {} },
      events: [{ id: event!.id, name: 'doorbell/bell.rung', subject: '' }],
    })
    expect((await call('GET', '/events')).list).toMatchObject([
      { id: event!.id, delivery_id: id, data: null },
    ])
    expect((await erase()).status).toBe(204)
    expect((await call('POST', `/deliveries/${id}/replays`)).error.code).toBe('CONFLICT')
  })

  // Regression: If-Match was ignored.
  it('fails when the delivery has changed since the ETag was read', async () => {
    const { call, publish } = open()
    const id = await publish()
    const erase = (tag: string, delivery = id) =>
      call('DELETE', `/deliveries/${delivery}/body`, undefined, { 'if-match': tag })
    expect((await erase('"stale"')).error.code).toBe('PRECONDITION_FAILED')
    expect((await erase('"stale"', unknownId)).error.code).toBe('NOT_FOUND')
    const seen = await call('GET', `/deliveries/${id}`)
    expect(seen.data.body_state).toBe('stored')
    expect((await erase(seen.headers.get('etag') ?? '')).status).toBe(204)
  })

  it('of a quarantined delivery ends the quarantine', async () => {
    const { call, quarantine } = open()
    const id = await quarantine()
    expect((await call('DELETE', `/deliveries/${id}/body`)).status).toBe(204)
    expect((await call('POST', `/deliveries/${id}/replays`)).error.code).toBe('CONFLICT')
    expect((await call('DELETE', `/deliveries/${unknownId}/body`)).error.code).toBe('NOT_FOUND')
  })
})
