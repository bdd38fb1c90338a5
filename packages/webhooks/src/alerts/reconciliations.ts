import type { Reconciliation, ReconcileOperations } from '../reconcile/reconciler.ts'
import type { AlertSource } from './alerts.ts'
import type { Finding } from './evaluate.ts'
import { formatDuration } from './message.ts'

const dayMs = 86_400_000

/**
 * Finds sources of reconciliation whose last run failed, and those that gave up a redelivery in the last day.
 *
 * The alerts are `reconcile_failed/<source>` and `reconcile_abandoned/<source>`.
 */
export function watchReconciliations(reconciliations: Pick<ReconcileOperations, 'list'>): AlertSource {
  return {
    name: 'reconciliations',
    find: async (now) => (await reconciliations.list()).flatMap((one) => findOf(one, now)),
  }
}

function findOf({ name, state }: Reconciliation, now: number): readonly Finding[] {
  const { error, failingSince = now, abandonedAt = -Infinity } = state
  const findings: Finding[] = []
  if (error !== undefined)
    findings.push({
      ...{ name: `reconcile_failed/${name}`, severity: 'error' },
      title: `Missed deliveries of ${name} cannot be recovered`,
      text: `The runs have failed for ${formatDuration(now - failingSince)} with ${error}. Check the token and its permissions. The next run that succeeds covers this time.`,
    })
  if (now - abandonedAt < dayMs)
    findings.push({
      ...{ name: `reconcile_abandoned/${name}`, severity: 'warning' },
      title: `Redeliveries of ${name} do not arrive`,
      text: 'A redelivery was asked for five times, and is abandoned. Check why the gateway refuses it, then ask for a run since the first failure.',
    })
  return findings
}
