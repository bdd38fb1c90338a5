import { isSallyportError } from '@sallyport/errors'
import type { AnyProvider } from '@sallyport/webhooks'
import { invalidField } from './invalid-fields.ts'

/**
 * Returns the given secret, or generates one in the form of the provider; undefined if the service sends its secret in a
 * handshake.
 *
 * @throws SallyportError 400 `VALIDATION_ERROR` for an unusable secret, or without a secret where only the service creates it
 */
export async function chooseSecret(
  { name, signature, handshake }: AnyProvider,
  given: string | undefined,
): Promise<string | undefined> {
  if (given === undefined && handshake?.establishesSecret) return undefined
  const secret = given ?? signature.createSecret?.()
  if (secret === undefined)
    throw invalidField('secret', `Is required: only the service creates secrets for ${name}`)
  try {
    await signature.checkSecret?.(secret)
  } catch (error) {
    throw invalidField('secret', isSallyportError(error) ? error.message : `Cannot be used by ${name}`)
  }
  return secret
}
