import type { ApiKey } from '@sallyport/auth'
import type { ApiContext } from '@sallyport/rest'
import type { UserRole } from './roles.ts'

/** The private claims of an access token. */
export interface OwnClaims {
  readonly role: UserRole
  readonly sid: string
}

/** A user with a session, by an access token or by a cookie. */
interface UserCaller extends OwnClaims {
  /** The id of the user. */
  readonly sub: string
  /** Whether the session is in a cookie. @default false */
  readonly hasCookie?: boolean
  readonly key?: undefined
}

/** An API key. It has no role, because it may use only the routes of its scopes. */
interface KeyCaller {
  /** The id of the owner. */
  readonly sub: string
  readonly key: Pick<ApiKey, 'id' | 'scopes' | 'endpoints' | 'expiresAt'>
  readonly role?: undefined
  readonly sid?: undefined
  readonly hasCookie?: undefined
}

/** The caller of an API with accounts: a user, or an API key of a user. */
export type Caller = UserCaller | KeyCaller

/** The context of a request for handlers. */
export type RequestContext = ApiContext<Caller>
