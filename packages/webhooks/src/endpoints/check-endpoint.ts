import { SallyportError, isSallyportError } from '@sallyport/errors'
import type { AnyProvider } from '../provider/provider.ts'
import { isSecret } from '../schemes/keys.ts'

/**
 * Returns the provider of a new endpoint; undefined when the endpoints know no providers.
 *
 * @throws SallyportError 400 `VALIDATION_ERROR` for an unknown provider
 */
export function requireProvider(
  providers: readonly AnyProvider[] | undefined,
  name: string,
): AnyProvider | undefined {
  const provider = providers?.find((one) => one.name === name)
  if (providers !== undefined && provider === undefined)
    throw invalid('provider', `Must be one of ${providers.map((one) => one.name).join(', ')}`)
  return provider
}

/** @throws SallyportError 400 `VALIDATION_ERROR` for an empty secret, and one that the provider cannot use */
export async function requireUsableSecret(provider: AnyProvider | undefined, secret: string): Promise<void> {
  if (!isSecret(secret)) throw invalid('secret', 'Must have more than white space')
  try {
    await provider?.signature.checkSecret?.(secret)
  } catch (error) {
    throw invalid('secret', isSallyportError(error) ? error.message : 'Cannot be used by the provider')
  }
}

const invalid = (field: string, message: string): SallyportError =>
  new SallyportError('VALIDATION_ERROR', `The ${field} of the endpoint is not valid`, {
    details: [{ code: 'INVALID_VALUE', field, in: 'body', message }],
  })
