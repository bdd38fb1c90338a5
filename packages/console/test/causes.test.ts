import { expect, it } from 'vitest'
import type { components } from '../src/app/api/schema.ts'
import { findCauses } from '../src/app/failures/causes.ts'

type Failure = components['schemas']['Failure']

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()

const createGroup = (kind: string, changes: Partial<Failure> = {}): Failure => ({
  ...{ status: 'pending', provider: 'codehost', kind, error: 'The bus answered 503', events: 1 },
  ...{
    first_received_at: at(1),
    last_received_at: at(2),
    newest_delivery_id: `of ${kind}`,
    destination: null,
  },
  ...{ endpoint: null, endpoint_name: null, endpoint_labels: {}, endpoints: 0 },
  ...changes,
})

it('joins the services, kinds and statuses with one error to one cause', () => {
  const groups = [
    createGroup('push', { last_received_at: at(3) }),
    createGroup('ping', { first_received_at: at(0), events: 4 }),
    createGroup('order', { provider: 'shop', status: 'dead', events: 2 }),
  ]
  expect(findCauses(groups)).toEqual([
    {
      error: 'The bus answered 503',
      events: { pending: 5, dead: 2 },
      groups: [groups[1], groups[2], groups[0]],
      firstReceivedAt: at(0),
      lastReceivedAt: at(3),
      newestDelivery: 'of push',
    },
  ])
})

it('lists causes with dead events first, then the newest', () => {
  const causes = findCauses([
    createGroup('push', { error: 'old', last_received_at: at(2) }),
    createGroup('push', { error: null, last_received_at: at(9) }),
    createGroup('push', { error: 'dead', status: 'dead', last_received_at: at(1) }),
  ])
  expect(causes.map(({ error }) => error)).toEqual(['dead', null, 'old'])
})
