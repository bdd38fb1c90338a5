import { createDelivery } from '@sallyport/test-support/records'
import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'
import { doorbell, never as hang } from '../../test/doorbell.ts'
import { useOwnClock } from '../../test/own-clock.ts'
import { createDispatcher, createMemoryBus, createMemoryInbox, route, type WebhookEvent } from '../index.ts'
import type { DispatcherOptions } from './dispatcher.ts'
import type { EventRoute } from '../route/route.ts'

const pass = useOwnClock()
const start = 1_000_000
const firstOutage = { from: start + 5000, to: start + 125_000 }
const secondOutage = { from: start + 65_000, to: start + 185_000 }
const never = { from: 0, to: 0 }

interface Outage {
  readonly from: number
  readonly to: number
  /** Whether the destination does not answer during its outage. @default it rejects */
  readonly hangs?: boolean
}

/** A destination that rejects or hangs during its outage, and remembers when it took each event. */
function destination(outage: Outage) {
  const taken = new Map<string, number[]>()
  return {
    outage,
    taken,
    take: async (events: readonly WebhookEvent[]) => {
      await pause(5)
      const now = Date.now()
      if (now >= outage.from && now < outage.to) {
        if (outage.hangs) await hang()
        throw new Error('away')
      }
      for (const { id } of events) taken.set(id, [...(taken.get(id) ?? []), now])
    },
  }
}

type Destination = ReturnType<typeof destination>

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const getNumber = (id: string) => Number(id.split(':')[1])

/** Routes events to destinations, by the number of the event and that of the destination. */
const routeTo = (
  destinations: readonly Destination[],
  isFor: (number: number, destination: number) => boolean = () => true,
) =>
  route(
    destinations.map(({ take }, index): EventRoute => {
      const publish = async (events: readonly WebhookEvent[]) => {
        await take(events)
        return events.map(() => ({ ok: true }) as const)
      }
      return {
        name: `target-${index}`,
        publisher: { publish },
        when: ({ id }) => isFor(getNumber(id), index),
      }
    }),
  )

/** Records events for four minutes and dispatches them, until the outages have ended for five minutes. */
async function run(perSecond: number, options: Omit<DispatcherOptions, 'inbox'>): Promise<void> {
  const inbox = createMemoryInbox()
  const dispatcher = createDispatcher({ inbox, random: () => 0.99, ...options })
  dispatcher.start()
  for (let number = 0; number < perSecond * 240; number++) {
    const now = Date.now()
    const record = createDelivery(now, { event: createEvent(`doorbell:${number}`, now), notify: true })
    const reservation = dispatcher.reserve(record)
    reservation?.fill(await inbox.record(record, { leaseMs: reservation.leaseMs }))
    await pass(1000 / perSecond)
  }
  await pass(300_500)
  await dispatcher.stop()
}

/** Lists how long events waited for a destination while it was not away, in milliseconds. */
const listWaits = ({ taken, outage }: Destination, perSecond: number): readonly number[] =>
  Array.from(taken, ([id, [first = Infinity]]) => {
    const recordedAt = start + (getNumber(id) * 1000) / perSecond
    return first - (recordedAt < outage.from ? recordedAt : Math.max(recordedAt, outage.to))
  })

const longestWait = (one: Destination, perSecond: number): number => Math.max(...listWaits(one, perSecond))

describe('an outage of one destination of three', () => {
  const inTurn = (number: number, index: number) => number % 3 === index
  it.each([
    ['events for one of them', 20, inTurn],
    ['many events for one of them', 50, inTurn],
    ['events for all of them', 20, () => true],
  ])('ends with all events, and does not delay the others: %s', async (_, perSecond, isFor) => {
    const destinations = [firstOutage, never, never].map(destination)
    await run(perSecond, { publisher: routeTo(destinations, isFor) })
    const [away, ...healthy] = destinations
    expect(longestWait(away!, perSecond)).toBeLessThan(2000)
    expect(Math.max(...healthy.map((one) => longestWait(one, perSecond)))).toBeLessThan(20)
    const numbers = Array.from({ length: perSecond * 240 }, (__, number) => number)
    for (const [index, { taken }] of destinations.entries()) {
      const expected = numbers.filter((number) => isFor(number, index)).length
      expect([taken.size, [...taken.values()].flat().length]).toEqual([expected, expected])
    }
  })

  it.each([
    ['events for one of them', 20, inTurn],
    ['many events for one of them', 100, inTurn],
    ['events for all of them', 20, () => true],
  ])('delays the others once for two seconds if it hangs: %s', async (_, perSecond, isFor) => {
    const destinations = [{ ...firstOutage, hangs: true }, never, never].map(destination)
    await run(perSecond, { publisher: routeTo(destinations, isFor) })
    for (const [index, one] of destinations.entries()) {
      const numbers = Array.from({ length: perSecond * 240 }, (__, number) => number)
      expect(one.taken.size).toBe(numbers.filter((number) => isFor(number, index)).length)
      expect(longestWait(one, perSecond)).toBeLessThan(2100)
    }
    const waits = listWaits(destinations[1]!, perSecond)
    expect(waits.filter((ms) => ms > 20).length).toBeLessThan(perSecond * 2)
  })

  it('ends while another destination of the same events is away', async () => {
    const destinations = [firstOutage, secondOutage, never].map(destination)
    await run(20, { publisher: routeTo(destinations) })
    for (const one of destinations) {
      expect(one.taken.size).toBe(20 * 240)
      expect(longestWait(one, 20)).toBeLessThan(2000)
    }
  })

  it('ends by a probe when no further event is for it', async () => {
    const destinations = [firstOutage, never, never].map(destination)
    const publisher = routeTo(destinations, (number, index) => number < 120 === (index === 0))
    await run(20, { publisher, backoff: { baseMs: 3_600_000 } })
    const [away] = destinations
    expect(away!.taken.size).toBe(120)
    expect(longestWait(away!, 20)).toBeLessThan(10_000)
  })
})

it('an outage of the notifier ends with all notifications', async () => {
  const notifier = destination(firstOutage)
  await run(20, {
    publisher: createMemoryBus(),
    notifications: {
      // Every second event has no message, which says nothing about the notifier.
      providers: [
        {
          ...doorbell,
          notify: ({ id }) =>
            getNumber(id) % 2 === 0 ? { title: id, text: '', severity: 'info' } : undefined,
        },
      ],
      notifier: { notify: (_, event) => notifier.take([event]) },
    },
  })
  expect(notifier.taken.size).toBe(20 * 120)
  expect(longestWait(notifier, 20)).toBeLessThan(2000)
})
