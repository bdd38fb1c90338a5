import type { Session } from '@sallyport/auth'
import { z } from 'zod'
import { id, textField, time } from '@sallyport/internal/resource-fields'

const refreshToken = 'session.secret.tag'

/** A session, as the REST API shows it: without its tokens. */
export const sessionResource = z
  .object({ id, user_id: id, created_at: time, last_used_at: time, expires_at: time })
  .meta({ id: 'Session' })

export type SessionResource = z.infer<typeof sessionResource>

/** A session with newly issued tokens, which are shown once. */
export const grantResource = z
  .object({
    id,
    user_id: id,
    access_token: z.string().meta({ examples: ['header.claims.signature'] }),
    token_type: z.literal('Bearer'),
    expires_in: z
      .int()
      .positive()
      .meta({ description: 'Seconds until the access token expires.', examples: [900] }),
    refresh_token: z.string().meta({ description: 'Works once.', examples: [refreshToken] }),
    created_at: time,
    expires_at: time.meta({ description: 'When the session ends, unless it is refreshed.' }),
  })
  .meta({ id: 'SessionGrant' })

export type GrantResource = z.infer<typeof grantResource>

export const logInBody = z
  .strictObject({
    email: z.email().max(254).toLowerCase(),
    password: textField({ min: 1, max: 128, example: 'an analytical engine' }),
  })
  .meta({ id: 'LogIn' })

export const refreshBody = z
  .strictObject({ refresh_token: textField({ min: 1, max: 512, example: refreshToken }) })
  .meta({ id: 'Refresh' })

export function toSession(session: Session): SessionResource {
  return {
    id: session.id,
    user_id: session.userId,
    created_at: new Date(session.createdAt).toISOString(),
    last_used_at: new Date(session.lastUsedAt).toISOString(),
    expires_at: new Date(session.expiresAt).toISOString(),
  }
}
