import { CodedError } from '@sallyport/errors'
import type { DeliveryHeaders } from '@sallyport/webhooks'
import type { UnprocessedRequest } from '../gateway/gateway-contract.ts'
import type { SecretCipher } from '@sallyport/webhooks/endpoints'
import { decodeText } from '../crypto/encoding.ts'
import { storedHeaders } from '../schemes/redact.ts'
import type { UnprocessedRecord } from './store.ts'

/** The parts of a refused delivery that its verification needs. No reader of the store may see them. */
export interface Proof {
  readonly method: string
  readonly url?: string | undefined
  readonly alternativeUrls?: readonly string[] | undefined
  /** The headers that the stored ones redact, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The received body in base64, if the stored one is redacted. */
  readonly body?: string
}

/** The delivery is a part of the context, so that a proof that is copied to another delivery does not decrypt. */
const getContext = (id: string) => `unprocessed delivery ${id}`

/** Selects the URLs and the headers that the stored headers redact. */
export function selectProof(
  {
    method,
    headers,
    url,
    alternativeUrls,
  }: Pick<UnprocessedRequest, 'method' | 'headers' | 'url' | 'alternativeUrls'>,
  stored: Readonly<Record<string, string>>,
): Omit<Proof, 'body'> {
  const redacted = Array.from(headers, ([name, value]) => [name.toLowerCase(), value] as const)
  return {
    method,
    url,
    alternativeUrls,
    headers: Object.fromEntries(redacted.filter(([name, value]) => stored[name] !== value)),
  }
}

/** Encrypts the proof of a delivery. */
export async function sealProof(cipher: SecretCipher, id: string, proof: Proof): Promise<string> {
  return cipher.encrypt(JSON.stringify(proof), getContext(id))
}

/**
 * Returns the method, the headers, the URLs and the body of a kept delivery, as its verification needs them.
 *
 * @throws CodedError `CONFLICT` (409) for a body that was cut, and when no key decrypts the proof
 */
export async function openProof(
  cipher: SecretCipher,
  { id, headers, proof, body, bodyBytes }: UnprocessedRecord,
): Promise<{
  readonly method?: string
  readonly headers: DeliveryHeaders
  readonly url?: string | undefined
  readonly alternativeUrls?: readonly string[] | undefined
  readonly body: Uint8Array
}> {
  if (body.length < bodyBytes) {
    throw new CodedError(
      409,
      'CONFLICT',
      'Only a part of the body was kept: have the service send the delivery again',
    )
  }
  if (proof === undefined) return { headers: storedHeaders(headers), body }
  let opened: Proof
  try {
    opened = JSON.parse(await cipher.decrypt(proof, getContext(id))) as Proof
  } catch (cause) {
    throw new CodedError(
      409,
      'CONFLICT',
      'The signature of this delivery cannot be decrypted, because its key was removed: have the service send the delivery again',
      { cause },
    )
  }
  return {
    method: opened.method,
    headers: storedHeaders({ ...headers, ...opened.headers }),
    url: opened.url,
    alternativeUrls: opened.alternativeUrls,
    body: (opened.body !== undefined && decodeText('base64', opened.body, Infinity)) || body,
  }
}
