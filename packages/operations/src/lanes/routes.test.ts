import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite, type SqliteDatabase } from '@sallyport/sql/sqlite'
import { createMemoryInbox, type CompleteInbox } from '@sallyport/webhooks'
import { createMemoryAuditLog } from '@sallyport/test-support/webhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hosts } from '../../test/hosts.ts'
import {
  authorize,
  createCall,
  createDelivery,
  createTestOperations,
  secrets,
} from '../../test/operations.ts'
import { createOperations } from '../operations.ts'

let folder: string
let database: SqliteDatabase

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-lanes-'))
  database = await openSqlite({ path: join(folder, 'sallyport.db') })
})
afterEach(async () => {
  await database.close()
  await rm(folder, { recursive: true })
})

async function open() {
  const inbox = database.inbox()
  const audit = createMemoryAuditLog()
  const endpoints = {
    getMany: () => Promise.resolve([{ id: 'e1', name: 'Acme Ltd', labels: { plan: 'free' } }]),
  } as never
  const api = createOperations(
    { operations: { inbox, audit, secrets, endpoints: { endpoints, cipher: {} as never } } },
    { authorize },
  )
  const host = await hosts['fetch']!(api)
  return { inbox, audit, call: createCall(host), reader: createCall(host, 'read') }
}

/** Records one event per id into a lane. */
async function record(inbox: CompleteInbox, lane: string, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const { events, ...delivery } = createDelivery(id, { endpoint: 'e1' })
    const inLane = events.map((one) => ({ ...one, lane: { name: lane, isOrdered: true } }))
    await inbox.record({ ...delivery, events: inLane })
  }
}

/** Makes the next attempts at all due lanes fail. */
async function fail(inbox: CompleteInbox): Promise<void> {
  const lanes = await inbox.claimLanes!({ limit: 10, events: 1, leaseMs: 60_000 })
  await inbox.settleLanes!(
    lanes.map(({ name, lease, works }) => ({
      ...{ name, lease, releases: true },
      settlements: works.map(({ event }) => ({
        ...{ id: event.id, lease },
        outcome: { status: 'retry', error: 'TimeoutError', afterMs: 60_000 } as const,
      })),
    })),
  )
}

const pathOf = (name: string, rest = '') => `/lanes/${Buffer.from(name).toString('base64url')}${rest}`

it('lists lanes by state and order, with the names of their endpoints', async () => {
  const { inbox, reader } = await open()
  await record(inbox, 'a', 'a1')
  await fail(inbox)
  await record(inbox, 'b', 'b1', 'b2')
  await inbox.pauseLane!('c')
  expect((await reader('GET', '/lanes')).body).toMatchObject({
    data: {
      lanes: [
        {
          ...{ id: 'YQ', name: 'a', state: 'stuck', ordered: true, events: 1, paused_at: null },
          ...{ endpoint: 'e1', endpoint_name: 'Acme Ltd', endpoint_labels: { plan: 'free' } },
          first: { event_id: 'a1', name: 'doorbell/bell.rung', attempts: 1, error: 'TimeoutError' },
        },
        { name: 'b', state: 'waiting', events: 2, first: { attempts: 0, error: null } },
        { name: 'c', state: 'paused', events: 0, endpoint: null, endpoint_name: null, first: null },
      ],
      truncated: false,
    },
  })
  const names = async (query: string) => {
    const answer = await reader('GET', `/lanes?${query}`)
    const { data } = answer.body as { data: { lanes: { name: string }[]; truncated: boolean } }
    return [data.lanes.map(({ name }) => name), data.truncated]
  }
  expect(await names('order=busiest&limit=1')).toEqual([['b'], true])
  expect(await names('state=paused&limit=1')).toEqual([['c'], false])
  for (const query of ['state=lost', 'limit=0', 'limit=201', 'order=name'])
    expect((await reader('GET', `/lanes?${query}`)).status).toBe(400)
  expect((await reader('GET', '/status')).body).toMatchObject({
    data: { lanes: { open: 2, stuck: 1, paused: 1, oldest_pending_at: expect.any(String) as string } },
  })
})

