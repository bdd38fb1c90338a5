import { isSallyportError } from '@sallyport/errors'
import type { AnyProvider } from '@sallyport/webhooks'
import { invalidField } from './invalid-fields.ts'

/**
 * Returns the given secret, or generates one in the form of the provider; undefined if the service creates its secret.
 *
 * @throws SallyportError 400 `VALIDATION_ERROR` for an unusable secret
 */
export async function chooseSecret(
  provider: AnyProvider,
  given: string | undefined,
): Promise<string | undefined> {
  const { name, signature } = provider
  const secret = given ?? (getSecretOrigin(provider) === 'generated' ? signature.createSecret?.() : undefined)
  if (secret === undefined) return undefined
  try {
    await signature.checkSecret?.(secret)
  } catch (error) {
    throw invalidField('secret', isSallyportError(error) ? error.message : `Cannot be used by ${name}`)
  }
  return secret
}

/**
 * Returns how the secret of an endpoint comes about: the server can generate it, the service gives it, or the service sends
 * it in a handshake.
 */
export function getSecretOrigin({
  signature,
  handshake,
  createsSecret = false,
}: AnyProvider): 'generated' | 'given' | 'handshake' {
  if (handshake?.establishesSecret) return 'handshake'
  return signature.createSecret && !createsSecret ? 'generated' : 'given'
}
