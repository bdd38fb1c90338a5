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
  | 'user.created'
  | 'user.deleted'
  | 'user.logged_out'
  | 'users.logged_out'

export interface AccountEventDetails {
  readonly userId?: string | undefined
  readonly sessionId?: string | undefined
  /** The API key of the request. */
  readonly keyId?: string | undefined
  /** The user that the request concerns, if it is not the caller, or the invitation. */
  readonly targetId?: string | undefined
  readonly changed?: readonly string[]
  /** The role of a new user, of an invitation, or of a user whose role changed. */
  readonly role?: string | undefined
  /** The code of the error of a refused request, or why a login at an issuer failed. */
  readonly code?: string
}

/** A request that concerns security, for a log. No field has a token, an e-mail address or a body. */
export interface SecurityEvent extends AccountEventDetails {
  readonly event: AccountEvent
  readonly method: string
  /** The path of the route with the mount path of the accounts; undefined for an unknown path. */
  readonly route?: string
  readonly status: number
  /** The IPv4 address of the client, or its IPv6 network. */
  readonly address: string
  readonly requestId: string
  /** Whether further events of this kind and client are left out for a minute: at most 60 refused requests are reported. */
  readonly isLastOfMinute?: boolean
}

/** Called after a successful request that concerns security; never rejects. */
export type ReportAccountEvent = (
  event: AccountEvent,
  context: RequestContext,
  request: { readonly route: string; readonly status: number } & AccountEventDetails,
) => Promise<void>

/** The cause of an error 401 or 403 with details for a log. The client does not see it. */
export class RefusalCause extends Error {
  override readonly name = 'RefusalCause'
  readonly details: AccountEventDetails & { readonly event?: AccountEvent }

  constructor(details: RefusalCause['details']) {
    super(details.event ?? 'Refused')
    this.details = details
  }
}
