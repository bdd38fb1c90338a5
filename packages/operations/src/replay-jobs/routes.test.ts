import { createReplayer, createMemoryInbox } from '@sallyport/webhooks'
import {
  createMemoryAuditLog,
  createMemoryReplayJobStore,
  createReplayJobs,
  createMemoryUnprocessedStore,
} from '@sallyport/test-support/webhooks'
import { expect, it, vi } from 'vitest'
import { hosts } from '../../test/hosts.ts'
import { authorize, createCall, createDelivery, settleAll } from '../../test/operations.ts'
import { createOperations } from '../operations.ts'

async function openApi() {
  const inbox = createMemoryInbox()
  for (const key of ['a', 'b', 'c'])
    await inbox.record(createDelivery(`doorbell:${key}`, { receivedAt: Date.now() - 1000 }))
  await settleAll(inbox, 'dead')
  const audit = createMemoryAuditLog()
  const replayer = createReplayer({ inbox, providers: [] })
  const store = createMemoryReplayJobStore()
  const replayJobs = createReplayJobs({ store, inbox, replayer, batchSize: 2, pollMs: 1 })
  const host = await hosts['fetch']!(
    createOperations(
      { operations: { inbox, replayer, replayJobs, audit } },
      { authorize: (request) => ({ ...authorize(request), name: 'ann@example.com' }) },
    ),
  )
  return { replayJobs, audit, call: createCall(host), reader: createCall(host, 'read') }
}

it('runs a job and shows its progress', async () => {
  const { call, reader, replayJobs, audit } = await openApi()
  const filter = { status: 'dead', received_after: '2026-01-01T00:00:00.000Z' }
  const created = await call('POST', '/replay-jobs', filter)
  expect(created).toMatchObject({
    status: 202,
    body: {
      data: {
        ...{ status: 'running', filter, as_new: false, total: 3, processed: 0 },
        created_by: 'ann@example.com',
      },
    },
  })
  const { id } = (created.body as { readonly data: { readonly id: string } }).data
  replayJobs.start()
  await vi.waitFor(async () => {
    expect(await reader('GET', `/replay-jobs/${id}`)).toMatchObject({
      status: 200,
      body: { data: { status: 'done', processed: 3, replayed: 3, events: 3, error: null } },
    })
  })
  await replayJobs.stop()
  expect(await reader('GET', '/replay-jobs?limit=5&cursor=')).toMatchObject({
    body: { data: [{ id, status: 'done' }] },
  })
  expect(await audit.list({ limit: 9 })).toMatchObject([{ action: 'replay_job.create', target: id }])
})

it('lets consumers handle the events again', async () => {
  const { call } = await openApi()
  expect(await call('POST', '/replay-jobs', { all: true, reprocess: true })).toMatchObject({
    status: 202,
    body: { data: { as_new: false, reprocess: true, handled: 0 } },
  })
})

it('cancels a job', async () => {
  const { call, audit } = await openApi()
  const created = await call('POST', '/replay-jobs', { all: true, as_new: true })
  const { id } = (created.body as { readonly data: { readonly id: string } }).data
  expect(await call('DELETE', `/replay-jobs/${id}`)).toMatchObject({
    status: 200,
    body: { data: { id, status: 'canceled' } },
  })
  expect((await audit.list({ limit: 1 }))[0]).toMatchObject({ action: 'replay_job.cancel', target: id })
})

it('needs the permission to replay', async () => {
  const { reader } = await openApi()
  expect((await reader('POST', '/replay-jobs', { all: true })).status).toBe(403)
  expect((await reader('DELETE', '/replay-jobs/01890a5d-ac96-774b-bcce-b302099a8057')).status).toBe(403)
})

it.each(['GET', 'DELETE'])('answers %s of an unknown job with 404', async (method) => {
  const { call } = await openApi()
  const path = '/replay-jobs/01890a5d-ac96-774b-bcce-b302099a8057'
  expect(await call(method, path)).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
})

it('requires a criterion', async () => {
  const { call } = await openApi()
  expect((await call('POST', '/replay-jobs', { as_new: true })).status).toBe(400)
})

it('processes ignored and refused deliveries again as a job', async () => {
  const unprocessed = createMemoryUnprocessedStore()
  await unprocessed.add([
    {
      ...{
        id: 'a',
        outcome: 'refused',
        provider: 'doorbell',
        reason: 'mismatch',
        status: 401,
        receivedAt: 1,
      },
      ...{ headers: {}, body: new Uint8Array(), bodyBytes: 0, storedBytes: 1 },
    },
  ])
  const replayUnprocessed = async (id: string) => {
    await unprocessed.delete(id)
    return { outcome: 'accepted', deliveryId: id } as const
  }
  const inbox = createMemoryInbox()
  const audit = createMemoryAuditLog()
  const replayJobs = createReplayJobs({
    ...{ store: createMemoryReplayJobStore(), inbox, pollMs: 1 },
    replayer: createReplayer({ inbox, providers: [] }),
    unprocessed: { store: unprocessed, replay: replayUnprocessed },
  })
  const operations = { inbox, replayJobs, audit, unprocessed, replayUnprocessed }
  const host = await hosts['fetch']!(createOperations({ operations }, { authorize }))
  const call = createCall(host)
  const path = '/unprocessed-deliveries/replays'
  expect((await call('POST', path, {})).status).toBe(400)
  expect((await createCall(host, 'read')('POST', path, { all: true })).status).toBe(403)
  const filter = { outcome: 'refused', provider: 'doorbell' }
  const created = await call('POST', path, filter)
  expect(created).toMatchObject({
    status: 202,
    body: { data: { source: 'unprocessed', status: 'running', filter, total: 1 } },
  })
  const { id } = (created.body as { readonly data: { readonly id: string } }).data
  replayJobs.start()
  await vi.waitFor(async () => {
    expect(await call('GET', `/replay-jobs/${id}`)).toMatchObject({
      body: { data: { status: 'done', processed: 1, replayed: 1 } },
    })
  })
  await replayJobs.stop()
  expect(await audit.list({ limit: 9 })).toMatchObject([{ action: 'unprocessed.replay_all', target: id }])
  await call('POST', path, { value: 'ann@example.com', provider: 'doorbell' })
  const [entry] = await audit.list({ limit: 1 })
  expect(entry?.detail).toEqual({ provider: 'doorbell', criteria: ['provider', 'value'], total: 0 })
})
