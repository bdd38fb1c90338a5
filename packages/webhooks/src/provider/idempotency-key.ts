import { utf8 } from '../crypto/encoding.ts'
import { sha256Hex } from '../crypto/crypto.ts'
import type { DeliveryHeaders } from '../ports/delivery.ts'
import type { SignatureScheme } from '../ports/ports.ts'

/**
 * Returns the first part of the keys of a source: the provider, or `<provider>@<endpoint>`. The name of a provider contains no
 * `@`, so that the keys of two sources differ.
 */
export const getKeyScope = (provider: string, endpoint: string | undefined): string =>
  endpoint === undefined ? provider : `${provider}@${endpoint}`

type Parts = readonly (string | number)[]

/** Brokers limit the length of a message id. Longer keys are hashed. */
const maxLength = 255

/**
 * Formats an idempotency key: `<scope>:<kind>:<part>:<part>…`, with the scope of {@link getKeyScope}.
 *
 * The parts are escaped: different lists of parts give different keys, and a key is visible ASCII.
 */
export function formatKey(scope: string, kind: string, parts: Parts): string {
  return [scope, kind, ...parts.map((part) => escapePart(String(part)))].join(':')
}

function escapePart(part: string): string {
  return part.replace(/[^!-9;-~]|%/gu, (character) =>
    character.isWellFormed() ? encodeURIComponent(character) : `%u${character.charCodeAt(0).toString(16)}`,
  )
}

/** Creates the idempotency key of an event. A key of more than 255 characters is hashed. */
export async function createKey(scope: string, kind: string, parts: Parts): Promise<string> {
  const key = formatKey(scope, kind, parts)
  return key.length <= maxLength ? key : formatKey(scope, kind, ['sha256', await sha256Hex(utf8(key))])
}

/**
 * The header in which a scheme writes the hash of the signed content, for a service whose bodies with other borders between the
 * fields have the same signature. The header is stored, so that a replay computes the same key.
 */
export const contentHeader = 'sallyport-signed-content'

/** Returns the hash of the signed content for a scheme that writes it, and undefined for a scheme that signs the whole body. */
export function readSignedContent(
  { signedIds }: Pick<SignatureScheme, 'signedIds'>,
  headers: DeliveryHeaders,
): Uint8Array | undefined {
  // A sender can write the header, which the scheme then replaces.
  const hash = signedIds?.includes(contentHeader) ? headers.get(contentHeader) : null
  return hash === null ? undefined : utf8(hash)
}

/** Creates a key from the hash of a text or a signed body, and further parts. */
export async function createBodyKey(scope: string, body: Uint8Array, parts: Parts = []): Promise<string> {
  return createKey(scope, 'sha256', [await sha256Hex(body), ...parts])
}

/**
 * Checks the parts of a key. Empty parts and rounded numbers are equal in different deliveries, which would become
 * duplicates.
 */
export const areKeyParts = (parts: readonly unknown[]): boolean =>
  parts.every(isKeyPart) && (parts.length === 0 || parts.join('') !== '')

const isKeyPart = (part: unknown): boolean =>
  typeof part === 'string' || (typeof part === 'number' && Math.abs(part) < 2 ** 53)
