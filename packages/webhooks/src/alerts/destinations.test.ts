import { expect, it } from 'vitest'
import type { DestinationSummary } from '../destinations/operations.ts'
import { watchDestinations } from './destinations.ts'

const find = async (...found: readonly Omit<DestinationSummary, 'isManaged'>[]) =>
  await watchDestinations({
    list: () => Promise.resolve(found.map((one) => ({ ...one, isManaged: false }))),
  }).find(0, new AbortController().signal)

const destination = {
  name: 'billing',
  mode: 'event',
  send: () => Promise.reject(new Error('not sent')),
} as const

it('finds unavailable destinations, and paused ones with events', async () => {
  const findings = await find(
    { name: 'billing', state: 'unavailable', events: 1, destination },
    { name: 'crm', state: 'paused', events: 12, pauseReason: 'HTTP 410' },
    { name: 'empty', state: 'paused', events: 0 },
    { name: 'fine', state: 'running', events: 5 },
  )
  expect(findings).toMatchObject([
    {
      name: 'destinations_unavailable',
      severity: 'error',
      text: 'Requests to 1 destination fail, and their events wait: billing (1 pending event). They continue when a probe succeeds.',
    },
    {
      name: 'destinations_paused',
      severity: 'warning',
      text: 'Events wait for 1 destination: crm (12 pending events, HTTP 410). Repair the cause, then resume them.',
    },
  ])
})

it('says that a destination without its key misses events', async () => {
  const [finding] = await find({ name: 'billing', state: 'unavailable', events: 0 })
  expect(finding?.text).toMatch(/^A process cannot open 1 destination: billing .* no new event is recorded/)
  expect(finding?.text).not.toContain('probe')
})

it('finds nothing while all run', async () => {
  expect(await find({ name: 'fine', state: 'running', events: 5 })).toEqual([])
})
