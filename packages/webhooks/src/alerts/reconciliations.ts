import type { ReconcileOperations } from '../reconcile/reconciler.ts'
import type { AlertSource } from './alerts.ts'
import { formatDuration } from './message.ts'

/**
 * Finds sources of reconciliation whose last run failed.
 *
 * The alerts are `reconcile_failed/<source>`.
 */
export function watchReconciliations(reconciliations: Pick<ReconcileOperations, 'list'>): AlertSource {
  return {
    name: 'reconciliations',
    async find(now) {
      return (await reconciliations.list()).flatMap(({ name, state: { error, failingSince = now } }) =>
        error === undefined
          ? []
          : {
              ...{ name: `reconcile_failed/${name}`, severity: 'error' as const },
              title: `Missed deliveries of ${name} cannot be recovered`,
              text: `The runs have failed for ${formatDuration(now - failingSince)} with ${error}. Check the token and its permissions. The next run that succeeds covers this time.`,
            },
      )
    },
  }
}
