import { createApi } from '@sallyport/rest'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { memoryInbox } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { createState } from '../../test/consumers.ts'
import { createDelivery, settleAll } from '../../test/operations.ts'
import { statusRoute, type GetHealth, type StatusOptions } from './status.ts'

async function read(
  inbox: StatusOptions['inbox'],
  getHealth?: GetHealth,
  consumers?: StatusOptions['consumers'],
  getNotices: StatusOptions['getNotices'] = () => [],
): Promise<unknown> {
  const api = createApi({ routes: [statusRoute({ inbox, consumers, getHealth, getNotices }, 'public')] })
  const response = await createFetchHandler(api)(new Request('http://localhost/status'))
  return ((await response.json()) as { data: unknown }).data
}

it('shows the numbers of open events', async () => {
  const inbox = memoryInbox()
  await inbox.record(createDelivery('1'))
  await settleAll(inbox, 'dead')
  const pending = createDelivery('2')
  await inbox.record(pending)
  expect(await read(inbox)).toEqual({
    status: 'ok',
    dependencies: [],
    notices: [],
    counts: {
      pending: 1,
      queued: 0,
      dead: 1,
      quarantined: 0,
      notifications_pending: 0,
      notifications_dead: 0,
    },
    oldest_pending_at: new Date(pending.receivedAt).toISOString(),
    consumers: null,
    published: 0,
  })
})

it('shows each notice of the host and of the process once', async () => {
  const getHealth = () => ({ dependencies: [], notices: ['a'] })
  expect(await read(memoryInbox(), getHealth, undefined, () => ['a', 'b'])).toMatchObject({
    notices: ['a', 'b'],
  })
})

it('sums the consumers of the database', async () => {
  const consumers = { list: () => Promise.resolve([createState('one', 1000), createState('two', 2000)]) }
  expect(await read(memoryInbox(), undefined, consumers)).toMatchObject({
    consumers: { pending: 4, failing: 2, dead_letters: 6, oldest_pending_at: '1970-01-01T00:00:01.000Z' },
  })
})

it('is degraded while a dependency is unavailable', async () => {
  const health = {
    dependencies: [
      { name: 'inbox', status: 'ok' as const },
      { name: 'bus', status: 'unavailable' as const, detail: 'Connection refused' },
    ],
    notices: ['The provider tasks is not registered: it has no secret'],
  }
  expect(await read(memoryInbox(), () => Promise.resolve(health))).toMatchObject({
    status: 'degraded',
    dependencies: [
      { name: 'inbox', status: 'ok', detail: null },
      { name: 'bus', status: 'unavailable', detail: 'Connection refused' },
    ],
    notices: health.notices,
  })
})

it('shows the dependencies while the inbox is unavailable', async () => {
  const stats = () => Promise.reject(new Error('unavailable'))
  const dependencies = [{ name: 'inbox', status: 'unavailable' as const }]
  expect(await read({ stats }, () => ({ dependencies, notices: [] }))).toMatchObject({
    status: 'degraded',
    dependencies: [{ name: 'inbox' }],
    counts: null,
    oldest_pending_at: null,
    published: null,
  })
})
