import { createFetchHandler } from '@sallyport/rest/fetch'
import { createReplayer, createMemoryInbox, type CompleteInbox } from '@sallyport/webhooks'
import type { WebhookOperations } from '@sallyport/webhooks/node'
import type { AuditLog } from '@sallyport/webhooks/audit'
import {
  createMemoryAuditLog,
  createMemoryReplayJobStore,
  createReplayJobs,
} from '@sallyport/test-support/webhooks'
import { expect, it, vi } from 'vitest'
import { authorize, createDelivery, settleAll } from '../../test/operations.ts'
import { createOperations, type OperationsOptions } from '../operations.ts'

function createClient(
  inbox: CompleteInbox,
  parts: Partial<WebhookOperations>,
  onError?: OperationsOptions['onError'],
) {
  const replayer = createReplayer({ inbox, providers: [] })
  const fetch = createFetchHandler(
    createOperations(
      { operations: { inbox, replayer, ...parts } },
      { authorize, ...(onError && { onError }) },
    ),
  )
  return async (method: string, path: string, body?: object, token = 'all') => {
    const response = await fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as { data: unknown[] } }
  }
}

it('records replays and erasures with their actor, and lists them', async () => {
  const inbox = createMemoryInbox()
  let time = 0
  const send = createClient(inbox, { audit: createMemoryAuditLog({ now: () => (time += 1000) }) })
  const delivery = createDelivery('doorbell:1')
  await inbox.record(delivery)
  await settleAll(inbox, 'dead')
  await send('POST', `/deliveries/${delivery.id}/replays`)
  await settleAll(inbox, 'dead')
  await send('POST', '/replays', { status: 'dead', as_new: true })
  await settleAll(inbox, 'done')
  expect((await send('DELETE', `/deliveries/${delivery.id}/body`)).status).toBe(204)

  const common = { actor_id: 'ann', actor_name: null }
  const list = await send('GET', '/audit')
  expect(list.body.data).toMatchObject([
    { ...common, action: 'delivery.erase', target: delivery.id, detail: {} },
    {
      ...common,
      action: 'deliveries.replay',
      target: null,
      detail: { status: 'dead', as_new: true, deliveries: 1, replayed: 1, events: 1 },
    },
    {
      ...common,
      action: 'delivery.replay',
      target: delivery.id,
      detail: { as_new: false, outcome: 'replayed', events: 1 },
    },
  ])
  const some = await send('GET', '/audit?action=delivery.erase&limit=1&cursor=&actor=ann')
  expect(some.body.data).toMatchObject([{ action: 'delivery.erase' }])
  expect((await send('GET', '/audit?createdBefore=1970-01-01')).body.data).toEqual([])
})

it.each(['/replays', '/replay-jobs', '/cancellations', '/retries'])(
  'keeps no criterion of %s that quotes content',
  async (path) => {
    const inbox = createMemoryInbox()
    const audit = createMemoryAuditLog()
    const store = createMemoryReplayJobStore()
    const replayer = createReplayer({ inbox, providers: [] })
    const replayJobs = createReplayJobs({ store, inbox, replayer })
    const send = createClient(inbox, { audit, replayJobs })
    const value = 'ann@example.com'
    const { status } = await send('POST', path, { value, subject: 'ann', provider: 'doorbell' })
    expect(status).toBeLessThan(300)
    const [entry] = await audit.list({ limit: 1 })
    expect(entry?.detail).toMatchObject({
      provider: 'doorbell',
      criteria: ['provider', 'subject', 'value'],
    })
    expect(JSON.stringify(entry)).not.toContain('ann@')
    expect(entry?.detail).not.toHaveProperty('subject')
  },
)

it('records no action that failed', async () => {
  const audit = createMemoryAuditLog()
  const send = createClient(createMemoryInbox(), { audit })
  const unknown = '/deliveries/01890a5d-ac96-774b-bcce-b302099a8057'
  expect((await send('DELETE', `${unknown}/body`)).status).toBe(404)
  expect((await send('POST', `${unknown}/replays`)).status).toBe(404)
  expect((await send('POST', '/replays', { all: true }, 'read')).status).toBe(403)
  expect(await audit.count({})).toBe(0)
})

it('reports an action that it cannot record, which succeeds', async () => {
  const inbox = createMemoryInbox()
  const cause = new Error('The database is unavailable')
  const audit: AuditLog = { ...createMemoryAuditLog(), record: () => Promise.reject(cause) }
  const onError = vi.fn()
  const send = createClient(inbox, { audit }, onError)
  const delivery = createDelivery('doorbell:1')
  await inbox.record(delivery)
  await settleAll(inbox, 'done')
  expect((await send('DELETE', `/deliveries/${delivery.id}/body`)).status).toBe(204)
  await vi.waitFor(() => {
    expect(onError).toHaveBeenCalledOnce()
  })
  expect(onError.mock.calls[0]?.[0]).toMatchObject({
    message: `The audit has no entry for delivery.erase ${delivery.id}`,
    cause,
  })
})

it('lists the audit for operators who may manage', async () => {
  const send = createClient(createMemoryInbox(), { audit: createMemoryAuditLog() })
  expect(await send('GET', '/audit', undefined, 'read')).toMatchObject({
    status: 403,
    body: { error: { code: 'FORBIDDEN', message: 'This needs the permission manage' } },
  })
})
