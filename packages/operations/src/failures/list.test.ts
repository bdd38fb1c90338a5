import { createApi } from '@sallyport/rest'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { createReplayer, createMemoryInbox, type FailureQuery } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { createState } from '../../test/consumers.ts'
import { hosts } from '../../test/hosts.ts'
import { authorize, createCall, createDelivery, settleAll } from '../../test/operations.ts'
import { createOperations } from '../operations.ts'
import { createFindNames } from '../endpoints/names.ts'
import { listFailuresRoute } from './list.ts'

interface Body {
  readonly data: {
    readonly groups: readonly Readonly<Record<string, unknown>>[]
    readonly truncated: boolean
    readonly consumers: readonly Readonly<Record<string, unknown>>[]
  }
}

async function open() {
  const memory = createMemoryInbox()
  const queries: FailureQuery[] = []
  const inbox: typeof memory = {
    ...memory,
    failures(query) {
      queries.push(query)
      return memory.failures(query)
    },
  }
  const replayer = createReplayer({ inbox, providers: [] })
  const host = await hosts['fetch']!(createOperations({ operations: { inbox, replayer } }, { authorize }))
  return { inbox, queries, call: createCall(host), reader: createCall(host, 'read') }
}

it('groups the failing events', async () => {
  const { inbox, reader } = await open()
  const first = createDelivery('doorbell:1', { receivedAt: Date.UTC(2026, 0, 1) })
  const second = createDelivery('doorbell:2', { receivedAt: Date.UTC(2026, 0, 2) })
  for (const delivery of [first, second]) await inbox.record(delivery)
  await settleAll(inbox, 'dead')
  await inbox.record(createDelivery('doorbell:3'))
  await settleAll(inbox, 'done')
  expect(await reader('GET', '/failures')).toEqual({
    status: 200,
    body: {
      data: {
        groups: [
          {
            status: 'dead',
            provider: 'doorbell',
            kind: 'bell.rung',
            error: 'TimeoutError',
            destination: null,
            events: 2,
            first_received_at: '2026-01-01T00:00:00.000Z',
            last_received_at: '2026-01-02T00:00:00.000Z',
            newest_delivery_id: second.id,
            ...{ endpoint: null, endpoint_name: null, endpoint_labels: {}, endpoints: 0 },
          },
        ],
        truncated: false,
        consumers: [],
      },
    },
  })
})

it('shows the consumers with failing events or dead letters', async () => {
  const idle = { ...createState('idle', 0), failing: 0, deadLetters: 0 }
  const consumers = { list: () => Promise.resolve([createState('builds', 0), idle]) }
  const route = listFailuresRoute(
    { inbox: createMemoryInbox(), consumers },
    createFindNames(undefined),
    'public',
  )
  const fetch = createFetchHandler(createApi({ routes: [route] }))
  const list = async (query: string) =>
    ((await (await fetch(new Request(`http://localhost/failures${query}`))).json()) as Body).data.consumers
  expect(await list('')).toMatchObject([{ name: 'builds', failing: 1, dead_letters: 3 }])
  expect(await list('?status=dead')).toEqual([])
})

it('has the criteria of a replay in each group', async () => {
  const { inbox, call } = await open()
  await inbox.record(createDelivery('doorbell:1'))
  await settleAll(inbox, 'dead')
  const found = (await call('GET', '/failures?status=dead')).body as Body
  const { status, provider, kind, error } = found.data.groups[0] ?? {}
  expect(await call('POST', '/replays', { status, provider, kind, error })).toMatchObject({
    status: 202,
    body: { data: { deliveries: 1, replayed: 1 } },
  })
  expect(await call('GET', '/failures')).toMatchObject({ body: { data: { groups: [] } } })
})

it('reads more events for a provider or an endpoint, which may have few of them', async () => {
  const { queries, reader } = await open()
  for (const query of ['', '?status=pending', '?provider=doorbell&status=dead', '?endpoint=acme'])
    await reader('GET', `/failures${query}`)
  expect(queries).toEqual([
    { limit: 10_000 },
    { status: 'pending', limit: 10_000 },
    { provider: 'doorbell', status: 'dead', limit: 100_000 },
    { endpoint: 'acme', limit: 100_000 },
  ])
})

it('returns 500 groups at most', async () => {
  const { inbox, reader } = await open()
  for (let index = 0; index < 501; index++) {
    const { events, ...delivery } = createDelivery(`doorbell:${index}`)
    const named = events.map(({ event, ...one }) => ({
      ...one,
      event: { ...event, name: `doorbell/k${index}` },
    }))
    await inbox.record({ ...delivery, events: named })
  }
  for (let portion = 0; portion < 6; portion++) await settleAll(inbox, 'dead')
  const { groups, truncated } = ((await reader('GET', '/failures')).body as Body).data
  expect([groups.length, truncated]).toEqual([500, true])
})

it.each(['?status=published', '?colour=red', '?provider='])('refuses %s', async (query) => {
  const { reader } = await open()
  expect((await reader('GET', `/failures${query}`)).status).toBe(400)
})
