import { readDeclarations } from '@sallyport/internal/declaration-file'
import type { ReconcileSource } from '@sallyport/webhooks/reconcile'
import type { SecretStore } from '@sallyport/webhooks/secret-stores'
import * as z from 'zod'
import { openReconcileSources, reconcileSchema } from '../reconcile/declared.ts'

interface ReconcileFile {
  readonly sources: readonly ReconcileSource[]
  readonly everyMs?: number
  readonly problems: readonly string[]
}

const fileSchema = z.strictObject({
  every_minutes: z.number().positive().max(1440).default(15),
  sources: z.array(reconcileSchema).min(1).max(100),
})

/**
 * Reads a file of sources, for the option `reconcile` of `createWebhooks`. The file has a list `sources`: each has a `name`, a
 * `service` with its members, and in `token_name` the name of a secret with the token, which exists. `every_minutes` is the interval
 * of runs. No problem contains a part of the file.
 *
 * @param options `secrets` has the tokens, which are read again when their lease ends, and after the service refused one. `providers`
 *   are the names of the registered providers.
 * @example
 * ```ts
 * import { readReconcileFile } from '@sallyport/providers/reconcile-file'
 * import { environmentSecrets } from '@sallyport/webhooks/secret-stores'
 *
 * const secrets = environmentSecrets(process.env)
 * const { problems, ...reconcile } = readReconcileFile('reconcile.yaml', { secrets, providers: ['github'] })
 * if (problems.length > 0) throw new Error(problems.join('\n'))
 * // createWebhooks({ reconcile, … })
 * ```
 */
export function readReconcileFile(
  path: string,
  {
    secrets,
    providers,
    name = path,
  }: {
    readonly secrets: Pick<SecretStore, 'all' | 'renew' | 'failure'>
    readonly providers: readonly string[]
    /** The name of the file in problems. @default the path */
    readonly name?: string
  },
): ReconcileFile {
  const { data, problems } = readDeclarations(name, { path, schema: fileSchema })
  if (problems) return { sources: [], problems }
  const everyMs = Math.ceil(data.every_minutes * 60_000)
  return { ...openReconcileSources(data.sources, { secrets, providers }), everyMs }
}
