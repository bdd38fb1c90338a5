import { expect, it } from 'vitest'
import { readFleet, type ProcessDependency, type ProcessState } from './index.ts'

const state = (changes: Partial<ProcessState> = {}): ProcessState => ({
  ...{ id: 'a', roles: ['dispatcher'], version: '1.2.0', host: 'worker-1', pid: 7, startedAt: 0 },
  ...{ dependencies: [], notices: [], seenAt: Date.UTC(2026, 0), isDead: false },
  ...changes,
})

const bus = { name: 'bus', kind: 'bus', status: 'unavailable' } as const satisfies ProcessDependency

it('counts the living and the dead processes of each role', () => {
  const { roles, missing } = readFleet([
    state({ roles: ['api', 'dispatcher'] }),
    state({ isDead: true }),
    state({ roles: ['api'] }),
  ])
  expect(roles).toEqual([
    { role: 'api', alive: 2, dead: 0 },
    { role: 'dispatcher', alive: 1, dead: 1 },
  ])
  expect(missing).toEqual([])
})

it('misses the roles of dead processes that no other process has', () => {
  const { missing } = readFleet([
    state({ roles: ['api'] }),
    state({ isDead: true, seenAt: Date.UTC(2025, 0), host: 'worker-0' }),
    state({ isDead: true }),
  ])
  expect(missing).toEqual([
    {
      role: 'dispatcher',
      text:
        'No process with the role dispatcher runs. Events are recorded and not published. ' +
        'worker-1:7 sent the last heartbeat at 2026-01-01T00:00:00.000Z.',
    },
  ])
})

it('misses a dispatcher that never ran', () => {
  expect(readFleet([state({ roles: ['gateway'] })]).missing).toMatchObject([{ role: 'dispatcher' }])
  expect(readFleet([]).missing).toEqual([])
})

it('joins the outages that living processes see', () => {
  const { outages } = readFleet([
    state({
      dependencies: [{ ...bus, code: 'BUS_TIMEOUT', detail: 'The bus at nats://bus does not answer' }],
    }),
    state({ host: 'worker-2', dependencies: [bus] }),
    state({ host: 'worker-3', dependencies: [{ ...bus, status: 'ok' }] }),
    state({ host: 'worker-4', dependencies: [bus], isDead: true }),
  ])
  expect(outages).toEqual([
    {
      name: 'bus',
      text: 'The bus at nats://bus does not answer. Seen by worker-1:7 (BUS_TIMEOUT), worker-2:7.',
    },
  ])
})

it('names the first of many processes that see an outage', () => {
  const hosts = Array.from({ length: 60 }, (_, index) => `worker-${index}`)
  const { outages } = readFleet(hosts.map((host) => state({ host, dependencies: [bus] })))
  expect(outages[0]?.text).toBe(
    'The bus is unavailable. Seen by worker-0:7, worker-1:7, worker-2:7 and 57 more.',
  )
})

it('joins equal notices that are about no dependency', () => {
  const { notices } = readFleet([
    state({ notices: ['The clock is wrong'] }),
    state({
      ...{ host: 'worker-2', notices: ['The clock is wrong', 'Old', 'The bus does not answer'] },
      dependencies: [{ ...bus, detail: 'The bus does not answer' }],
    }),
  ])
  expect(notices).toEqual([
    { text: 'The clock is wrong', processes: ['worker-1:7', 'worker-2:7'] },
    { text: 'Old', processes: ['worker-2:7'] },
  ])
})
