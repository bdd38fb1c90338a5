import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Admin, ProduceAcks, Producer } from '@platformatic/kafka'
import { describeWith } from '@sallyport/test-support/services'
import { testConsumer } from '@sallyport/testing'
import { HandlerError, type WebhookEvent } from '@sallyport/webhooks'
import type { ConsumerOptions } from '@sallyport/webhooks/consumer'
import { describe, expect, it } from 'vitest'
import { createEvent, readTopic } from '../../test/kafka/read-topic.ts'
import { createKafkaConsumer } from './consumer.ts'
import { openKafka } from './index.ts'

const subjects = ['s0', 's1', 's2', 's3']

describeWith('kafka', (server) => {
  let count = 0
  testConsumer(
    { describe, expect, it },
    {
      create() {
        const { url, topic: prefix } = server()
        const broker = new URL(url).host
        const topic = `${prefix}-consumed-${String(++count)}`
        const kafka = openKafka({ url })
        const producer = new Producer({ clientId: 'texts', bootstrapBrokers: [broker] })
        return {
          publisher: kafka.bus({ topic }),
          publishText: (text) =>
            producer.send({ messages: [{ topic, value: Buffer.from(text) }], acks: ProduceAcks.ALL }),
          createConsumer: (options) => kafka.consumer({ ...options, topic }),
          async countDeadLetters(consumer, reason) {
            const dead = await readTopic([broker], `${topic}.${consumer}.dead`)
            return dead.filter(({ headers }) => headers.get('reason') === reason).length
          },
          async close() {
            await producer.close()
            await kafka.close()
          },
        }
      },
    },
  )

  /** Opens a topic with two partitions, which has events of four subjects in both. */
  async function openTopic(eventsPerSubject: number) {
    const { url, topic: prefix } = server()
    const topic = `${prefix}-shared-${String(++count)}`
    const kafka = openKafka({ url })
    const bus = kafka.bus({ topic, partitions: 2 })
    const publish = async (prefixOfId: string) => {
      const events = Array.from({ length: eventsPerSubject * subjects.length }, (_, index) => {
        const subject = subjects[index % subjects.length] ?? ''
        return createEvent(`${prefixOfId}-${subject}-${String(index)}`, { subject })
      })
      await bus.publish(events, AbortSignal.timeout(10_000))
      return events.map(({ id }) => id)
    }
    const readDeadLetters = async () => {
      const messages = await readTopic([new URL(url).host], `${topic}.one.dead`)
      return messages.map(({ headers }) => headers.get('ce_id') ?? '')
    }
    const create = (handler: (event: WebhookEvent) => unknown, options: Partial<ConsumerOptions> = {}) =>
      kafka.consumer({ name: 'one', topic, handlers: { 'doorbell/bell.rung': handler }, ...options })
    return { publish, readDeadLetters, create, close: () => kafka.close() }
  }

  it('drops the queued events of a partition that another process gets', async () => {
    const { publish, create, close } = await openTopic(10)
    const ids = await publish('event')
    const runs: [process: string, event: WebhookEvent][] = []
    const ended: string[] = []
    const createProcess = (process: string) =>
      create(async (event) => {
        runs.push([process, event])
        await sleep(300)
        ended.push(event.id)
      })
    const [first, second] = [createProcess('first'), createProcess('second')]
    await first.start()
    await expect.poll(() => ended.length).toBeGreaterThan(0)
    const settled = [...ended]
    await second.start()
    await expect.poll(() => new Set(runs.map(([, { id }]) => id)).size, { timeout: 20_000 }).toBe(ids.length)
    await Promise.all([first.stop(), second.stop()])
    const moved = subjects.filter((subject) =>
      runs.some(([process, event]) => process === 'second' && event.subject === subject),
    )
    expect(moved.length).toBeGreaterThan(0)
    for (const subject of moved) {
      const processes = runs.filter(([, event]) => event.subject === subject).map(([process]) => process)
      expect(processes, subject).toEqual(processes.toSorted())
    }
    // Only running handlers are repeated, at each rebalance.
    for (const id of settled) expect(runs.filter(([, event]) => event.id === id)).toHaveLength(1)
    await close()
  })

  it('stores no dead letter for an event whose partition moved, and continues when it comes back', async () => {
    const { publish, readDeadLetters, create, close } = await openTopic(1)
    const ids = await publish('event')
    const handled: string[] = []
    let isBroken = true
    const first = create(
      ({ id }) => {
        if (isBroken) throw new RangeError('secret')
        handled.push(id)
      },
      { attempts: 2, backoff: { baseMs: 5000, maximumMs: 5000 }, random: () => 0.99 },
    )
    const second = create(({ id }) => handled.push(id))
    await first.start()
    await sleep(500)
    await second.start()
    await expect
      .poll(async () => [...(await readDeadLetters()), ...handled].toSorted(), { timeout: 15_000 })
      .toEqual(ids.toSorted())
    expect(handled).not.toEqual([])
    // Longer than the pauses after a failure to store a dead letter.
    await sleep(2000)
    expect([...(await readDeadLetters()), ...handled]).toHaveLength(ids.length)

    isBroken = false
    await second.stop()
    const later = await publish('later')
    await expect.poll(() => handled, { timeout: 10_000 }).toEqual(expect.arrayContaining([...later]))
    await first.stop()
    await close()
  })

  it('stores the dead letter of a large event compressed, or without a value that is still too large', async () => {
    const { url, topic: prefix } = server()
    const topic = `${prefix}-large-${String(++count)}`
    const admin = new Admin({ clientId: 'large', bootstrapBrokers: [new URL(url).host] })
    const configs = [{ name: 'max.message.bytes', value: '8000000' }]
    await admin.createTopics({ topics: [topic], partitions: 1, replicas: 1, configs })
    await admin.close()
    const kafka = openKafka({ url })
    const bus = kafka.bus({ topic })
    const events = [
      createEvent('compressible', { data: 'commit message'.repeat(200_000) }),
      createEvent('random', { data: randomBytes(1_500_000).toString('hex') }),
      createEvent('after'),
    ]
    const results = await bus.publish(events, AbortSignal.timeout(20_000))
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true])
    const handled: string[] = []
    const consumer = kafka.consumer({
      ...{ name: 'one', topic },
      handlers: {
        'doorbell/bell.rung': ({ id }: { id: string }) => {
          handled.push(id)
          if (id !== 'after') throw new HandlerError('no', { retryable: false })
        },
      },
    })
    await consumer.start()
    await expect.poll(() => handled, { timeout: 15_000 }).toEqual(['compressible', 'random', 'after'])
    await consumer.stop()
    const dead = await readTopic([new URL(url).host], `${topic}.one.dead`)
    const stored = dead.map(({ key, value, headers }) => ({
      key,
      value: value === 'undefined' ? undefined : (JSON.parse(value) as unknown),
      id: headers.get('ce_id'),
      reason: headers.get('reason'),
      partition: headers.get('partition'),
      offset: headers.get('offset'),
    }))
    const common = { key: 'front', reason: 'no', partition: '0' }
    expect(stored.toSorted((one, other) => Number(one.offset) - Number(other.offset))).toEqual([
      { ...common, id: 'compressible', value: events[0]?.data, offset: '0' },
      { ...common, id: 'random', value: undefined, offset: '1' },
    ])
    await kafka.close()
  })

  it('consumes partitions that are added to the topic', async () => {
    const { url, topic: prefix } = server()
    const topic = `${prefix}-grown-${String(++count)}`
    const bootstrapBrokers = [new URL(url).host]
    const kafka = openKafka({ url })
    await kafka.bus({ topic, partitions: 1 }).publish([createEvent('first')], AbortSignal.timeout(10_000))
    const handled: string[] = []
    const handlers = { 'doorbell/bell.rung': ({ id }: { id: string }) => handled.push(id) }
    const errors: unknown[] = []
    const options = { name: 'one', topic, handlers, onError: (error: unknown) => errors.push(error) }
    const create = (checkMs?: number) =>
      createKafkaConsumer({ clientId: 'grown', bootstrapBrokers }, options, checkMs)
    // The leader of the group, and a process that has not checked yet.
    const consumers = [create(300), create()]
    for (const consumer of consumers) await consumer.start()
    await expect.poll(() => handled, { timeout: 10_000 }).toEqual(['first'])

    const admin = new Admin({ clientId: 'grown', bootstrapBrokers })
    await admin.createPartitions({ topics: [{ name: topic, count: 6, assignments: null }] })
    await admin.close()
    const events = Array.from({ length: 40 }, (_, index) =>
      createEvent(`later-${String(index)}`, { subject: `door-${String(index)}` }),
    )
    // A bus that begins now knows all partitions.
    await kafka.bus({ topic }).publish(events, AbortSignal.timeout(10_000))
    await expect.poll(() => new Set(handled).size, { timeout: 15_000 }).toBe(41)
    expect(handled).toHaveLength(41)
    await Promise.all(consumers.map((consumer) => consumer.stop()))
    expect(errors).toEqual([])
    await kafka.close()
  })

  it('receives all events of a topic that was deleted and created again', async () => {
    const { url, topic: prefix } = server()
    const topic = `${prefix}-anew-${String(++count)}`
    const kafka = openKafka({ url })
    const handled: string[] = []
    const consumer = kafka.consumer({
      ...{ name: 'one', topic, partitions: 1, backoff: { baseMs: 100 } },
      handlers: { 'doorbell/bell.rung': ({ id }: { id: string }) => handled.push(id) },
    })
    await consumer.start()
    const publish = async (prefixOfId: string, length: number) => {
      const bus = kafka.bus({ topic, partitions: 1 })
      const events = Array.from({ length }, (_, index) => createEvent(`${prefixOfId}-${String(index)}`))
      const results = await bus.publish(events, AbortSignal.timeout(10_000))
      expect(results.every(({ ok }) => ok)).toBe(true)
      await bus.close()
      return events.map(({ id }) => id)
    }
    await publish('old', 10)
    await expect.poll(() => handled.length, { timeout: 10_000 }).toBe(10)
    const admin = new Admin({ clientId: 'anew', bootstrapBrokers: [new URL(url).host] })
    await admin.deleteTopics({ topics: [topic] })
    await admin.close()
    await sleep(1000)
    const ids = await publish('new', 15)
    await expect.poll(() => handled.slice(10), { timeout: 15_000 }).toEqual(ids)
    await consumer.stop()
    await kafka.close()
  })
})

it('stops within seconds while brokers accept connections and do not answer', async () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const kafka = openKafka({ url: `kafka://127.0.0.1:${String(port)}` })
  const consumer = kafka.consumer({ name: 'one', handlers: {} })
  const started = consumer.start()
  await expect.poll(() => sockets.size).toBeGreaterThan(0)
  const startedAt = performance.now()
  await consumer.stop()
  expect(performance.now() - startedAt).toBeLessThan(8000)
  await started
  for (const socket of sockets) socket.destroy()
  silent.close()
  await kafka.close()
})
