import { createSecretKeeper, type AnyProvider } from '@sallyport/webhooks'
import type { SecretStore } from '@sallyport/webhooks/secret-stores'
import type { HttpDestination } from '../http/index.ts'
import { createDeclaredDestination } from './create.ts'
import type { DestinationDeclaration } from '@sallyport/webhooks/filter'

export interface OpenDestinationsOptions {
  /** Has the secrets that the declarations name. */
  readonly secrets: Pick<SecretStore, 'all' | 'renew' | 'failure'>
  /** The providers that deliveries can come from. */
  readonly providers: readonly AnyProvider[]
  /** As `network.allowPrivate` of `createHttpDestination`. */
  readonly allowPrivate: boolean | readonly string[]
}

/** The destinations, and the problems of those that are missing. No problem quotes a secret or a URL. */
export interface OpenedDestinations {
  readonly destinations: readonly HttpDestination[]
  readonly problems: readonly string[]
}

/** Creates the destinations of declarations. Their secrets are read again while the server runs. */
export function openDestinations(
  declarations: readonly DestinationDeclaration[],
  { secrets, ...options }: OpenDestinationsOptions,
): OpenedDestinations {
  const keeper = createSecretKeeper({
    async lease(name) {
      const { values, leaseMs } = await secrets.renew(name)
      return { values, ...(leaseMs !== undefined && { expiresAt: Date.now() + leaseMs }) }
    },
  })
  const names = new Set<string>()
  const destinations: HttpDestination[] = []
  const problems: string[] = []
  for (const declaration of declarations) {
    const { name, secret } = declaration
    const values = secrets.all(secret)
    if (names.has(name)) problems.push(`The destination ${name} is declared twice`)
    else if (values.length === 0)
      problems.push(secrets.failure(secret) ?? `${secret} is missing: the destination ${name} needs it`)
    else
      try {
        // The secrets of a function are not checked.
        void createDeclaredDestination(declaration, { ...options, secrets: values }).close()
        const renewed = async () => keeper.getSecrets(secret)
        destinations.push(createDeclaredDestination(declaration, { ...options, secrets: renewed }))
      } catch (error) {
        problems.push(`The destination ${name}: ${(error as Error).message}`)
      }
    names.add(name)
  }
  return { destinations, problems }
}
