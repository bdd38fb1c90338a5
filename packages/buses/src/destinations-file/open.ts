import { createSecretKeeper, type AnyProvider } from '@sallyport/webhooks'
import type { SecretStore } from '@sallyport/webhooks/secret-stores'
import type { HttpDestination } from '../http/index.ts'
import { createDeclaredDestination } from './create.ts'
import type { DestinationDeclaration } from '@sallyport/webhooks/filter'

export interface DestinationOpenerOptions {
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

/**
 * Creates the function that creates the destinations of declarations. A declaration that did not change has the same destination.
 * Their secrets are read again while the server runs.
 */
export function createDestinationOpener({
  secrets,
  ...options
}: DestinationOpenerOptions): (declarations: readonly DestinationDeclaration[]) => OpenedDestinations {
  const keeper = createSecretKeeper({
    async lease(name) {
      const { values, leaseMs } = await secrets.renew(name)
      return { values, ...(leaseMs !== undefined && { expiresAt: Date.now() + leaseMs }) }
    },
  })
  let known = new Map<string, HttpDestination>()

  function open(declaration: DestinationDeclaration): HttpDestination {
    const { secret } = declaration
    // The secrets of a function are not checked.
    void createDeclaredDestination(declaration, { ...options, secrets: secrets.all(secret) }).close()
    return createDeclaredDestination(declaration, {
      ...options,
      secrets: async () => keeper.getSecrets(secret),
    })
  }

  return (declarations) => {
    const names = new Set<string>()
    const opened = new Map<string, HttpDestination>()
    const problems: string[] = []
    for (const declaration of declarations) {
      const { name, secret } = declaration
      const key = JSON.stringify(declaration)
      if (names.has(name)) problems.push(`The destination ${name} is declared twice`)
      else if (secrets.all(secret).length === 0)
        problems.push(secrets.failure(secret) ?? `${secret} is missing: the destination ${name} needs it`)
      else
        try {
          opened.set(key, known.get(key) ?? open(declaration))
        } catch (error) {
          problems.push(`The destination ${name}: ${(error as Error).message}`)
        }
      names.add(name)
    }
    if (problems.length === 0) known = opened
    return { destinations: [...opened.values()], problems }
  }
}
