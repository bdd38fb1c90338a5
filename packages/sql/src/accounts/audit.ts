import type { AuditLog } from '@sallyport/webhooks/audit'
import type { AccountEvent, ReportAccountEvent } from './events.ts'
import { getPermissions } from './roles.ts'
import type { Users } from './users.ts'

/** The actions of operators that the audit records, by event. */
const actions: Readonly<Partial<Record<AccountEvent, string>>> = {
  'invitation.created': 'invitation.create',
  'invitation.deleted': 'invitation.delete',
  'user.created': 'user.create',
  'user.changed': 'user.update',
  'user.deleted': 'user.delete',
  'user.logged_out': 'user.log_out',
  'users.logged_out': 'users.log_out',
}

/** Creates the function that records what operators do with accounts. A failure to record does not fail the action. */
export function createAccountAudit({
  audit,
  users,
  onError,
}: {
  /** @default no audit */
  readonly audit: Pick<AuditLog, 'record'> | undefined
  readonly users: Pick<Users, 'find'>
  readonly onError: (error: unknown, text: string) => void
}): ReportAccountEvent {
  return async (event, { caller }, { userId: id = caller?.sub, targetId: target, changed, role }) => {
    const action = actions[event]
    if (audit === undefined || action === undefined || id === undefined) return
    try {
      const user = await users.find({ id })
      // The caller has the role from before the change.
      const actor = caller ?? user
      // An issuer may take all permissions from a user.
      const hasLostRole = changed?.includes('role') === true
      if (actor === undefined || (getPermissions(actor).length === 0 && !hasLostRole)) return
      await audit.record({
        actor: { id, ...(user && { name: user.email }) },
        action,
        ...(target !== undefined && { target }),
        detail: { ...(changed && { changed }), ...(role !== undefined && { role }) },
      })
    } catch (error) {
      onError(error, `The audit has no entry for ${action}`)
    }
  }
}
