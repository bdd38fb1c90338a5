import examples from '@octokit/webhooks-examples' with { type: 'json' }
import { beforeAll, describe, expect, it } from 'vitest'
import { getProblems, unknownId, type RequestOptions } from './api.ts'
import { describeApi } from './describe-api.ts'

interface WorkflowRunPayload {
  readonly action: string
  readonly workflow_run: { readonly updated_at: string }
}

// The package's types describe a module without a default export, which is what JSON gives.
const completedRun = (examples as unknown as { name: string; examples: WorkflowRunPayload[] }[])
  .find(({ name }) => name === 'workflow_run')!
  .examples.find(({ action }) => action === 'completed')!

const secret = 'a secret of the code host'
/** The kind is known, and what it says cannot be read. */
const unreadable = (number: number) => ({ action: 'completed', workflow_run: { id: `no number ${number}` } })

describeApi((api) => {
  const call = (method: string, path: string, options: RequestOptions = {}) =>
    api().call(method, path, { token: api().admin.token, ...options })
  const get = (path: string) => call('GET', path)
  const replay = (id: string, json?: object) => call('POST', `/deliveries/${id}/replays`, json && { json })
  const eventIds = async () => (await get('/events?limit=100&cursor=')).list.map(({ id }) => id)
  const quarantine = async (number: number) => {
    expect((await api().deliver(unreadable(number))).status).toBe('quarantined')
    return (await get('/deliveries?limit=1')).list[0]!.id
  }

  /** One that is done with, and one that nothing could be made of. */
  let [published, quarantined] = ['', '']
  beforeAll(async () => {
    published = await api().delivery()
    quarantined = await quarantine(1)
  })

  describe('the list of deliveries', () => {
    it('shows the status of each delivery, newest first', async () => {
      const answer = await get('/deliveries')
      expect(answer.meta).toEqual({ page: 1, limit: 20, total: 2, totalPages: 1 })
      expect(answer.headers.get('link')).toContain('rel="first"')
      expect(answer.list).toMatchObject([
        {
          id: quarantined,
          provider: 'codehost',
          status: 'quarantined',
          reason: 'NORMALIZER_FAILED',
          body_state: 'stored',
          event_counts: { pending: 0, queued: 0, published: 0, dead: 0 },
        },
        {
          id: published,
          status: 'published',
          reason: null,
          body_bytes: JSON.stringify({ type: 'workflow_run.completed', payload: { number: 1 } }).length,
          event_counts: { pending: 0, queued: 0, published: 1, dead: 0 },
        },
      ])
      const tag = { 'if-none-match': answer.headers.get('etag')! }
      expect((await call('GET', '/deliveries', { headers: tag })).status).toBe(304)
    })

    it('is filtered, sorted and paginated', async () => {
      const ids = async (query: string) => (await get(`/deliveries?${query}`)).list.map(({ id }) => id)
      expect(await ids('status=quarantined')).toEqual([quarantined])
      expect(await ids('status=dead')).toEqual([])
      expect(await ids('provider=codehost&sort=created_at')).toEqual([published, quarantined])
      expect(await ids('provider=deploy')).toEqual([])
      expect(await ids('receivedAfter=2099-01-01')).toEqual([])
      expect((await ids('receivedAfter=2001-01-01')).length).toBe(2)
      expect(await ids('limit=1&page=2')).toEqual([published])
      expect((await get('/deliveries?fields=id,status&limit=1')).list).toEqual([
        { id: quarantined, status: 'quarantined' },
      ])
      const refused = await get('/deliveries?status=lost&sort=provider&page=0')
      expect(Object.keys(getProblems(refused)).sort()).toEqual(['page', 'sort', 'status'])
    })

    it('is read by cursors in both directions despite concurrent inserts', async () => {
      const all = (await get('/deliveries?sort=created_at&limit=100')).list.map(({ id }) => id)
      for (const [sort, expected] of [
        ['created_at', all],
        ['-created_at', all.toReversed()],
      ] as const) {
        const first = await get(`/deliveries?sort=${sort}&limit=1&cursor=`)
        const second = await get(`/deliveries?sort=${sort}&limit=1&cursor=${first.meta.nextCursor}`)
        expect([first, second].flatMap(({ list }) => list.map(({ id }) => id))).toEqual(expected)
        expect(second.meta['hasMore']).toBe(false)
        const back = /<\/api\/v1([^>]+)>; rel="prev"/.exec(second.headers.get('link') ?? '')?.[1]
        expect((await get(back!)).list).toEqual(first.list)
        const end = /<\/api\/v1([^>]+)>; rel="last"/.exec(first.headers.get('link') ?? '')?.[1]
        expect((await get(end!)).list).toEqual(second.list)
      }
    })
  })

  describe('a delivery', () => {
    it('shows its body, its events and their states', async () => {
      const { status, data } = await get(`/deliveries/${published}`)
      expect(status).toBe(200)
      expect(data).toMatchObject({
        id: published,
        status: 'published',
        body: { encoding: 'utf-8', data: '{"type":"workflow_run.completed","payload":{"number":1}}' },
        events: [
          {
            name: 'codehost/workflow_run.completed',
            subject: 'manual',
            route: 'direct',
            state: 'published',
            attempts: 1,
            due_at: null,
            failures: [],
            notification: { state: 'sent' },
          },
        ],
      })
      expect((await get(`/deliveries/${quarantined}`)).data).toMatchObject({
        reason: 'NORMALIZER_FAILED',
        reason_detail: expect.stringContaining(' invalid_type') as string,
        body: { data: JSON.stringify(unreadable(1)) },
        events: [],
      })
    })

    it('shows no signature, no secret and no token', async () => {
      for (const path of [`/deliveries/${published}`, '/deliveries', '/events']) {
        const { text } = await get(path)
        expect(text).not.toContain(secret)
        expect(text).not.toContain('sha256=')
      }
      const { headers } = (await get(`/deliveries/${published}`)).data as unknown as {
        headers: Record<string, string>
      }
      expect(headers).toMatchObject({ 'x-hub-signature-256': '[redacted]', 'x-github-event': 'workflow_run' })
    })
  })

  describe('the list of events', () => {
    it('has pages, oldest first', async () => {
      await api().delivery()
      const [first, second] = await eventIds()
      for (const [page, id] of [
        [1, first],
        [2, second],
      ]) {
        expect((await get(`/events?limit=1&page=${page}`)).list).toMatchObject([{ id }])
      }
    })

    it('is filtered by provider and by name', async () => {
      const all = await eventIds()
      expect(all).not.toEqual([])
      for (const [query, expected] of [
        ['provider=codehost', all],
        ['name=codehost/workflow_run.completed', all],
        ['provider=deploy', []],
        ['name=codehost/workflow_run', []],
      ] as const) {
        const page = await get(`/events?limit=100&${query}`)
        expect(page.list.map(({ id }) => id)).toEqual(expected)
        expect(page.meta['total']).toBe(expected.length)
        const cut = await get(`/events?limit=100&cursor=&${query}`)
        expect(cut.list.map(({ id }) => id)).toEqual(expected)
      }
    })
  })

  it('is for admins only', async () => {
    const { token } = await api().user()
    for (const [method, path, json] of [
      ['GET', '/deliveries'],
      ['GET', `/deliveries/${published}`],
      ['POST', `/deliveries/${published}/replays`, {}],
      ['POST', '/replays', { all: true }],
      ['DELETE', `/deliveries/${published}/body`],
      ['GET', '/events'],
    ] as const) {
      const options = json && { json }
      expect((await call(method, path, { token, ...options })).error.code, path).toBe('FORBIDDEN')
      expect((await api().call(method, path, options)).error.code, path).toBe('TOKEN_MISSING')
    }
    expect((await get(`/deliveries/${published}`)).data['body_state']).toBe('stored')
  })

  describe('a replay', () => {
    it('of published events does not duplicate them', async () => {
      const before = await eventIds()
      const answer = await replay(published)
      expect(answer).toMatchObject({
        status: 202,
        data: { delivery_id: published, outcome: 'replayed', reason: null, events: [before[0]] },
      })
      // The bus has the event: the answer names the request that publishes it under a fresh id.
      expect(answer.data['republished']).toBe(1)
      expect(answer.data['note']).toContain('"as_new": true')
      await expect.poll(async () => (await get(`/deliveries/${published}`)).data['status']).toBe('published')
      expect(await eventIds()).toEqual(before)
      expect((await get(`/deliveries/${published}`)).data['events']).toMatchObject([{ duplicate: true }])
    })

    it('as new publishes under new ids, once for one Idempotency-Key', async () => {
      const delivery = await api().delivery()
      const before = await eventIds()
      const ask = () =>
        call('POST', `/deliveries/${delivery}/replays`, {
          json: { as_new: true },
          headers: { 'idempotency-key': 'one-replay' },
        })
      const answers = [await ask(), await ask()]
      const [fresh] = answers[0]!.data['events'] as readonly string[]
      expect(fresh).toMatch(/^codehost:replay:/)
      expect(answers[1]).toMatchObject({ status: 202, data: { events: [fresh], republished: 0, note: null } })
      await expect.poll(eventIds).toEqual([...before, fresh])
    })

    it('of a quarantined delivery leaves it in quarantine while it cannot be normalized', async () => {
      expect(await replay(quarantined, {})).toMatchObject({
        status: 202,
        data: { outcome: 'quarantined', reason: 'NORMALIZER_FAILED', events: [] },
      })
      expect((await get(`/deliveries/${quarantined}`)).data['status']).toBe('quarantined')
    })

    it('rejects unknown fields', async () => {
      for (const json of [{ as_new: 'yes' }, { as_new: null }, { force: true }, []]) {
        expect((await replay(published, json)).error.code).toBe('VALIDATION_ERROR')
      }
      expect((await replay(unknownId)).error.code).toBe('NOT_FOUND')
      expect((await replay('me')).error.code).toBe('VALIDATION_ERROR')
    })
  })

  describe('a replay of all that match', () => {
    const replayAll = (json: object) => call('POST', '/replays', { json })

    it('reports its counts', async () => {
      const { token } = api().admin
      const { meta } = await api().call('GET', '/deliveries?status=quarantined', { token })
      expect(await replayAll({ status: 'quarantined', provider: 'codehost' })).toMatchObject({
        status: 202,
        data: {
          deliveries: meta['total'],
          quarantined: meta['total'],
          replayed: 0,
          unchanged: 0,
          erased: 0,
          events: 0,
          next: null,
        },
      })
      expect((await replayAll({ received_after: '2099-01-01T00:00:00Z' })).data['deliveries']).toBe(0)
      const everything = await replayAll({ all: true, received_before: '2099-01-01T00:00:00+01:00' })
      expect(everything.data['deliveries']).toBe((await get('/deliveries')).meta['total'])
      expect(Number(everything.data['replayed'])).toBeGreaterThan(0)
      expect(Number(everything.data['republished'])).toBeGreaterThan(0)
      expect(everything.data['note']).toContain('"as_new": true')
    })

    it('requires a criterion', async () => {
      for (const json of [
        {},
        { as_new: true },
        { all: false },
        { status: 'any' },
        { received_after: '2026' },
      ]) {
        expect((await replayAll(json)).error.code, JSON.stringify(json)).toBe('VALIDATION_ERROR')
      }
      expect(getProblems(await replayAll({ as_new: true }))).toHaveProperty('all')
      expect(Object.keys(getProblems(await replayAll({ all: true, cursor: 'forged' })))).toEqual(['cursor'])
    })
  })

  describe('the data of an event', () => {
    const getData = (delivery: string, event: string, options?: RequestOptions) =>
      call('GET', `/deliveries/${delivery}/data?${new URLSearchParams({ event }).toString()}`, options)

    it('is the JSON of the event, without an envelope', async () => {
      const payload = { text: '🔔'.repeat(10), deep: [null, { '': 1 }] }
      const { events } = await api().deliver({ type: 'workflow_run.completed', payload })
      const { id } = (await get('/deliveries?limit=1')).list[0]!
      const answer = await getData(id, events[0]!.id)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(JSON.parse(answer.text)).toEqual(payload)
    })

    it('is not found for an unknown delivery, an unknown event and an event of another delivery', async () => {
      const [event] = (await api().deliver({ type: 'workflow_run.completed', payload: { x: 1 } })).events
      for (const [delivery, id] of [
        [unknownId, event!.id],
        [published, 'codehost:unknown'],
        [published, event!.id],
      ] as const)
        expect((await getData(delivery, id)).error.code).toBe('NOT_FOUND')
    })

    it('is not found after an erasure', async () => {
      const delivery = await api().delivery()
      const { events } = (await get(`/deliveries/${delivery}`)).data as unknown as {
        events: { id: string }[]
      }
      const { id } = events[0]!
      expect((await getData(delivery, id)).status).toBe(200)
      await call('DELETE', `/deliveries/${delivery}/body`)
      expect((await getData(delivery, id)).error).toMatchObject({
        ...{ code: 'NOT_FOUND', message: 'The data of this event was erased' },
      })
    })

    it('is refused to users who are not admins', async () => {
      const { token } = await api().user()
      expect((await getData(published, 'a', { token })).error.code).toBe('FORBIDDEN')
    })

    it('requires the id of the event', async () => {
      expect(Object.keys(getProblems(await get(`/deliveries/${published}/data`)))).toEqual(['event'])
    })
  })

  describe('the erasure of a body', () => {
    it('keeps ids and names, and removes the content', async () => {
      const delivery = await api().delivery()
      const [event] = (await get(`/deliveries/${delivery}`)).data['events'] as readonly { id: string }[]
      const listed = async () => (await get('/events?limit=100')).list.find(({ id }) => id === event!.id)
      expect(await listed()).toMatchObject({ data: { number: expect.any(Number) as number } })
      const erase = () => call('DELETE', `/deliveries/${delivery}/body`)
      expect(await erase()).toMatchObject({ status: 204, text: '' })
      expect((await get(`/deliveries/${delivery}`)).data).toMatchObject({
        body_state: 'erased',
        body: null,
        headers: {},
        events: [{ id: event!.id, name: 'codehost/workflow_run.completed', subject: '' }],
      })
      expect(await listed()).toMatchObject({ id: event!.id, delivery_id: delivery, data: null })
      expect((await erase()).status).toBe(204)
      expect(await replay(delivery)).toMatchObject({ status: 409, error: { code: 'CONFLICT' } })
    })

    it('fails when the delivery has changed since the ETag was read', async () => {
      // If-Match was once passed over, and what it should have kept was gone.
      const delivery = await api().delivery()
      const erase = (tag: string) =>
        call('DELETE', `/deliveries/${delivery}/body`, { headers: { 'If-Match': tag } })
      expect((await erase('"stale"')).error.code).toBe('PRECONDITION_FAILED')
      const headers = { 'If-Match': '"stale"' }
      const unknown = await call('DELETE', `/deliveries/${unknownId}/body`, { headers })
      expect(unknown.error.code).toBe('NOT_FOUND')
      await expect.poll(async () => (await get(`/deliveries/${delivery}`)).data['status']).toBe('published')
      const seen = await get(`/deliveries/${delivery}`)
      expect(seen.data['body_state']).toBe('stored')
      expect((await erase(seen.headers.get('etag') ?? '')).status).toBe(204)
    })

    it('of a quarantined delivery ends the quarantine', async () => {
      const delivery = await quarantine(2)
      expect((await call('DELETE', `/deliveries/${delivery}/body`)).status).toBe(204)
      expect((await replay(delivery)).error.code).toBe('CONFLICT')
      expect((await call('DELETE', `/deliveries/${unknownId}/body`)).error.code).toBe('NOT_FOUND')
    })
  })
})

describeApi(
  (api) => {
    it('quarantines events that are too old until a replay', async () => {
      const { token } = api().admin
      expect((await api().deliver(completedRun)).status).toBe('quarantined')
      const [delivery] = (await api().call('GET', '/deliveries?status=quarantined', { token })).list
      expect(delivery).toMatchObject({ reason: 'EVENT_TOO_OLD' })
      const { data } = await api().call('POST', `/deliveries/${delivery!.id}/replays`, { token })
      expect(data['outcome']).toBe('replayed')
      const occurred_at = new Date(completedRun.workflow_run.updated_at).toISOString()
      const events = async () => (await api().call('GET', '/events', { token })).list
      await expect.poll(events).toMatchObject([{ delivery_id: delivery!.id, occurred_at }])
      // It was once put into quarantine again and again, although its event was known.
      expect((await api().deliver(completedRun)).status).toBe('duplicate')
      const { list } = await api().call('GET', '/deliveries?status=quarantined', { token })
      expect(list).toEqual([])
    })
  },
  { MAX_EVENT_AGE_DAYS: '30' },
)
