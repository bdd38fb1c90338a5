import { GetQueueAttributesCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs'
import { describeWith, openProxy, unusedPort } from '@sallyport/test-support/services'
import { describe, expect, it, vi } from 'vitest'
import { createClientOptions, createQueue } from '../../../test/aws/aws-server.ts'
import { createMessage, openGateway } from '../../../test/aws/deliveries.ts'
import { createSqsHost } from './index.ts'

describeWith('elasticmq', (connection) => {
  let count = 0

  /** Creates a queue of deliveries whose messages move to another queue after they were received twice. */
  async function open() {
    const name = `${connection().prefix}in-${String(++count)}`
    const dead = await createQueue(connection().url, `${name}-dead`)
    const { Attributes } = await dead.client.send(
      new GetQueueAttributesCommand({ QueueUrl: dead.queueUrl, AttributeNames: ['QueueArn'] }),
    )
    const redrive = { deadLetterTargetArn: Attributes?.['QueueArn'], maxReceiveCount: '2' }
    const queue = await createQueue(connection().url, name, {
      ...{ VisibilityTimeout: '1', RedrivePolicy: JSON.stringify(redrive) },
    })
    const send = (messages: readonly string[]) =>
      queue.client.send(
        new SendMessageBatchCommand({
          QueueUrl: queue.queueUrl,
          Entries: messages.map((MessageBody, index) => ({ Id: String(index), MessageBody })),
        }),
      )
    const options = { queueUrl: queue.queueUrl, clientOptions: createClientOptions(connection().url) }
    return { queue, dead, send, options: { ...options, waitSeconds: 1 } }
  }

  it('passes deliveries to the gateway, and leaves refused ones to the dead-letter queue', async () => {
    const { queue, dead, send, options } = await open()
    const { gateway, inbox } = openGateway()
    const onRefused = vi.fn()
    const forged = await createMessage({ kind: 'rung', id: '3' }, { isForged: true })
    const rung = await createMessage({ kind: 'rung', id: '1' })
    await send([rung, rung, await createMessage({ kind: 'broken', id: '2' }), forged, 'no request'])
    const host = createSqsHost(gateway, { ...options, onRefused })
    host.start()
    await expect.poll(() => onRefused.mock.calls.length, { timeout: 20_000 }).toBe(4)
    const found: string[] = []
    await expect
      .poll(async () => {
        found.push(...(await dead.drain()).map(({ Body }) => String(Body)))
        return found.sort()
      })
      .toEqual([forged, 'no request'].sort())
    await host.stop()
    expect(await queue.drain()).toEqual([])
    const statuses = (await inbox.list({ limit: 10 })).map(({ status }) => status)
    expect(statuses.sort()).toEqual(['pending', 'quarantined'])
  })

  it('verifies a delivery at the time of its request, although the message is newer', async () => {
    const { queue, send, options } = await open()
    const { gateway, inbox } = openGateway()
    const requestedAt = Date.now() - 3 * 24 * 60 * 60_000
    await send([await createMessage({ kind: 'rung', id: '1' }, { time: requestedAt, requestedAt })])
    const host = createSqsHost(gateway, { ...options, receivers: 1 })
    host.start()
    await expect
      .poll(() => inbox.list({ limit: 10 }), { timeout: 20_000 })
      .toMatchObject([{ status: 'pending', receivedAt: requestedAt }])
    await host.stop()
    expect(await queue.drain()).toEqual([])
  })

  it('pauses while the inbox is unavailable', async () => {
    const { queue, send, options } = await open()
    const { gateway, inbox } = openGateway()
    const record = vi.spyOn(inbox, 'record').mockRejectedValueOnce(new Error('unavailable'))
    await send([await createMessage({ kind: 'rung', id: '1' })])
    const host = createSqsHost(gateway, { ...options, receivers: 1 })
    host.start()
    await expect.poll(() => record.mock.calls.length, { timeout: 20_000 }).toBe(2)
    await host.stop()
    expect(await inbox.list({ limit: 10 })).toMatchObject([{ status: 'pending' }])
    expect(await queue.drain()).toEqual([])
  })

  it('stops without a wait for messages', async () => {
    const { options } = await open()
    const onError = vi.fn()
    const host = createSqsHost(openGateway().gateway, { ...options, waitSeconds: 20, onError })
    host.start()
    await new Promise((resolve) => setTimeout(resolve, 200))
    const startedAt = performance.now()
    await host.stop()
    expect(performance.now() - startedAt).toBeLessThan(2000)
    expect(onError).not.toHaveBeenCalled()
  })

  /** Opens a host that reaches the queue through a proxy. */
  async function openBehindProxy(timeoutMs: number) {
    const { queue, send } = await open()
    const proxy = await openProxy(connection().url, await unusedPort())
    const { gateway, inbox } = openGateway()
    const onError = vi.fn()
    const host = createSqsHost(gateway, {
      queueUrl: new URL(new URL(queue.queueUrl).pathname, proxy.url).href,
      clientOptions: createClientOptions(proxy.url),
      ...{ receivers: 1, waitSeconds: 1, timeoutMs, onError },
    })
    /** Freezes the connections when the next delivery is recorded, before its deletion. */
    const freezeAtRecord = () => {
      const record = inbox.record.bind(inbox)
      return vi.spyOn(inbox, 'record').mockImplementationOnce((delivery) => {
        proxy.freeze()
        return record(delivery)
      })
    }
    const close = () => proxy.close()
    return { queue, send, proxy, freezeAtRecord, inbox, host, onError, [Symbol.asyncDispose]: close }
  }

  it('reports a receipt that is not answered, and continues on another connection', async () => {
    await using opened = await openBehindProxy(300)
    const { queue, send, proxy, inbox, host, onError } = opened
    host.start()
    await expect.poll(() => proxy.connections).toBe(1)
    proxy.freeze()
    await send([await createMessage({ kind: 'rung', id: '1' })])
    await expect.poll(async () => (await inbox.list({ limit: 10 })).length, { timeout: 20_000 }).toBe(1)
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ name: 'TimeoutError' })]])
    await host.stop()
    expect(await queue.drain()).toEqual([])
  })

  it('reports a deletion that is not answered, and takes the delivery again', async () => {
    await using opened = await openBehindProxy(300)
    const { queue, send, freezeAtRecord, inbox, host, onError } = opened
    const recording = freezeAtRecord()
    await send([await createMessage({ kind: 'rung', id: '1' })])
    host.start()
    await expect.poll(() => recording.mock.calls.length, { timeout: 20_000 }).toBe(2)
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ name: 'TimeoutError' })]])
    await host.stop()
    expect(await inbox.list({ limit: 10 })).toHaveLength(1)
    expect(await queue.drain()).toEqual([])
  })

  it('stops after the given time while a deletion is not answered', async () => {
    await using opened = await openBehindProxy(60_000)
    const { send, freezeAtRecord, host } = opened
    const recording = freezeAtRecord()
    await send([await createMessage({ kind: 'rung', id: '1' })])
    host.start()
    await expect.poll(() => recording.mock.calls.length, { timeout: 20_000 }).toBe(1)
    const startedAt = performance.now()
    await host.stop(300)
    expect(performance.now() - startedAt).toBeLessThan(2000)
  })
})

