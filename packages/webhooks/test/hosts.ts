import {
  httpHost,
  lambdaEventV1,
  lambdaEventV2,
  type OpenHost,
  type Sent,
} from '@sallyport/test-support/hosts'
import { createServer } from 'node:http'
import { createFetchHandler } from '../src/fetch/index.ts'
import { createLambdaHandler, type LambdaEvent } from '../src/lambda/index.ts'
import { createNodeListener } from '../src/node/index.ts'

export const node: OpenHost = (gateway) => httpHost(createServer(createNodeListener(gateway)))

export const fetch: OpenHost = async (gateway) => {
  const handler = createFetchHandler(gateway, { clientAddress: () => '127.0.0.1' })
  return {
    async send({ method = 'POST', path = '/webhooks/doorbell', headers = [], ...sent }) {
      const { body = new Uint8Array(0), announcedLength } = sent
      const all = new Headers()
      for (const [name, value] of headers) all.append(name, value)
      const length = announcedLength ?? (body instanceof Uint8Array ? body.length : undefined)
      if (length !== undefined && method === 'POST') all.set('content-length', String(length))
      const stream = ReadableStream.from(body instanceof Uint8Array ? [body] : body)
      const init = method === 'POST' ? { body: stream, duplex: 'half' as const } : {}
      const response = await handler(
        new Request(`http://hooks.test${path}`, { method, headers: all, ...init }),
      )
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
    close: async () => undefined,
  }
}

const lambda =
  (toEvent: (sent: Sent) => LambdaEvent): OpenHost =>
  async (gateway) => {
    const handler = createLambdaHandler(gateway)
    return {
      async send(sent) {
        // The platform passes parsed JSON.
        const event = JSON.parse(JSON.stringify(toEvent(sent))) as LambdaEvent
        const { statusCode, headers, body } = await handler(event)
        return { status: statusCode, headers: new Headers(headers), text: body }
      },
      close: async () => undefined,
    }
  }

/** All hosts of a gateway by name. */
export const hosts: Record<string, OpenHost> = {
  node,
  fetch,
  'Lambda, payload format 2.0': lambda(lambdaEventV2),
  'Lambda, payload format 1.0': lambda(lambdaEventV1),
}