it.each(['..', 'a/b?c#d', '%2e%2e', 'ü😀', ' '])('pauses, shows and resumes the lane %j', async (name) => {
  const { call } = await open()
  expect((await call('GET', pathOf(name))).status).toBe(404)
  const change = async (rest: string) => (await call('POST', pathOf(name, rest))).body as object
  expect(await change('/pause')).toEqual({ data: { changed: true } })
  expect(await change('/pause')).toEqual({ data: { changed: false } })
  expect((await call('GET', pathOf(name))).body).toMatchObject({ data: { name, state: 'paused' } })
  expect(await change('/resume')).toEqual({ data: { changed: true } })
  expect(await change('/resume')).toEqual({ data: { changed: false } })
})

it.each(['YQ=', 'YR', 'AA', '_w', 'Y Q'])('answers 404 for %j, which encodes no name', async (id) => {
  const { call } = await open()
  expect((await call('POST', `/lanes/${encodeURIComponent(id)}/pause`)).status).toBe(404)
})

describe('repairs', () => {
  it('skip the first event only if it is still the first', async () => {
    const { inbox, call } = await open()
    await record(inbox, 'a', 'a1', 'a2')
    const skip = (event_id: string) => call('POST', pathOf('a', '/skip'), { event_id })
    expect(await skip('a1')).toEqual({ status: 200, body: { data: { events: 1, more: false } } })
    expect((await skip('a1')).status).toBe(404)
    expect((await call('GET', pathOf('a'))).body).toMatchObject({
      data: { events: 1, first: { event_id: 'a2' } },
    })
  })

  it('make the first event due', async () => {
    const { inbox, call } = await open()
    await record(inbox, 'a', 'a1')
    await fail(inbox)
    expect((await call('POST', pathOf('a', '/retry'))).body).toEqual({ data: { events: 1, more: false } })
    expect(await inbox.claimLanes!({ limit: 1, events: 1, leaseMs: 1000 })).toHaveLength(1)
    expect((await call('POST', pathOf('b', '/retry'))).status).toBe(404)
  })

  it('cancel all events', async () => {
    const { inbox, call } = await open()
    await record(inbox, 'a', 'a1', 'a2', 'a3')
    expect((await call('POST', pathOf('a', '/cancel'))).body).toEqual({ data: { events: 3, more: false } })
    expect((await inbox.stats()).events).toMatchObject({ pending: 0, dead: 3 })
  })

  it('answer 409 while an attempt runs', async () => {
    const { inbox, call } = await open()
    await record(inbox, 'a', 'a1')
    await inbox.claimLanes!({ limit: 1, events: 1, leaseMs: 60_000 })
    expect((await call('POST', pathOf('a', '/retry'))).status).toBe(409)
    expect((await call('POST', pathOf('a', '/cancel'))).status).toBe(409)
    expect((await call('POST', pathOf('a', '/skip'), { event_id: 'a1' })).status).toBe(409)
  })

  it('need the permission to replay, and are in the audit', async () => {
    const { inbox, audit, call, reader } = await open()
    await record(inbox, 'a', 'a1', 'a2')
    const bodies = { skip: { event_id: 'a1' } }
    for (const change of ['pause', 'skip', 'retry', 'cancel', 'resume'] as const) {
      const path = pathOf('a', `/${change}`)
      const body = change === 'skip' ? bodies.skip : undefined
      expect((await reader('POST', path, body)).status).toBe(403)
      expect((await call('POST', path, body)).status).toBe(200)
    }
    const entries = await audit.list({ limit: 10, order: 'oldest' })
    expect(entries.map(({ action, target, detail }) => [action, target, detail])).toEqual([
      ['lane.pause', 'a', {}],
      ['lane.skip', 'a', { event: 'a1' }],
      ['lane.retry', 'a', {}],
      ['lane.cancel', 'a', { events: 1 }],
      ['lane.resume', 'a', {}],
    ])
  })
})

it('has no routes for an inbox without lanes', async () => {
  const call = createCall(await hosts['fetch']!(createTestOperations(createMemoryInbox())))
  expect((await call('GET', '/lanes')).status).toBe(404)
  expect((await call('POST', pathOf('a', '/pause'))).status).toBe(404)
})
