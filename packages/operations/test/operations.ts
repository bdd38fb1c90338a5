import { randomUUID } from 'node:crypto'
import { SallyportError } from '@sallyport/errors'
import type { Api, ApiRequest } from '@sallyport/rest'
import { createReplayer, type CompleteInbox, type DeliveryRecord } from '@sallyport/webhooks'
import { createOperations, type Operator } from '../src/index.ts'
import { origin, type Host } from './hosts.ts'

/** The operators by token. */
const operators: Readonly<Record<string, Operator>> = {
  all: { id: 'ann', permissions: ['read', 'replay', 'erase', 'manage'] },
  read: { id: 'bob', permissions: ['read'] },
}

export function authorize({ header }: Pick<ApiRequest, 'header'>): Operator {
  const operator = operators[header('authorization')?.replace('Bearer ', '') ?? '']
  if (operator === undefined) throw new SallyportError('INVALID_TOKEN', 'The token is not valid')
  return operator
}

export const secrets = ['a secret of at least thirty-two bytes']

export const createTestOperations = (inbox: CompleteInbox): Api =>
  createOperations(
    { operations: { inbox, replayer: createReplayer({ inbox, providers: [] }), secrets } },
    { authorize },
  )

/** Creates a function that sends requests to a host as the operator with a token. */
export function createCall(host: Host, token = 'all') {
  return async (method: string, path: string, body?: object) => {
    const response = await host.fetch(
      new Request(`${origin}/operations${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- a test compares the parts
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
}

/** Creates a delivery of one event. */
export function createDelivery(key: string, changes: Partial<DeliveryRecord> = {}): DeliveryRecord {
  const id = randomUUID()
  const receivedAt = Date.now()
  const source = { provider: 'doorbell', deliveryId: id, receivedAt }
  const event = {
    id: key,
    name: 'doorbell/bell.rung',
    subject: 'front',
    ts: 1000,
    data: { door: key },
    source,
  }
  return {
    ...{ id, provider: 'doorbell', receivedAt, headers: {}, body: Buffer.from('{}') },
    events: [{ event, route: 'direct', notify: false }],
    ...changes,
  }
}

/** Claims all due events and settles them. */
export async function settleAll(inbox: CompleteInbox, status: 'done' | 'dead'): Promise<void> {
  const claimed = await inbox.claim('publish', { limit: 100, leaseMs: 60_000 })
  const outcome = status === 'done' ? ({ status } as const) : ({ status, error: 'TimeoutError' } as const)
  await inbox.settle(
    'publish',
    claimed.map(({ event, lease }) => ({ id: event.id, lease, outcome })),
  )
}
