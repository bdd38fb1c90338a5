import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it } from 'vitest'
import type { WebhookEvent } from '../ports/event.ts'
import { testPublisher } from '../testing/publisher-suite.ts'
import { createMemoryBus, type MemoryBus } from './bus.ts'

const { signal } = new AbortController()

testPublisher(
  { describe, expect, it },
  {
    create: () => createMemoryBus(),
    keepsObjects: true,
    events: (bus) => (bus as MemoryBus).events,
  },
)

describe('createMemoryBus', () => {
  it('calls each subscriber once when another subscriber fails', async () => {
    const bus = createMemoryBus()
    const received: string[] = []
    const listener = ({ id }: WebhookEvent) => received.push(id)
    bus.subscribe(() => {
      throw new Error('The listener failed')
    })
    bus.subscribe(() => Promise.reject(new Error('The listener failed')))
    const unsubscribe = bus.subscribe(listener)
    const event = createEvent('doorbell:a', 0)
    await bus.publish([event, event], signal)
    unsubscribe()
    await bus.publish([createEvent('doorbell:b', 0)], signal)
    expect(received).toEqual(['doorbell:a'])
  })

  it.each(['ids', 'events'])('rejects an invalid number of %s', (name) => {
    for (const value of [NaN, Infinity, 0, -1, 1.5]) {
      expect(() => createMemoryBus({ [name]: value })).toThrow(
        new TypeError(`${name} must be an integer of at least 1`),
      )
    }
  })

  it('forgets the oldest ids', async () => {
    const bus = createMemoryBus({ ids: 2, events: 2 })
    for (const id of ['a', 'b', 'c']) await bus.publish([createEvent(id, 0)], signal)
    expect(bus.events.map(({ id }) => id)).toEqual(['b', 'c'])
    expect(await bus.publish([createEvent('b', 0), createEvent('a', 0)], signal)).toEqual([
      { ok: true, duplicate: true },
      { ok: true, duplicate: false },
    ])
  })

  it('stores 100,000 ids by default, 1,000 of them with their events', async () => {
    const bus = createMemoryBus()
    const events = Array.from({ length: 100_001 }, (_, index) => createEvent(String(index), 0))
    await bus.publish(events, signal)
    expect(bus.events).toHaveLength(1000)
    expect(bus.events[0]?.id).toBe('99001')
    const again = [events[1], events[0]].filter((event) => event !== undefined)
    expect(await bus.publish(again, signal)).toEqual([
      { ok: true, duplicate: true },
      { ok: true, duplicate: false },
    ])
  })
})
