import { createMemoryInbox } from '@sallyport/webhooks'
import { createMemoryProcessStore } from '@sallyport/test-support/webhooks'
import { expect, it } from 'vitest'
import { hosts } from '../../test/hosts.ts'
import { authorize, createCall, secrets } from '../../test/operations.ts'
import { createProcess } from '../../test/processes.ts'
import { createOperations } from '../operations.ts'

it('lists the processes with the dependencies that they see', async () => {
  const store = createMemoryProcessStore()
  const bus = { name: 'bus', kind: 'bus', status: 'unavailable', code: 'BUS_TIMEOUT' } as const
  await store.save(createProcess('gateway'), -1000)
  await store.save(createProcess('dispatcher', { dependencies: [bus], notices: ['Old'] }), 60_000)
  const processes = { ...store, latest: () => [] }
  const api = createOperations(
    { operations: { inbox: createMemoryInbox(), processes, secrets } },
    { authorize },
  )
  const call = createCall(await hosts['fetch']!(api), 'read')
  const answer = await call('GET', '/processes')
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({
    data: [
      {
        ...{ id: 'dispatcher', host: 'dispatcher-host', pid: 7, roles: ['dispatcher'], version: '1.2.0' },
        status: 'alive',
        dependencies: [{ ...bus, detail: null }],
        notices: ['Old'],
        started_at: '1970-01-01T00:00:01.000Z',
      },
      { id: 'gateway', status: 'dead', dependencies: [] },
    ],
    meta: { total: 2 },
  })
})
