import { z } from 'zod'
import {
  createGateway,
  defineProvider,
  hmac,
  createMemoryInbox,
  staticSecrets,
  type AnyProvider,
  type DeliveryRecord,
  type RecordingGateway,
  type GatewayOptions,
  type Observation,
  type RecordResult,
} from '../src/index.ts'
import type { BodySink } from '../src/gateway/body-budget.ts'
import type { GatewayInbox } from '../src/ports/ports.ts'

export const secret = 'a secret of the doorbell'
export const client = '192.0.2.1'
export const receivedAt = Date.UTC(2026, 0)

export const signature = hmac({
  algorithm: 'sha256',
  encoding: 'hex',
  header: 'x-signature',
  prefix: 'sha256=',
})

/** A provider with payloads `{ kind, id, door }`: `rung` is an event, `broken` throws, and other kinds are ignored. */
export const doorbell = defineProvider({
  name: 'doorbell',
  signature,
  events: { 'bell.rung': z.object({ door: z.string() }) },
  normalize({ payload }) {
    const { kind, id, door } = payload as { kind: string; id: string; door: string }
    if (kind === 'broken') throw new Error(`cannot read ${id}`)
    return kind === 'rung' ? { kind: 'bell.rung', key: [id], subject: door, data: { door } } : []
  },
  notify: ({ id }) => ({ title: id, text: 'The bell rang', severity: 'info' }),
})

export const encodeBody = (value: unknown): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))

export const rung = (id = '1'): Uint8Array<ArrayBuffer> => encodeBody({ kind: 'rung', id, door: 'front' })

/** Creates the signature headers of a body. */
export async function signBody(body: Uint8Array, key = secret): Promise<Readonly<Record<string, string>>> {
  return signature.sign({ method: 'POST', headers: new Headers(), body }, key, 0)
}

export interface Sent {
  readonly provider?: string
  readonly endpoint?: string
  /** Signs the body in `deliver`. @default the secret of the doorbell */
  readonly secret?: string
  readonly method?: string
  readonly headers?: ConstructorParameters<typeof Headers>[0]
  readonly query?: string
  readonly body?: Uint8Array
  /** @default one client; null for none */
  readonly address?: string | null
  readonly readBody?: (sink: BodySink) => Promise<void>
  /** @default the time of the gateway */
  readonly receivedAt?: number
}

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The error code or the outcome. */
  readonly said: string
  readonly events: readonly { readonly id: string; readonly name: string; readonly duplicate: boolean }[]
}

/** A gateway without a host, with its observations and recorded deliveries. */
export interface Opened {
  readonly gateway: RecordingGateway
  readonly observed: Observation[]
  readonly recorded: { readonly record: DeliveryRecord; readonly result: RecordResult }[]
  readonly send: (sent?: Sent) => Promise<Answered>
  /** Sends a signed request. */
  readonly deliver: (sent?: Sent) => Promise<Answered>
}

export function openGateway(options: Partial<GatewayOptions> = {}): Opened {
  const observed: Observation[] = []
  const recorded: { record: DeliveryRecord; result: RecordResult }[] = []
  const providers: Iterable<AnyProvider> = options.providers ?? [doorbell]
  const inner = options.inbox ?? createMemoryInbox()
  const inbox: GatewayInbox = {
    ...inner,
    async record(record, how) {
      const result = await inner.record(record, how)
      recorded.push({ record, result })
      return result
    },
  }
  const names = Array.from(providers, ({ name }) => name)
  const gateway = createGateway({
    secrets: staticSecrets(Object.fromEntries(names.map((name) => [name, [secret]]))),
    observe: (observation) => observed.push(observation),
    now: () => receivedAt,
    ...options,
    ...(options.publisher === undefined && { inbox }),
    providers,
  } as GatewayOptions)

  async function send(sent: Sent = {}): Promise<Answered> {
    const { provider = 'doorbell', endpoint, method = 'POST', body = rung(), address = client, query } = sent
    const response = await gateway.handle({
      method,
      provider,
      endpoint,
      headers: new Headers(sent.headers),
      readBody:
        sent.readBody ??
        (async (sink) => {
          sink.push(body)
        }),
      ...(query !== undefined && { query: new URLSearchParams(query) }),
      ...(address !== null && { address }),
      receivedAt: sent.receivedAt,
    })
    return { status: response.status, headers: response.headers, text: response.body, ...read(response.body) }
  }

  return {
    gateway,
    observed,
    recorded,
    send,
    async deliver(sent = {}) {
      const headers = new Headers(sent.headers)
      for (const [name, value] of Object.entries(await signBody(sent.body ?? rung(), sent.secret)))
        headers.set(name, value)
      return send({ ...sent, headers })
    },
  }
}

interface AnswerBody {
  readonly error?: { readonly code: string }
  readonly data?: Pick<Answered, 'events'> & { readonly status: string }
}

function read(text: string): Pick<Answered, 'said' | 'events'> {
  if (!text.startsWith('{')) return { said: text, events: [] }
  const { error, data } = JSON.parse(text) as AnswerBody
  return { said: error?.code ?? data?.status ?? text, events: data?.events ?? [] }
}

export const never = (): Promise<never> => new Promise(() => undefined)
