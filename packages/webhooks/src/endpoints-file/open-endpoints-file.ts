import { followFile, readStamp } from '@sallyport/internal/followed-file'
import type { AnyProvider, DeclaredEndpoint } from '@sallyport/webhooks'
import type { GatewayEndpoint } from '../ports/ports.ts'
import { environmentSecrets, type SecretStore } from '@sallyport/webhooks/secret-stores'
import { readEndpointsFile } from './read-endpoints-file.ts'

/** The endpoints of a file: the option `endpoints` of `createWebhooks`. */
export interface EndpointsFile {
  /** Returns an endpoint of the last valid file. */
  readonly find: (id: string) => GatewayEndpoint | undefined
  /** Returns the endpoints of the last valid file without their secrets. */
  readonly declared: () => readonly DeclaredEndpoint[]
  /** The current notices for the operator: problems of a changed file, and values that may be one secret or a list. */
  readonly notices: () => readonly string[]
  /** Stops reading the file. */
  readonly close: () => void
}

export interface EndpointsFileOptions {
  readonly providers: readonly AnyProvider[]
  /** Has the secrets that `secret_names` names. @default those of the environment */
  readonly secrets?: Pick<SecretStore, 'renew' | 'whole'>
  /** The name of the file in messages. @default its path */
  readonly name?: string
  /** The interval between two checks of the file, in milliseconds. @default 2000 */
  readonly intervalMs?: number
  /** Called with the number of endpoints after a change. */
  readonly onChange?: (endpoints: number) => void
  /** Called at each check while the file has problems. The message of the error contains no secret. */
  readonly onError?: (error: Error) => void
}

/**
 * Opens a file of endpoints, `{ endpoints: [{ id, provider, status, labels, secrets, secret_names, options }] }`, and reads it again
 * when it changes. It is JSON if its name ends with `.json`, and YAML otherwise. A file with a problem leaves the last valid
 * endpoints in use.
 *
 * @throws Error with a line for each problem of the file; no line contains a secret
 *
 * @example
 * ```ts
 * import { stripe } from '@sallyport/providers/stripe'
 * import { openSqlite } from '@sallyport/sql/sqlite'
 * import { openEndpointsFile } from '@sallyport/webhooks/endpoints-file'
 * import { createWebhooks } from '@sallyport/webhooks/node'
 *
 * const providers = [stripe]
 * const endpoints = await openEndpointsFile('endpoints.yaml', { providers })
 * const database = await openSqlite({ path: 'events.db' })
 * const webhooks = createWebhooks({
 *   ...{ database, providers, endpoints },
 *   on: { 'stripe/*': ({ id }) => console.log(id) },
 * })
 * ```
 */
export async function openEndpointsFile(path: string, options: EndpointsFileOptions): Promise<EndpointsFile> {
  const { providers, name = path, intervalMs = 2000, onChange, onError } = options
  const { secrets = environmentSecrets(process.env) } = options
  const read = () => readEndpointsFile({ path, name, providers, secrets })

  const stamp = await readStamp(path)
  const first = await read()
  if (first.problems) throw new Error(first.problems.join('\n'))
  const file = followFile(path, {
    ...{ first, stamp, intervalMs, onError },
    async read() {
      const next = await read()
      return next.problems ? next : { content: next }
    },
    onChange: ({ endpoints }) => onChange?.(endpoints.size),
  })
  return {
    find: (id) => file.get().endpoints.get(id),
    declared: () =>
      [...file.get().endpoints.values()].map((endpoint) => ({
        ...endpoint,
        secrets: endpoint.secrets.length,
      })),
    notices() {
      const { notices } = file.get()
      const problems = file.problems()
      if (problems.length === 0) return notices
      return [
        ...notices,
        `${name} has problems, and its last valid endpoints stay in use: ${problems.join('; ')}`,
      ]
    },
    close: file.close,
  }
}
