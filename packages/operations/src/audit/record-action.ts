import type { ApiContext } from '@sallyport/rest'
import type { AuditLog, AuditRecord } from '@sallyport/webhooks/audit'
import type { GetOperator } from '../access.ts'

/** The actions that the audit records, by resource and verb. */
type AuditAction =
  | 'consumer.dead_letter.delete'
  | 'consumer.dead_letters.retry'
  | 'consumer.delete'
  | 'delivery.replay'
  | 'deliveries.replay'
  | 'deliveries.erase'
  | 'delivery.erase'
  | 'destination.create'
  | 'destination.delete'
  | 'destination.pause'
  | 'destination.secret.add'
  | 'destination.secret.remove'
  | 'destination.update'
  | 'destination.resume'
  | 'reconciliation.run'
  | 'endpoint.create'
  | 'endpoint.update'
  | 'endpoint.delete'
  | 'endpoint.handshake.start'
  | 'endpoint.secret.add'
  | 'endpoint.secret.read'
  | 'endpoint.secret.remove'
  | 'endpoint.test'
  | 'events.cancel'
  | 'events.retry'
  | 'key.create'
  | 'key.delete'
  | 'lane.cancel'
  | 'lane.pause'
  | 'lane.resume'
  | 'lane.retry'
  | 'lane.skip'
  | 'replay_job.cancel'
  | 'replay_job.create'
  | 'subscription.renew'
  | 'unprocessed.replay'
  | 'unprocessed.replay_all'

/**
 * Records an action of the caller after it succeeded. A failure to record does not fail the action: `onError` of the API
 * receives it.
 */
export type RecordAction = (
  context: Pick<ApiContext, 'caller' | 'runAfter'>,
  action: AuditAction,
  facts?: Pick<AuditRecord, 'target' | 'detail'>,
) => Promise<void>

/** Creates the function that records actions; without an audit log it records nothing. */
export function createRecordAction(
  audit: Pick<AuditLog, 'record'> | undefined,
  getOperator: GetOperator,
): RecordAction {
  return async (context, action, facts) => {
    if (audit === undefined) return
    try {
      const { id, name, key } = await getOperator(context.caller)
      const detail = { ...facts?.detail, ...(key && { key: key.id }) }
      await audit.record({ actor: { id, ...(name !== undefined && { name }) }, action, ...facts, detail })
    } catch (cause) {
      context.runAfter(() => {
        throw new Error(`The audit has no entry for ${action} ${facts?.target ?? ''}`.trimEnd(), { cause })
      })
    }
  }
}
