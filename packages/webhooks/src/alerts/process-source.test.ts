import { expect, it } from 'vitest'
import type { ProcessReport } from '../processes/index.ts'
import { createMemoryProcessStore } from '../processes/memory-store.ts'
import { watchProcesses } from './process-source.ts'

const { signal } = new AbortController()
const minute = 60_000

const report = (roles: readonly string[], changes: Partial<ProcessReport> = {}): ProcessReport => ({
  ...{ id: roles.join(), roles, version: undefined, host: 'worker-1', pid: 7, startedAt: 0 },
  ...{ dependencies: [], notices: [], ...changes },
})

const find = (store: Parameters<typeof watchProcesses>[0]) => watchProcesses(store).find(0, signal)

it('finds nothing while all roles run and all dependencies answer', async () => {
  const store = createMemoryProcessStore()
  await store.save(report(['dispatcher'], { id: 'dead' }), -1)
  await store.save(report(['dispatcher', 'gateway']), minute)
  expect(await find(store)).toEqual([])
})

it('finds living processes with a wrong clock', async () => {
  const store = createMemoryProcessStore()
  const wrongClock = 'The clock of this machine is wrong: 10 minutes behind'
  await store.save(report(['gateway'], { wrongClock }), minute)
  await store.save(report(['dispatcher']), minute)
  await store.save(report(['gateway'], { id: 'dead', host: 'worker-2', wrongClock }), -1)
  expect(await find(store)).toMatchObject([
    { name: 'clock_wrong', severity: 'error', text: `worker-1:7: ${wrongClock}` },
  ])
})

it('finds a role that only dead processes have', async () => {
  const store = createMemoryProcessStore()
  await store.save(report(['dispatcher']), -1)
  await store.save(report(['gateway']), minute)
  expect(await find(store)).toMatchObject([
    { name: 'role_missing/dispatcher', severity: 'error', title: 'No dispatcher runs' },
  ])
})

it('finds a bus that is unavailable for another process', async () => {
  const store = createMemoryProcessStore()
  const bus = { name: 'bus_audit', kind: 'bus', status: 'unavailable', code: 'BUS_TIMEOUT' } as const
  const queue = { ...bus, name: 'queue' }
  const bodies = { ...bus, name: 'bodies', kind: 'bodies' } as const
  await store.save(report(['dispatcher'], { dependencies: [bus, queue, bodies] }), minute)
  expect(await find(store)).toMatchObject([
    {
      name: 'bus_audit_unavailable',
      title: 'The bus_audit is unavailable',
      text: 'The bus_audit is unavailable. Seen by worker-1:7 (BUS_TIMEOUT).',
    },
    { name: 'queue_unavailable', title: 'The shared queue is unavailable' },
    { name: 'bodies_unavailable', title: 'The store of large bodies is unavailable' },
  ])
})
