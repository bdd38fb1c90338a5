import { randomInt } from 'node:crypto'
import type { LoadRequest } from './load-job.ts'
import { prefixSigner } from './prefix-signer.ts'

/** A signed request. */
export interface SignedRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer<ArrayBuffer>
}

/** Returns a function that creates deliveries with consecutive 15-digit numbers from a random start. */
export function numberedDeliveries({
  path,
  headers = {},
  body = '',
  numbered = { secret: '', tail: '' },
}: LoadRequest): () => SignedRequest {
  const { secret, tail, endpoints }: NonNullable<LoadRequest['numbered']> = numbered
  const prefix = Buffer.from(body)
  const sign = prefixSigner(secret, prefix)
  let number = 100_000_000_000_000 + randomInt(2 ** 47)
  return () => {
    const rest = `${number}${tail}`
    const endpoint = endpoints === undefined ? '' : `/e${number % endpoints}`
    number++
    return {
      path: path + endpoint,
      headers: { ...headers, 'x-hub-signature-256': `sha256=${sign(rest)}` },
      body: Buffer.concat([prefix, Buffer.from(rest)]),
    }
  }
}
