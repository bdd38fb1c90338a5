import { createCipheriv, randomBytes, type KeyObject } from 'node:crypto'
import type { StoredBody } from '../inbox/body.ts'

/** The key of the values of one delivery, or of one value. */
export interface DataKey {
  /** The start of each sealed value: a mark and the wrapped key. */
  readonly head: Uint8Array
  readonly key: KeyObject
}

export const ivBytes = 12
export const tagBytes = 16

/**
 * Seals bytes by AES-256-GCM: the head of the key, a byte that is 1 for compressed bytes, the IV, the ciphertext and the tag.
 *
 * @param context the column and the row, as associated data
 */
export function sealBytes(
  bytes: Uint8Array,
  isCompressed: boolean,
  { head, key }: DataKey,
  context: string,
): Uint8Array {
  const form = Number(isCompressed)
  // A key has few values: a random IV does not repeat.
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(toAssociatedData(form, context))
  return Buffer.concat([
    head,
    Uint8Array.of(form),
    iv,
    cipher.update(bytes),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

export const toAssociatedData = (form: number, context: string): Uint8Array =>
  Buffer.from(`${form} ${context}`)

/** Names the body of a delivery, in `delivery_bodies` and in the events whose data it is. */
export const bodyContext = (delivery: string): string => `body ${delivery}`

/**
 * Seals the body of a delivery that has a key. A body is compressed before, which shows its content in its length only to somebody who
 * can add text to a body with a secret and measure the stored length, which takes the database: no response shows it.
 */
export function sealBody(
  body: StoredBody,
  { id, key }: { readonly id: string; readonly key: DataKey | undefined },
): StoredBody {
  if (key === undefined) return body
  const bytes = sealBytes(body.bytes, body.encoding === 'zstd', key, bodyContext(id))
  return { encoding: 'sealed', bytes, originalBytes: body.originalBytes }
}
