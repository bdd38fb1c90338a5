import { readFileSync } from 'node:fs'
import { describeUnreadableFile, parseDeclarations } from '@sallyport/internal/declaration-file'
import { openReconcileSources, reconcileSchema } from '@sallyport/providers/reconcile'
import type { WebhooksOptions } from '@sallyport/webhooks/node'
import type { SecretStore } from '@sallyport/webhooks/secret-stores'
import { z } from 'zod'

const fileSchema = z.strictObject({
  every_minutes: z.number().positive().max(1440).default(15),
  sources: z.array(reconcileSchema).min(1).max(100),
})

export interface Reconciliation {
  /** Undefined without the file. */
  readonly reconcile?: NonNullable<WebhooksOptions<[]>['reconcile']>
  readonly problems: readonly string[]
}

interface ReconcileFileOptions {
  readonly secrets: SecretStore
  /** The names of the registered providers. */
  readonly providers: readonly string[]
}

/** Reads and validates RECONCILE_FILE with the tokens that it names. No problem quotes a token. */
export function readReconcileFile(path: string | undefined, options: ReconcileFileOptions): Reconciliation {
  if (path === undefined) return { problems: [] }
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    return { problems: [describeUnreadableFile('RECONCILE_FILE', error)] }
  }
  const { data, problems } = parseDeclarations('RECONCILE_FILE', { path, text, schema: fileSchema })
  if (problems) return { problems }
  const opened = openReconcileSources(data.sources, options)
  const everyMs = Math.ceil(data.every_minutes * 60_000)
  return { reconcile: { sources: opened.sources, everyMs }, problems: opened.problems }
}
