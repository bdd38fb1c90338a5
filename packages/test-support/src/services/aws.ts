import { randomBytes } from 'node:crypto'
import type { Service } from './service.ts'

/** A server that speaks the protocols of AWS, and a prefix for names that is unique to the suite. */
export interface AwsTestServer {
  /** The endpoint for clients. Region and credentials may have any value. */
  readonly url: string
  /** 27 letters, digits and dashes. */
  readonly prefix: string
}

const createService = (title: string, url: string, variable: string): Service<AwsTestServer> => ({
  title,
  hint: `start ${title} on ${new URL(url).host}, or set ${variable}`,
  async probe() {
    try {
      await fetch(url, { signal: AbortSignal.timeout(3000) })
    } catch (error) {
      throw (error as Error).cause ?? error
    }
  },
  open() {
    const prefix = `sallyport-${randomBytes(8).toString('hex')}-`
    // The servers keep their content in memory.
    return Promise.resolve({ connection: { url, prefix }, close: () => Promise.resolve() })
  },
})

/** ElasticMQ, a server for SQS, at `TEST_ELASTICMQ_URL`. */
export const elasticmq = createService(
  'ElasticMQ',
  process.env['TEST_ELASTICMQ_URL'] ?? 'http://127.0.0.1:9324',
  'TEST_ELASTICMQ_URL',
)

/** Moto, a server for SQS, SNS and EventBridge, at `TEST_MOTO_URL`. */
export const moto = createService(
  'Moto',
  process.env['TEST_MOTO_URL'] ?? 'http://127.0.0.1:5566',
  'TEST_MOTO_URL',
)
