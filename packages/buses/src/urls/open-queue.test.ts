import { randomUUID } from 'node:crypto'
import { describeWith } from '@sallyport/test-support/services'
import { createDelivery } from '@sallyport/test-support/records'
import { createEvent } from '@sallyport/webhooks/testing'
import { createDispatcher, createDrainer, createMemoryBus, createMemoryInbox } from '@sallyport/webhooks'
import { expect, it, vi } from 'vitest'
import { readIds } from '../../test/redis/fresh.ts'
import { readStream } from '../../test/nats/fresh.ts'
import { openQueue } from '../index.ts'

const { signal } = new AbortController()

/** Sends a recorded event through the queue at the URL, and then again as a replay. */
async function sendTwice(url: string): Promise<void> {
  const inbox = createMemoryInbox()
  const bus = createMemoryBus()
  const queue = await openQueue(url)
  const delivery = createDelivery(Date.now(), {
    event: createEvent('doorbell:a', Date.now()),
    route: 'queue',
  })
  await inbox.record(delivery)
  const drainer = createDrainer({ consumer: queue.consumer, publisher: bus, inbox })
  await drainer.start()
  const dispatcher = createDispatcher({ inbox, publisher: bus, queue: queue.publisher, pollMs: 50 })
  dispatcher.start()
  const isPublished = async (duplicate: boolean) => {
    const [state] = (await inbox.get(delivery.id))?.events ?? []
    expect([state?.status, state?.duplicate === true]).toEqual(['published', duplicate])
  }
  await vi.waitFor(() => isPublished(false), { timeout: 30_000 })
  expect(bus.events).toEqual(delivery.events.map(({ event }) => event))
  await inbox.replay({ ids: [delivery.id] })
  await vi.waitFor(() => isPublished(true), { timeout: 30_000 })
  await Promise.all([dispatcher.stop(), drainer.stop()])
  await queue.close()
}

describeWith('nats', (server) => {
  it('passes each event of a queue on NATS, also again, and leaves none in the stream', async () => {
    const stream = `${server().stream}_${randomUUID().slice(0, 8)}`
    await sendTwice(`${server().url}/${stream}`)
    expect(await readStream(server().url, `${stream}_QUEUE`)).toEqual([])
  })
})

describeWith('redis', (server) => {
  it('passes each event of a queue on Redis, also again, and leaves none in the stream', async () => {
    const name = `${server().name}-${randomUUID().slice(0, 8)}`
    await sendTwice(`${server().url}?name=${name}`)
    expect(await readIds(server().url, `${name}-queue`)).toEqual([])
  })
})

describeWith('rabbitmq', (server) => {
  it('passes each event of a queue on RabbitMQ, also again, and leaves none in the queue', async () => {
    const url = `${server().url}/%2F?exchange=${server().freshName()}`
    await sendTwice(url)
    const queue = await openQueue(url)
    const received = vi.fn()
    const consumer = queue.consumer({ name: 'drainer', handlers: received })
    await consumer.start()
    await queue.publisher.publish([createEvent('doorbell:last', 0)], signal)
    await vi.waitFor(() => {
      expect(received).toHaveBeenCalledOnce()
    })
    await consumer.stop()
    await queue.close()
  })
})
