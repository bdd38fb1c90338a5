import { describeWith, openProxy, unusedPort } from '@sallyport/test-services'
import { connect } from 'amqplib'
import { describe, expect, it } from 'vitest'
import { isAmqpAddress } from '../src/engines/amqp.ts'
import { acceptOne } from './accept-one.ts'
import { readiness } from './readiness.ts'
import {
  adminToken,
  publishedEvents,
  secretsOf,
  sendWorkflowRun,
  startServerProcess,
  temporaryDirectory,
} from './server-process.ts'

const run = (id: number) => ({ type: 'workflow_run.completed', payload: { run: id } })

/** Leads the workflow runs of an exchange into a queue; answers how to take their ids out, in their order. */
async function openQueue(url: string, name: string) {
  const client = await connect(url)
  const channel = await client.createChannel()
  await channel.assertExchange(name, 'topic', { durable: true })
  await channel.assertQueue(name)
  await channel.bindQueue(name, name, 'codehost.workflow_run.#')
  return {
    async ids(): Promise<unknown[]> {
      const ids: unknown[] = []
      for (;;) {
        const message = await channel.get(name, { noAck: true })
        if (message === false) return ids
        ids.push(message.properties.messageId)
      }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

describeWith('rabbitmq', (rabbitmq) => {
  it('publishes a delivery on the exchange that BUS_URL names, once', async () => {
    await using data = await temporaryDirectory()
    const exchange = rabbitmq().freshName()
    await using queue = await openQueue(rabbitmq().url, exchange)
    await using server = await startServerProcess({
      DATA_DIR: data.path,
      BUS_URL: `${rabbitmq().url}/%2F?exchange=${exchange}`,
    })
    const secrets = await secretsOf(data.path)
    const send = () => sendWorkflowRun(server.base, secrets['WEBHOOK_SECRET_CODEHOST']!, run(1))
    const { data: first } = await send()
    expect((await send()).data.status).toBe('duplicate')
    const token = await adminToken(server.base, secrets)
    const listed = async () => (await publishedEvents(server.base, token)).map(({ id, route }) => [id, route])
    await expect.poll(listed).toEqual([[first.events[0]!.id, 'direct']])
    expect(await queue.ids()).toEqual([first.events[0]!.id])
    expect(await readiness(server.base, token)).toMatchObject({ dependencies: { inbox: 'ok', bus: 'ok' } })
    expect(await server.end('SIGTERM')).toBe(0)
  })

  it('shows at /ready that no queue is bound to the exchange', async () => {
    await using data = await temporaryDirectory()
    const exchange = rabbitmq().freshName()
    await using server = await startServerProcess({
      DATA_DIR: data.path,
      BUS_URL: `${rabbitmq().url}/%2F?exchange=${exchange}`,
    })
    const { token } = await acceptOne(server.base, await secretsOf(data.path), run(1))
    const dependencies = (state: string) => ({ dependencies: { inbox: 'ok', bus: state } })
    await expect.poll(() => readiness(server.base, token)).toMatchObject(dependencies('unavailable'))
    expect(await readiness(server.base, token)).toMatchObject({
      status: 'ok',
      notices: [expect.stringContaining('The bus refuses events')],
    })
    await using queue = await openQueue(rabbitmq().url, exchange)
    await expect
      .poll(() => readiness(server.base, token), { timeout: 30_000 })
      .toMatchObject(dependencies('ok'))
    expect(await queue.ids()).toHaveLength(1)
  })

  it('accepts deliveries while RabbitMQ is unavailable, and publishes them later', async () => {
    await using data = await temporaryDirectory()
    const port = await unusedPort()
    const exchange = rabbitmq().freshName()
    await using queue = await openQueue(rabbitmq().url, exchange)
    await using server = await startServerProcess({
      DATA_DIR: data.path,
      BUS_URL: `amqp://guest:guest@127.0.0.1:${port}?exchange=${exchange}`,
    })
    const { id, token } = await acceptOne(server.base, await secretsOf(data.path), run(1))
    await expect
      .poll(() => readiness(server.base, token))
      .toMatchObject({
        dependencies: { inbox: 'ok', bus: 'unavailable' },
        notices: [expect.stringContaining(`The bus at amqp://127.0.0.1:${port} does not answer`)],
      })
    expect(await publishedEvents(server.base, token)).toEqual([])

    const proxy = await openProxy(rabbitmq().url, port)
    const listed = async () => (await publishedEvents(server.base, token)).map(({ id }) => id)
    await expect.poll(listed, { interval: 500 }).toEqual([id])
    expect(await queue.ids()).toEqual([id])
    expect(await readiness(server.base, token)).toMatchObject({ notices: [] })
    expect(server.output()).not.toContain('guest')
    expect(await server.end('SIGTERM')).toBe(0)
    await proxy.close()
  })
})

describe('addresses of RabbitMQ', () => {
  it.each([
    ['amqp://host', true],
    ['amqps://user:password@host:5671/%2Fstaging?exchange=staging&mandatory=false', true],
    ['amqp://host/a/b', false],
    ['amqp://host?exchange=a:b', false],
    ['amqp://host?exchange=a&exchange=b', false],
    ['amqp://host?heartbeat=5', false],
    ['amqp://host/%zz', false],
    ['amqp:///vhost', false],
  ])('%s', (address, accepted) => {
    expect(isAmqpAddress(new URL(address))).toBe(accepted)
  })
})
