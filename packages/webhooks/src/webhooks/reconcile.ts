import type { RecordingGateway } from '../gateway/gateway-contract.ts'
import { createReconciler, type Reconciler, type ReconcilerOptions } from '../reconcile/reconciler.ts'
import type { ReconcileSource } from '../reconcile/source.ts'
import { createMemoryReconciliationStore } from '../reconcile/store.ts'
import type { Core } from './core.ts'
import type { WebhookInbox } from './database.ts'
import { hasMethod } from './has-method.ts'

/** What services could not deliver, which is found and recovered. */
export interface WebhookReconcile extends Pick<ReconcilerOptions, 'everyMs'> {
  /** Such as `reconcileGithub` of `@sallyport/providers/reconcile`. */
  readonly sources: readonly ReconcileSource[]
}

/**
 * Opens the reconciler; undefined without options.
 *
 * @throws TypeError for an inbox without `list`, a source of an unknown provider, and as `createReconciler`
 */
export function openReconciler(
  options: WebhookReconcile | undefined,
  { database, inbox, providers, onError }: Core,
  gateway: RecordingGateway,
): Reconciler | undefined {
  if (options === undefined) return undefined
  if (!canList(inbox)) throw new TypeError('reconcile needs an inbox with `list`')
  for (const { name, provider } of options.sources)
    if (!providers.some((one) => one.name === provider))
      throw new TypeError(`The source ${name} needs the provider ${provider}`)
  const store = database.reconciliations?.() ?? createMemoryReconciliationStore()
  return createReconciler({
    ...options,
    ...{ store, inbox, gateway, onError: (_, error) => onError(error, 'reconciliation') },
  })
}

const canList = (inbox: WebhookInbox): inbox is WebhookInbox & Required<Pick<WebhookInbox, 'list'>> =>
  hasMethod(inbox, 'list')
