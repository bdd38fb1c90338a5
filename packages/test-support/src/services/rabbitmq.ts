import { randomBytes } from 'node:crypto'
import { connect, type Channel } from 'amqplib'
import type { Service } from './service.ts'

/** A RabbitMQ server and a source of unused names. */
export interface RabbitmqTestServer {
  /** `amqp://…` */
  readonly url: string
  /** Returns an unused name. The exchange and the queue of that name are deleted after the suite. */
  readonly freshName: () => string
}

const serverUrl = process.env['TEST_RABBITMQ_URL'] ?? 'amqp://127.0.0.1:5672'

/** RabbitMQ at `TEST_RABBITMQ_URL`. */
export const rabbitmq: Service<RabbitmqTestServer> = {
  title: 'RabbitMQ',
  hint: 'start rabbitmq-server on 127.0.0.1:5672, or set TEST_RABBITMQ_URL',

  async probe() {
    await onServer(() => Promise.resolve())
  },

  open() {
    const prefix = `sallyport-test-${randomBytes(8).toString('hex')}`
    const names: string[] = []
    const freshName = () => {
      const name = `${prefix}-${names.length}`
      names.push(name)
      return name
    }
    return Promise.resolve({
      connection: { url: serverUrl, freshName },
      close: () =>
        onServer(async (channel) => {
          for (const name of names) {
            await channel.deleteQueue(name)
            await channel.deleteExchange(name)
          }
        }),
    })
  },
}

async function onServer(act: (channel: Channel) => Promise<void>): Promise<void> {
  const client = await connect(serverUrl, { timeout: 3000 })
  try {
    await act(await client.createChannel())
  } finally {
    await client.close()
  }
}
