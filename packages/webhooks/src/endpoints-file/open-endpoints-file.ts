import { stat } from 'node:fs/promises'
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
 * Opens a file of endpoints, `{ endpoints: [{ id, provider, status, secrets, secret_names, options }] }`, and reads it again
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

  let problems: readonly string[] = []
  let stamp = await readStamp(path)
  const first = await read()
  if (first.problems) throw new Error(first.problems.join('\n'))
  let { endpoints, notices } = first

  async function refresh(): Promise<void> {
    const present = await readStamp(path)
    if (present === stamp) {
      problems = []
      return
    }
    const next = await read()
    problems = next.problems ?? []
    if (next.problems) {
      // The stamp stays, so that a store of secrets that is available again is read.
      onError?.(new Error(problems.join('; ')))
      return
    }
    ;({ endpoints, notices } = next)
    stamp = present
    onChange?.(endpoints.size)
  }

  let refreshing: Promise<void> | undefined
  const timer = setInterval(() => {
    refreshing ??= refresh().finally(() => (refreshing = undefined))
  }, intervalMs).unref()
  return {
    find: (id) => endpoints.get(id),
    declared: () =>
      [...endpoints.values()].map((endpoint) => ({ ...endpoint, secrets: endpoint.secrets.length })),
    notices: () =>
      problems.length === 0
        ? notices
        : [
            ...notices,
            `${name} has problems, and its last valid endpoints stay in use: ${problems.join('; ')}`,
          ],
    close() {
      clearInterval(timer)
    },
  }
}

/** Returns a text that differs after a change; undefined without a file. A mounted ConfigMap replaces a symbolic link. */
async function readStamp(path: string): Promise<string | undefined> {
  try {
    const { ino, mtimeMs, size } = await stat(path)
    return `${ino} ${mtimeMs} ${size}`
  } catch {
    return undefined
  }
}
