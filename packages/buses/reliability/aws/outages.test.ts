import { describeNeeding, elasticmqServers, openElasticmqServer } from '@sallyport/test-support/services'
import type { PublishResult } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { createSqsPublisher, type AwsBus } from '../../src/aws/sqs/index.ts'
import { createClientOptions, createEvent, createQueue, readEvents } from '../../test/aws/aws-server.ts'

const { signal } = new AbortController()
const pollOptions = { timeout: 60_000, interval: 200 }

const batches = Array.from({ length: 100 }, (_, batch) =>
  Array.from({ length: 20 }, (_, index) =>
    createEvent(`doorbell:${String(batch)}:${String(index)}`, { subject: `door-${String(index)}` }),
  ),
)
const events = batches.flat()
const ids = events.map(({ id }) => id)

/** Publishes all batches, and starts the outage after the first. Returns the ids without a confirmation. */
async function publishAll(bus: AwsBus, outage: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const results: PublishResult[] = []
  const sending = (async () => {
    for (const batch of batches) results.push(...(await bus.publish(batch, signal)))
  })()
  await expect.poll(() => results.length, { ...pollOptions, interval: 1 }).toBeGreaterThan(0)
  await outage()
  await sending
  const failed = results.filter((result) => !result.ok)
  expect(failed.length).toBeGreaterThan(0)
  expect(failed.every(({ retryable }) => retryable)).toBe(true)
  return new Set(ids.filter((_, index) => results[index]?.ok !== true))
}

/** Publishes events until the bus has them all. */
async function publishRest(bus: AwsBus, missing: ReadonlySet<string>): Promise<void> {
  let rest = events.filter(({ id }) => missing.has(id))
  const attempt = async () => {
    const results = await bus.publish(rest, signal)
    rest = rest.filter((_, index) => results[index]?.ok !== true)
    return rest.length
  }
  await expect.poll(attempt, pollOptions).toBe(0)
}

describeNeeding(elasticmqServers, (libraries) => {
  it.each([
    ['a standard queue', ''],
    ['a FIFO queue', '.fifo'],
  ])('loses no event of %s while SQS is frozen for longer than the timeout', async (_, end) => {
    await using server = await openElasticmqServer(libraries)
    const queue = await createQueue(server.url, `events${end}`)
    const reported: string[] = []
    const bus = createSqsPublisher({
      queueUrl: queue.queueUrl,
      clientOptions: createClientOptions(server.url),
      timeoutMs: 1000,
      onUnavailable: () => reported.push('unavailable'),
      onAvailable: () => reported.push('available'),
    })
    const missing = await publishAll(bus, async () => {
      server.pause()
      await new Promise((resolve) => setTimeout(resolve, 4000))
      server.resume()
    })
    await publishRest(bus, missing)
    const stored = (await readEvents(queue)).map(({ id }) => id)
    expect([...new Set(stored)].sort()).toEqual([...ids].sort())
    // A FIFO queue ignores an event that is sent again.
    if (end === '.fifo') expect(stored).toHaveLength(ids.length)
    expect(reported.slice(-2)).toEqual(['unavailable', 'available'])
    await bus.close()
  })

  it('confirms no event that a killed SQS did not store, and publishes it when the queue exists again', async () => {
    await using server = await openElasticmqServer(libraries)
    const { queueUrl } = await createQueue(server.url, 'events')
    const bus = createSqsPublisher({
      queueUrl,
      clientOptions: createClientOptions(server.url),
      timeoutMs: 1000,
    })
    const missing = await publishAll(bus, () => server.kill())
    // Without its queue.
    await server.restart()
    const [first] = events
    expect(await bus.publish(first ? [first] : [], signal)).toMatchObject([{ ok: false, retryable: true }])
    const queue = await createQueue(server.url, 'events')
    await publishRest(bus, missing)
    const stored = (await readEvents(queue)).map(({ id }) => id)
    expect([...new Set(stored)].sort()).toEqual([...missing].sort())
    await bus.close()
  })
})
