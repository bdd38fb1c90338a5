import type { RequestContext } from './context.ts'

/** The stable names of events that concern security. */
export type AccountEvent =
  | 'access.denied'
  | 'access.limited'
  | 'invitation.created'
  | 'invitation.deleted'
  | 'login.failed'
  | 'login.succeeded'
  | 'logout.succeeded'
  | 'refresh.failed'
  | 'refresh.replayed'
  | 'user.changed'

export interface AccountEventDetails {
  readonly userId?: string | undefined
  readonly sessionId?: string | undefined
  /** The API key of the request. */
  readonly keyId?: string | undefined
  /** The user that the request concerns, if it is not the caller, or the invitation. */
  readonly targetId?: string | undefined
  readonly changed?: readonly string[]
}

/** Called after a successful request that concerns security. */
export type ReportAccountEvent = (
  event: AccountEvent,
  context: RequestContext,
  request: { readonly route: string; readonly status: number } & AccountEventDetails,
) => void

/** The cause of an error 401 or 403 with details for a log. The client does not see it. */
export class RefusalCause extends Error {
  override readonly name = 'RefusalCause'
  readonly details: AccountEventDetails & { readonly event?: AccountEvent }

  constructor(details: RefusalCause['details']) {
    super(details.event ?? 'Refused')
    this.details = details
  }
}
