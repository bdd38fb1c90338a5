import { randomBytes } from 'node:crypto'
import { Admin } from '@platformatic/kafka'
import type { Service } from './service.ts'

/** A Kafka broker and a topic prefix that is unique to the suite. */
export interface KafkaTestServer {
  /** `kafka://…` */
  readonly url: string
  /** Prefix of the suite's topics. The topics with this prefix are deleted after the suite. */
  readonly topic: string
}

const serverUrl = process.env['TEST_KAFKA_URL'] ?? 'kafka://127.0.0.1:9092'

/** Apache Kafka at `TEST_KAFKA_URL`. */
export const kafka: Service<KafkaTestServer> = {
  title: 'Kafka',
  hint: 'start a Kafka broker on 127.0.0.1:9092, or set TEST_KAFKA_URL',

  async probe() {
    await withAdmin((admin) => admin.listTopics())
  },

  open() {
    const topic = `sallyport-test-${randomBytes(8).toString('hex')}`
    return Promise.resolve({
      connection: { url: serverUrl, topic },
      close: () =>
        withAdmin(async (admin) => {
          const topics = (await admin.listTopics()).filter((name) => name.startsWith(topic))
          if (topics.length > 0) await admin.deleteTopics({ topics })
        }),
    })
  },
}

async function withAdmin(act: (admin: Admin) => Promise<unknown>): Promise<void> {
  const admin = new Admin({
    clientId: 'sallyport-test',
    bootstrapBrokers: [new URL(serverUrl).host],
    ...{ connectTimeout: 3000, retries: 0 },
  })
  try {
    await act(admin)
  } finally {
    await admin.close()
  }
}
