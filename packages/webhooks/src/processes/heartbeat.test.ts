import { expect, it } from 'vitest'
import { createHeartbeat } from './heartbeat.ts'
import type { ProcessHealth } from './store.ts'
import { createMemoryProcessStore } from './memory-store.ts'

const health: ProcessHealth = {
  dependencies: [{ name: 'bus', kind: 'bus', status: 'unavailable', code: 'BUS_TIMEOUT' }],
  notices: ['The clock is wrong'],
}

it('reports the process until it stops', async () => {
  const store = createMemoryProcessStore()
  const heartbeat = createHeartbeat({ store, version: '1.2.0', getHealth: () => health })
  heartbeat.start(['gateway', 'dispatcher', 'gateway'])
  await expect.poll(heartbeat.latest).toHaveLength(1)
  expect(await store.list()).toMatchObject([
    { roles: ['dispatcher', 'gateway'], version: '1.2.0', pid: process.pid, isDead: false, ...health },
  ])
  const own = { pid: process.pid, dependencies: [], notices: [] }
  expect(heartbeat.latest()).toMatchObject([own])
  await heartbeat.stop()
  expect(await store.list()).toEqual([])
})

it('is dead after four intervals without a heartbeat', async () => {
  let now = 0
  const store = createMemoryProcessStore(() => now)
  const heartbeat = createHeartbeat({ store, beatMs: 1000 })
  await heartbeat.beat()
  now = 3999
  expect(await store.list()).toMatchObject([{ isDead: false }])
  now = 4000
  expect(await store.list()).toMatchObject([{ isDead: true }])
})

it('knows no process while the store is unavailable, and keeps the health of its own', async () => {
  const errors: unknown[] = []
  const store = createMemoryProcessStore()
  let isDown = false
  const save: typeof store.save = (...given) =>
    isDown ? Promise.reject(new Error('down')) : store.save(...given)
  const heartbeat = createHeartbeat({
    store: { ...store, save },
    getHealth: () => health,
    onError: (error) => errors.push(error),
  })
  await heartbeat.beat()
  expect(heartbeat.latest()).toHaveLength(1)
  isDown = true
  await heartbeat.beat()
  expect(heartbeat.latest()).toEqual([])
  expect(heartbeat.health()).toEqual(health)
  expect(errors).toHaveLength(1)
})

it('limits the number and the length of notices', async () => {
  const store = createMemoryProcessStore()
  const notices = Array.from({ length: 30 }, () => 'x'.repeat(1000))
  const heartbeat = createHeartbeat({ store, getHealth: () => ({ dependencies: [], notices }) })
  await heartbeat.beat()
  const [state] = await store.list()
  expect(state?.notices).toEqual(Array.from({ length: 20 }, () => 'x'.repeat(500)))
})

it('refuses an interval out of range', () => {
  expect(() => createHeartbeat({ store: createMemoryProcessStore(), beatMs: 0 })).toThrow(TypeError)
})
