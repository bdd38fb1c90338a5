import {
  describeNeeding,
  kafkaBrokers,
  openKafkaCluster,
  type KafkaCluster,
} from '@sallyport/test-support/services'
import type { PublishResult } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { openKafka, type KafkaBus } from '../../src/kafka/index.ts'
import { createEvent, readTopic } from '../../test/kafka/read-topic.ts'

const { signal } = new AbortController()
const pollOptions = { timeout: 120_000, interval: 200 }

const batches = Array.from({ length: 150 }, (_, batch) =>
  Array.from({ length: 20 }, (_, index) =>
    createEvent(`doorbell:${String(batch)}:${String(index)}`, { subject: `door-${String(index)}` }),
  ),
)
const events = batches.flat()

/** Publishes all batches, then the failed events again until the bus has them all. Returns the ids of the first round. */
async function publishAll(bus: KafkaBus, afterFirst: () => Promise<unknown>): Promise<readonly string[]> {
  const results: PublishResult[] = []
  const sending = (async () => {
    for (const batch of batches) results.push(...(await bus.publish(batch, signal)))
  })()
  await expect.poll(() => results.length, { ...pollOptions, interval: 1 }).toBeGreaterThan(0)
  await afterFirst()
  await sending
  const failed = results.filter((result) => !result.ok)
  expect(failed.every(({ retryable }) => retryable)).toBe(true)
  const confirmed = events.filter((_, index) => results[index]?.ok === true).map(({ id }) => id)
  let again = events.filter((_, index) => results[index]?.ok !== true)
  const publishRest = async () => {
    const answers = await bus.publish(again, signal)
    again = again.filter((_, index) => answers[index]?.ok !== true)
    return again.length
  }
  await expect.poll(publishRest, pollOptions).toBe(0)
  return confirmed
}

describeNeeding(kafkaBrokers, (libraries) => {
  async function open(cluster: KafkaCluster) {
    const reported: string[] = []
    const client = openKafka({
      url: `kafka://${cluster.brokers.join(',')}`,
      timeoutMs: 3000,
      onUnavailable: () => reported.push('unavailable'),
      onAvailable: () => reported.push('available'),
    })
    const bus = client.bus({ topic: 'webhooks' })
    await expect.poll(() => bus.ping().then(() => 'ok', String), pollOptions).toBe('ok')
    return { client, bus, reported }
  }

  it('loses no confirmed event when the only broker is killed', async () => {
    await using cluster = await openKafkaCluster(libraries, 1)
    const { client, bus, reported } = await open(cluster)
    const confirmed = await publishAll(bus, async () => {
      await cluster.kill(0)
      cluster.restart(0)
    })
    const stored = (await readTopic(cluster.brokers, 'webhooks')).map(({ headers }) => headers.get('ce_id'))
    expect(confirmed.filter((id) => !stored.includes(id))).toEqual([])
    expect([...new Set(stored)].sort()).toEqual(events.map(({ id }) => id).sort())
    expect(reported.at(-1)).toBe('available')
    await client.close()
  })

  it('loses no confirmed event while the only broker is frozen for longer than the timeout', async () => {
    await using cluster = await openKafkaCluster(libraries, 1)
    const { client, bus } = await open(cluster)
    const confirmed = await publishAll(bus, async () => {
      cluster.pause(0)
      await new Promise((resolve) => setTimeout(resolve, 12_000))
      cluster.resume(0)
    })
    const stored = (await readTopic(cluster.brokers, 'webhooks')).map(({ headers }) => headers.get('ce_id'))
    expect(confirmed.filter((id) => !stored.includes(id))).toEqual([])
    expect([...new Set(stored)].sort()).toEqual(events.map(({ id }) => id).sort())
    await client.close()
  })

  it('publishes with two of three brokers', async () => {
    await using cluster = await openKafkaCluster(libraries, 3)
    const { client, bus } = await open(cluster)
    await publishAll(bus, () => cluster.kill(1))
    const remaining = [cluster.brokers[0]!, cluster.brokers[2]!]
    const stored = (await readTopic(remaining, 'webhooks')).map(({ headers }) => headers.get('ce_id'))
    expect([...new Set(stored)].sort()).toEqual(events.map(({ id }) => id).sort())
    await client.close()
  })
})
