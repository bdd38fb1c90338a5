import { createDelivery } from '@sallyport/test-support/records'
import { createEvent } from '@sallyport/webhooks/testing'
import { describe, expect, it, vi } from 'vitest'
import { createMemoryQueue } from '../../test/memory-queue.ts'
import {
  createDispatcher,
  createDrainer,
  createMemoryBus,
  createMemoryInbox,
  type Attempt,
  type WebhookEvent,
  type Publisher,
  type PublishResult,
  type Route,
} from '../index.ts'

const tooLarge: PublishResult = {
  ok: false,
  retryable: false,
  tooLarge: true,
  error: 'The event is too large',
}
const dataref = ({ id }: WebhookEvent) => `/data?event=${encodeURIComponent(id)}`
const large = { data: 'x'.repeat(1000) }

/** Wraps `publish` so that an event of more than 500 characters is too large. */
function limitSize(publish: Publisher['publish']): Publisher['publish'] {
  return async (events, signal) => {
    const isLarge = (event: WebhookEvent) => JSON.stringify(event).length > 500
    const taken = (
      await publish(
        events.filter((event) => !isLarge(event)),
        signal,
      )
    ).values()
    return events.map((event) => (isLarge(event) ? tooLarge : taken.next().value!))
  }
}

interface Setup {
  readonly dataref?: (event: WebhookEvent) => string
  readonly publish?: Publisher['publish']
  readonly route?: Route
  readonly queue?: ReturnType<typeof createMemoryQueue>
}

/** Records a small event and one of each size, and dispatches them. */
async function dispatch({ publish, route = 'direct', queue, dataref: toReference }: Setup) {
  let attempted = 0
  const options = {
    ...(toReference && { dataref: toReference }),
    onAttempt: ({ outcome }: Attempt) => {
      if (outcome.status !== 'queued') attempted++
    },
  }
  const inbox = createMemoryInbox()
  const bus = createMemoryBus()
  const publisher = { publish: publish ?? limitSize(bus.publish.bind(bus)) }
  const events = [createEvent('small', Date.now()), createEvent('large', Date.now(), large)]
  const delivery = createDelivery(Date.now(), ...events.map((event) => ({ event, route, notify: false })))
  await inbox.record(delivery)
  const dispatcher = createDispatcher({
    inbox,
    publisher,
    ...(queue && { queue }),
    ...options,
    random: () => 0.5,
  })
  dispatcher.start()
  const drainer = queue && createDrainer({ inbox, publisher, consumer: queue.consumer, ...options })
  await drainer?.start()
  await vi.waitFor(() => {
    expect(attempted).toBe(2)
  })
  await Promise.all([dispatcher.stop(), drainer?.stop()])
  const states = (await inbox.get(delivery.id))?.events ?? []
  return {
    published: bus.events,
    statuses: states.map(({ status }) => status),
    errors: states.flatMap(({ failures }) => failures.map(({ error }) => error)),
  }
}

describe('an event that is too large', () => {
  it('is published with a reference instead of its data', async () => {
    const { published, statuses } = await dispatch({ dataref })
    expect(statuses).toEqual(['published', 'published'])
    expect(published.map(({ id, data, dataref: reference }) => ({ id, data, reference }))).toEqual([
      { id: 'small', data: { door: 'front' }, reference: undefined },
      { id: 'large', data: undefined, reference: '/data?event=large' },
    ])
  })

  it('becomes a dead letter without dataref', async () => {
    const { published, statuses, errors } = await dispatch({})
    expect(published.map(({ id }) => id)).toEqual(['small'])
    expect(statuses).toEqual(['published', 'dead'])
    expect(errors).toEqual(['The event is too large'])
  })

  it('passes the shared queue with its data when only the bus is too small', async () => {
    const { published, statuses } = await dispatch({ dataref, route: 'queue', queue: createMemoryQueue() })
    expect(statuses).toEqual(['published', 'published'])
    expect(published.map((event) => event.dataref)).toEqual([undefined, '/data?event=large'])
  })

  it('passes the shared queue with a reference when the queue is too small', async () => {
    const queue = createMemoryQueue()
    const small = { ...queue, publish: limitSize(queue.publish) }
    const bus = createMemoryBus()
    const { statuses } = await dispatch({
      dataref,
      route: 'queue',
      queue: small,
      publish: bus.publish.bind(bus),
    })
    expect(statuses).toEqual(['published', 'published'])
    expect(bus.events.map(({ data, dataref: reference }) => [data === undefined, reference])).toEqual([
      [false, undefined],
      [true, '/data?event=large'],
    ])
  })

  it('becomes a dead letter when it is too large without its data too', async () => {
    const long = () => 'x'.repeat(1000)
    const { statuses, errors } = await dispatch({ dataref: long })
    expect(statuses).toEqual(['published', 'dead'])
    expect(errors).toEqual(['The event is too large'])
  })

  it('is retried when dataref throws, without the message of the error', async () => {
    const { statuses, errors } = await dispatch({
      dataref: () => {
        throw new TypeError('secret')
      },
    })
    expect(statuses).toEqual(['published', 'pending'])
    expect(errors).toEqual(['The function dataref failed: TypeError'])
  })

  it('is retried alone when the bus rejects the reference', async () => {
    const bus = createMemoryBus()
    const publish = limitSize(bus.publish.bind(bus))
    const { statuses, errors } = await dispatch({
      dataref,
      publish: (events, signal) =>
        events.some((event) => event.dataref !== undefined)
          ? Promise.reject(new RangeError('secret'))
          : publish(events, signal),
    })
    expect(statuses).toEqual(['published', 'pending'])
    expect(errors).toEqual(['RangeError'])
  })
})
