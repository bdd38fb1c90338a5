import {
  createGateway,
  defineProvider,
  hmac,
  createMemoryFailureLimiter,
  createMemoryInbox,
  staticSecrets,
  type AnyProvider,
  type Publisher,
} from '@sallyport/webhooks'
import { createFetchHandler } from '@sallyport/webhooks/fetch'
import { z } from 'zod'
import { now, secret, toBytes } from './fixed.ts'

const signature = hmac({
  algorithm: 'sha256',
  encoding: 'hex',
  header: 'x-signature',
  prefix: 'sha256=',
})

const payload = z.object({ kind: z.string(), id: z.string(), door: z.string() })

/** Accepts `{ kind, id, door }`. The kind `rung` is an event, and every other kind is ignored. */
export const doorbell = defineProvider({
  name: 'doorbell',
  signature,
  events: { 'bell.rung': z.object({ door: z.string() }) },
  normalize(delivery) {
    const { kind, id, door } = payload.parse(delivery.payload)
    return kind === 'rung' ? { kind: 'bell.rung', key: [id], subject: door, data: { door } } : []
  },
  bodyLimit: 1000,
})

export const rung = (id = '1') => ({ kind: 'rung', id, door: 'Haustür' })

/** Creates a gateway, with an inbox unless there is a publisher. */
export function openGateway(
  providers: readonly AnyProvider[],
  secrets: readonly string[],
  publisher?: Publisher,
) {
  const common = {
    providers,
    allowUnsigned: providers.map(({ name }) => name),
    secrets: staticSecrets(Object.fromEntries(providers.map(({ name }) => [name, secrets]))),
    now: () => now,
    limiter: createMemoryFailureLimiter({ failures: 3 }),
  }
  return createGateway(publisher ? { ...common, publisher } : { ...common, inbox: createMemoryInbox() })
}

export interface GatewayRequest {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes, or a stream of unknown length. */
  readonly body?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
}

/** Returns a function that sends requests to a gateway with fetch's `Request` and `Response`. */
export function createClient(gateway: ReturnType<typeof openGateway>) {
  const handler = createFetchHandler(gateway, {
    clientAddress: () => '192.0.2.1',
    publicUrl: 'https://hooks.example',
  })
  return async ({ path = '/webhooks/doorbell', method = 'POST', headers = {}, body }: GatewayRequest) => {
    const init = {
      method,
      headers,
      ...(body !== undefined && { body }),
      ...(body instanceof ReadableStream && { duplex: 'half' as const }),
    }
    const response = await handler(new Request(`https://hooks.example${path}`, init))
    const text = await response.text()
    const outcome = text.startsWith('{') ? (JSON.parse(text) as ResponseBody) : {}
    return {
      status: response.status,
      headers: response.headers,
      text,
      outcome: outcome.error?.code ?? outcome.data?.status,
    }
  }
}

interface ResponseBody {
  readonly error?: { readonly code: string }
  readonly data?: { readonly status: string }
}

/** Creates a signed delivery. */
export async function signed(
  content: unknown,
  scheme = signature,
  key = secret,
  at = now,
): Promise<GatewayRequest> {
  const body = toBytes(content)
  return { body, headers: await scheme.sign({ method: 'POST', headers: new Headers(), body }, key, at) }
}
