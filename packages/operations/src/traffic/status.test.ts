import { createApi } from '@sallyport/rest'
import { createFetchHandler } from '@sallyport/rest/fetch'
import { createMemoryInbox } from '@sallyport/webhooks'
import { createMemoryProcessStore } from '@sallyport/test-support/webhooks'
import { expect, it } from 'vitest'
import { createState } from '../../test/consumers.ts'
import { createProcess } from '../../test/processes.ts'
import { createDelivery, settleAll } from '../../test/operations.ts'
import { statusRoute, type GetHealth, type StatusOptions } from './status.ts'

async function read(
  inbox: StatusOptions['inbox'],
  getHealth?: GetHealth,
  consumers?: StatusOptions['consumers'],
  processes?: StatusOptions['processes'],
  getNotices: StatusOptions['getNotices'] = () => [],
): Promise<unknown> {
  const api = createApi({
    routes: [statusRoute({ inbox, consumers, processes, getHealth, getNotices }, 'public')],
  })
  const response = await createFetchHandler(api)(new Request('http://localhost/status'))
  return ((await response.json()) as { data: unknown }).data
}

it('shows the numbers of open events', async () => {
  const inbox = createMemoryInbox()
  await inbox.record(createDelivery('1'))
  await settleAll(inbox, 'dead')
  const pending = createDelivery('2')
  await inbox.record(pending)
  expect(await read(inbox)).toEqual({
    status: 'ok',
    dependencies: [],
    notices: [],
    roles: null,
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
    lanes: null,
    reconciliations: null,
    published: 0,
  })
})

it('shows each notice of the host and of the process once', async () => {
  const getHealth = () => ({ dependencies: [], notices: ['a'] })
  expect(await read(createMemoryInbox(), getHealth, undefined, undefined, () => ['a', 'b'])).toMatchObject({
    notices: ['a', 'b'],
  })
})

it('sums the consumers of the database', async () => {
  const consumers = { list: () => Promise.resolve([createState('one', 1000), createState('two', 2000)]) }
  expect(await read(createMemoryInbox(), undefined, consumers)).toMatchObject({
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
  expect(await read(createMemoryInbox(), () => Promise.resolve(health))).toMatchObject({
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

it('shows the outages, the notices and the roles of all processes', async () => {
  const processes = createMemoryProcessStore()
  const own = { name: 'bus', kind: 'bus', status: 'ok' } as const
  const notices = ['Anyone can register']
  await processes.save(createProcess('api', { dependencies: [own], notices }), 60_000)
  const unavailable = { ...own, status: 'unavailable', code: 'BUS_REFUSED' } as const
  await processes.save(
    createProcess('dispatcher', { dependencies: [unavailable], notices: [...notices, 'Old'] }),
    60_000,
  )
  const health = { dependencies: [{ name: 'inbox', status: 'ok' as const }, own], notices }
  expect(await read(createMemoryInbox(), () => health, undefined, processes)).toMatchObject({
    status: 'degraded',
    dependencies: [
      { name: 'inbox', status: 'ok' },
      {
        name: 'bus',
        status: 'unavailable',
        detail: 'The bus is unavailable. Seen by dispatcher-host:7 (BUS_REFUSED).',
      },
    ],
    notices: ['Anyone can register', 'dispatcher-host:7: Old'],
    roles: [
      { role: 'api', alive: 1, dead: 0 },
      { role: 'dispatcher', alive: 1, dead: 0 },
    ],
  })
})

it('is degraded while no dispatcher runs', async () => {
  const processes = createMemoryProcessStore()
  await processes.save(createProcess('gateway'), 60_000)
  await processes.save(createProcess('dispatcher'), -1000)
  expect(await read(createMemoryInbox(), undefined, undefined, processes)).toMatchObject({
    status: 'degraded',
    notices: [expect.stringContaining('No process with the role dispatcher runs.')],
    roles: [
      { role: 'dispatcher', alive: 0, dead: 1 },
      { role: 'gateway', alive: 1, dead: 0 },
    ],
  })
})