describe('createSqsHost', () => {
  it('reports that the queue does not answer, and continues', async () => {
    const url = `http://127.0.0.1:${String(await unusedPort())}`
    const onError = vi.fn()
    const options = { queueUrl: `${url}/1/queue`, clientOptions: createClientOptions(url) }
    const host = createSqsHost(openGateway().gateway, { ...options, receivers: 1, onError })
    host.start()
    await expect.poll(() => onError.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(1)
    await host.stop()
  })

  it('stops while the client waits for credentials', async () => {
    const credentials = vi.fn(() => new Promise<never>(() => undefined))
    const host = createSqsHost(openGateway().gateway, {
      queueUrl: 'https://sqs.eu-central-1.amazonaws.com/123456789012/deliveries',
      clientOptions: { credentials },
    })
    host.start()
    await expect.poll(() => credentials.mock.calls.length).toBeGreaterThan(0)
    const startedAt = performance.now()
    await host.stop()
    expect(performance.now() - startedAt).toBeLessThan(2000)
  })

  it('rejects options out of range', () => {
    const { gateway } = openGateway()
    const queueUrl = 'https://sqs.eu-central-1.amazonaws.com/123456789012/deliveries'
    expect(() => createSqsHost(gateway, { queueUrl, receivers: 0 })).toThrow('receivers')
    expect(() => createSqsHost(gateway, { queueUrl, waitSeconds: 21 })).toThrow('waitSeconds')
    expect(() => createSqsHost(gateway, { queueUrl, timeoutMs: 0 })).toThrow('timeoutMs')
    expect(() => createSqsHost(gateway, { queueUrl, basePath: 'x' })).toThrow(TypeError)
    expect(() => createSqsHost(gateway, { queueUrl: '' })).toThrow('queueUrl')
  })
})
