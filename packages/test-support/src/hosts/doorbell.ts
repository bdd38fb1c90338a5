import { defineProvider, hmac } from '@sallyport/webhooks'
import { z } from 'zod'
import { toBytes } from './host.ts'

export const secret = 'a secret of the doorbell'

const signature = hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-signature', prefix: 'sha256=' })

/** Accepts `{ kind, id, door }`. The kind `rung` is an event, and every other kind is ignored. */
export const doorbell = defineProvider({
  name: 'doorbell',
  signature,
  bodyLimit: 1000,
  events: { 'bell.rung': z.object({ door: z.string() }) },
  normalize({ payload }) {
    const { kind, id, door } = payload as { kind: string; id: string; door: string }
    if (kind !== 'rung') return []
    return { kind: 'bell.rung', key: [id], subject: door, data: { door } }
  },
})

/** The same provider with a handshake by GET. */
export const challenged = defineProvider({
  ...doorbell,
  name: 'challenged',
  handshake: {
    methods: ['GET'],
    answer: ({ query }) => ({ contentType: 'text/plain', body: query.get('challenge') ?? '' }),
  },
})

export const rung = (id = '1'): Uint8Array<ArrayBuffer> => toBytes({ kind: 'rung', id, door: 'front' })

/** Returns the signature headers of a body. */
export async function signBody(body: Uint8Array, key = secret): Promise<[name: string, value: string][]> {
  return Object.entries(await signature.sign({ method: 'POST', headers: new Headers(), body }, key, 0))
}
