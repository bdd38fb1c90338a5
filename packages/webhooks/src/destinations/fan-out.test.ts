import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it, vi } from 'vitest'
import { createMemoryInbox, defineProvider } from '../index.ts'
import type { Destination } from '../ports/destination.ts'
import type { EventRecord } from '../ports/ports.ts'
import { doorbell, openGateway } from '../../test/doorbell.ts'
import { createFanOut } from './fan-out.ts'

const send = () => Promise.reject(new Error('not sent'))
const to = (name: string, options: Partial<Destination> = {}): Destination => ({
  ...{ name, mode: 'event', send },
  ...options,
})
const record = (id: string, options: Partial<EventRecord> = {}): EventRecord => ({
  ...{ event: createEvent(id, 0), route: 'direct', notify: false },
  ...options,
})
const fanOut = (destinations: readonly Destination[], isHandled = false) =>
  createFanOut({ destinations: () => destinations, isHandled: () => isHandled, onError: () => undefined })
const listRows = (rows: ReturnType<ReturnType<typeof createFanOut>>) =>
  rows.map(({ record: { event, lane }, events }) => [event.id, lane?.name.split('/')[0], events])

describe('the rows of a delivery', () => {
  it('are one for each event and destination that accepts it, and one for the handlers', () => {
    const destinations = [to('a'), to('b', { accepts: ({ id }) => id === 'doorbell:2' })]
    const records = [record('doorbell:1'), record('doorbell:2', { notify: true })]
    expect(listRows(fanOut(destinations)(records))).toEqual([
      ['doorbell:2', undefined, [1]],
      ['>a/doorbell:1', '>a', [0]],
      ['>a/doorbell:2', '>a', [1]],
      ['>b/doorbell:2', '>b', [1]],
    ])
    expect(fanOut(destinations, true)(records)).toHaveLength(5)
  })

  it('have no destination for an event that nobody accepts', () => {
    const onFiltered = vi.fn()
    const destinations = [to('a', { accepts: () => false })]
    const one = record('doorbell:1')
    const rows = createFanOut({
      destinations: () => destinations,
      isHandled: () => false,
      onError: vi.fn(),
      onFiltered,
    })([one])
    expect(onFiltered.mock.calls).toEqual([['a', one.event]])
    expect(listRows(rows)).toEqual([['doorbell:1', undefined, [0]]])
  })

  it('are one for each destination in original mode', () => {
    const destination = to('a', { mode: 'original', accepts: ({ id }) => id !== 'doorbell:1' })
    const records = ['doorbell:1', 'doorbell:2', 'doorbell:3'].map((id) => record(id))
    const [own, row] = fanOut([destination])(records)
    expect(own?.record.event.id).toBe('doorbell:1')
    expect(row?.events).toEqual([1, 2])
    expect(row?.record.event.data).toMatchObject({ events: [{ id: 'doorbell:2' }, { id: 'doorbell:3' }] })
    const other = fanOut([destination])([records[1]!, record('doorbell:4')])
    expect(other[0]?.record.event.id).not.toBe(row?.record.event.id)
  })

  it('have lanes by the order of the destination', () => {
    const laneOf = (options: Partial<Destination>, subject = 'front') => {
      const event = createEvent('doorbell:1', 0, { subject })
      const source = { ...event.source, endpoint: 'acme' }
      return fanOut([to('a', options)])([record('', { event: { ...event, source } })])[0]?.record.lane
    }
    expect(laneOf({ order: 'subject' })).toEqual({ name: '>a/doorbell/front', isOrdered: true })
    expect(laneOf({ order: 'endpoint' })).toEqual({ name: '>a/doorbell/acme', isOrdered: true })
    expect(laneOf({ concurrency: 1 })).toEqual({ name: '>a/0', isOrdered: false })
    expect(laneOf({ order: 'subject' }, 'x'.repeat(5000))?.name).toHaveLength(279)
  })

  it('include a destination whose filter throws', () => {
    const onError = vi.fn()
    const error = new Error('no')
    const accepts = () => {
      throw error
    }
    const rows = createFanOut({
      destinations: () => [to('a', { accepts })],
      isHandled: () => false,
      onError,
    })([record('doorbell:1')])
    expect(listRows(rows)).toEqual([['>a/doorbell:1', '>a', [0]]])
    expect(onError).toHaveBeenCalledWith(error)
  })
})

describe('a gateway with destinations', () => {
  it('records the rows, and takes a redelivery for a duplicate', async () => {
    const { deliver, recorded } = openGateway({ fanOut: fanOut([to('a'), to('b')]) })
    expect((await deliver()).said).toBe('accepted')
    const ids = recorded[0]?.record.events.map(({ event }) => event.id)
    expect(ids).toEqual(['>a/doorbell:bell.rung:1', '>b/doorbell:bell.rung:1'])
    expect(recorded[0]?.record.values).toContain('doorbell:bell.rung:1')
    expect((await deliver()).said).toBe('duplicate')
  })

  it('quarantines an old event, unless all of its destinations have it', async () => {
    const inbox = createMemoryInbox()
    const old = defineProvider({
      ...doorbell,
      normalize: () =>
        ({ kind: 'bell.rung', key: ['a'], subject: 's', occurredAt: 0, data: { door: 'a' } }) as const,
    })
    const open = (names: readonly string[], maxEventAgeMs: number) =>
      openGateway({ providers: [old], inbox, maxEventAgeMs, fanOut: fanOut(names.map((name) => to(name))) })
    expect((await open(['a'], Infinity).deliver()).said).toBe('accepted')
    expect((await open(['a'], 1000).deliver()).said).toBe('duplicate')
    expect((await open(['a', 'b'], 1000).deliver()).said).toBe('quarantined')
  })
})
